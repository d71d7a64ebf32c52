"""The plain twin of exact_crossings.py, in fractions, one pair at a time and by another way: clipping."""

from fractions import Fraction


def segment_meets_triangle(p, q, a, b, c):
    """Whether a segment meets a triangle that has an area, and whether it passes through its inside."""
    p, q, a, b, c = ([Fraction(float(value)) for value in point] for point in (p, q, a, b, c))
    normal = _cross(_sub(b, a), _sub(c, a))
    p_height, q_height = _dot(_sub(p, a), normal), _dot(_sub(q, a), normal)
    if p_height * q_height > 0:
        return False, False
    if p_height == q_height:  # in the plane
        return _clip(p, _sub(q, p), (a, b, c), normal), False
    share = p_height / (p_height - q_height)
    point = [x + share * (y - x) for x, y in zip(p, q)]
    weights = [_dot(_cross(_sub(end, start), _sub(point, start)), normal) for start, end in ((a, b), (b, c), (c, a))]
    return min(weights) >= 0, min(weights) > 0 and 0 < share < 1


def _clip(start, along, corners, normal):
    """Whether something of a segment in the plane is left inside all three sides."""
    low, high = Fraction(0), Fraction(1)
    for corner, following in zip(corners, (*corners[1:], corners[0])):
        inward = _cross(normal, _sub(following, corner))
        height, slope = _dot(_sub(start, corner), inward), _dot(along, inward)
        if slope == 0:
            if height < 0:
                return False
        elif slope > 0:
            low = max(low, -height / slope)
        else:
            high = min(high, -height / slope)
    return low <= high


def _sub(a, b):
    return [x - y for x, y in zip(a, b)]


def _dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def _cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
