"""Lines over frames, drawn as SVG."""

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT = 860, 220
LEFT, RIGHT, TOP, BOTTOM = 70, 12, 10, 28  # of the page, around the axes
TICKS = 5  # about so many, on either axis
DECADES = 8  # shown at most, below the greatest value


class Line(NamedTuple):
    name: str
    colour: str
    values: Sequence[float | None]  # one a frame; None where nothing was measured


def plot(frames: Sequence[int], lines: Sequence[Line], unit: str = "", is_logarithmic: bool = False) -> str:
    """An SVG drawing of lines over frames, each point with a tooltip; logarithmic ones leave zeros out."""
    shown = [line._replace(values=_shown_values(line.values, is_logarithmic)) for line in lines]
    axis = _Axis(shown, is_logarithmic)
    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img">']
    parts += [_level(axis.place(value), _number(value)) for value in axis.ticks]
    parts += [_frame_mark(_x(frames, index), frames[index]) for index in _frame_ticks(len(frames))]
    parts.append(f'<text x="4" y="{TOP + 10}" class="unit">{escape(unit)}</text>')
    for line in shown:
        parts.append(_curve(frames, line, axis, unit))
    return "\n".join([*parts, "</svg>"])


def _shown_values(values, is_logarithmic):
    return [None if value is None or (is_logarithmic and value <= 0.0) else float(value) for value in values]


class _Axis:
    """Values from bottom to top."""

    def __init__(self, lines, is_logarithmic):
        self.is_logarithmic = is_logarithmic
        known = [value for line in lines for value in line.values if value is not None]
        top = max(known, default=1.0) or 1.0
        if is_logarithmic:
            high = math.ceil(math.log10(top))
            low = min(max(math.floor(math.log10(min(known, default=0.1))), high - DECADES), high - 1)
            stride = -(-(high - low) // TICKS)
            self.low, self.high = float(low), float(high)
            self.ticks = [10.0**power for power in range(low, high + 1, stride)]
        else:
            step = _round_step(top / TICKS)
            self.low, self.high = 0.0, step * math.ceil(top / step - 1e-9)
            self.ticks = [step * index for index in range(round(self.high / step) + 1)]

    def place(self, value):
        value = math.log10(value) if self.is_logarithmic else value
        part = min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)
        return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)


def _round_step(least):
    """The smallest of 1, 2 or 5 times a power of ten that is not below."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * (1 - 1e-9))


def _x(frames, index):
    return LEFT + (WIDTH - LEFT - RIGHT) * (index / (len(frames) - 1) if len(frames) > 1 else 0.5)


def _frame_ticks(count):
    stride = max(1, round(_round_step(max(count / (2 * TICKS), 1.0))))
    return range(0, count, stride)


def _level(y, text):
    line = f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>'
    return f'{line}<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{text}</text>'


def _frame_mark(x, frame):
    return f'<text x="{x:.1f}" y="{HEIGHT - 8}" text-anchor="middle">{frame}</text>'


def _curve(frames, line, axis, unit):
    """One line; it is broken where nothing was measured."""
    drawn, pen = [], "M"
    points = []
    for index, value in enumerate(line.values):
        if value is None:
            pen = "M"
            continue
        x, y = _x(frames, index), axis.place(value)
        drawn.append(f"{pen}{x:.1f} {y:.1f}")
        pen = "L"
        words = escape(f"frame {frames[index]}: {line.name} {_number(value)} {unit}".rstrip())
        points.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5"><title>{words}</title></circle>')
    path = f'<path d="{" ".join(drawn)}" fill="none" stroke="{line.colour}" stroke-width="1.5"/>'
    return f'{path}<g fill="{line.colour}">{"".join(points)}</g>'


def _number(value):
    return f"{value:g}" if value == 0.0 or 1e-3 <= abs(value) < 1e6 else f"{value:.1e}"
