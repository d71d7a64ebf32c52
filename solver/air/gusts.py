"""Gusts: a random velocity field without divergence, as a sum of plane waves [Kraichnan 1970].

Each wave turns around its own direction, e₁ cos θ ± e₂ sin θ with e₁ and e₂ across it: that has no divergence, and
the same speed everywhere. Six waves of one strength along the axes of an icosahedron make a shell, which is
isotropic as it is; shells cover some octaves with Kolmogorov's spectrum (docs/theory/air.md, equations 1 to 4).
"""

import math
from itertools import pairwise
from typing import NamedTuple

import numba
import numpy as np

from ..jit_cache import compiled, kernel
from ..linear_algebra.vector3 import row3

OCTAVES = 4  # from the largest gusts to those of a sixteenth of their size
SHELLS_PER_OCTAVE = 2
UNSTEADINESS = 0.5  # of each wave, in turns of an eddy of its size [Fung et al. 1992]
GOLDEN = 0.5 * (1.0 + math.sqrt(5.0))
ICOSAHEDRON = np.array([(0, 1, GOLDEN), (0, -1, GOLDEN), (1, GOLDEN, 0), (-1, GOLDEN, 0), (GOLDEN, 0, 1),
                        (GOLDEN, 0, -1)]) / math.sqrt(1.0 + GOLDEN**2)  # fmt: skip

IN_TURNS = 0.5 / math.pi
COSINE_TERMS = tuple((-1.0) ** n / math.factorial(2 * n) for n in range(8))  # of Taylor's series
SINE_TERMS = tuple((-1.0) ** n / math.factorial(2 * n + 1) for n in range(8))
CHUNK = 256  # points whose velocities stay in the nearest cache while all waves are added
NUMBERS, VECTORS = numba.types.float64[::1], numba.types.float64[:, ::1]


class GustWaves(NamedTuple):
    """Waves of gusts with a mean square speed of one."""

    vectors: np.ndarray  # along which each varies               (w, 3) [rad/m]
    cosines: np.ndarray  # velocity where the phase is zero      (w, 3)
    sines: np.ndarray  # velocity a quarter turn later           (w, 3)
    frequencies: np.ndarray  # by which the phase grows          (w,) [rad/s]
    phases: np.ndarray  # at the origin, when time is zero       (w,) [rad]


def gust_waves(size: float, speed: float, seed: int) -> GustWaves:
    """Gusts up to a size [m], which change as those of a root mean square speed [m/s] do (equations 2 to 4)."""
    random = np.random.Generator(np.random.PCG64(seed))
    edges = 2.0 ** (np.arange(OCTAVES * SHELLS_PER_OCTAVE + 1) / SHELLS_PER_OCTAVE)  # wave numbers over the least
    energies = edges[:-1] ** (-2 / 3) - edges[1:] ** (-2 / 3)  # ∫ k^(−5/3) dk
    shares = energies / energies.sum()
    shells = [_shell(random, *ends, share) for ends, share in zip(pairwise(edges), shares)]
    directions, numbers, amplitudes = (np.concatenate(parts) for parts in zip(*shells))
    first, second = _across(directions)
    hands = np.where(random.random(len(numbers)) < 0.5, -1.0, 1.0)
    return GustWaves(
        vectors=(math.pi / size * numbers)[:, None] * directions,
        cosines=amplitudes[:, None] * first,
        sines=(hands * amplitudes)[:, None] * second,
        frequencies=speed / size * _turnover(numbers) * np.where(random.random(len(numbers)) < 0.5, -1.0, 1.0),
        phases=2.0 * math.pi * random.random(len(numbers)),
    )


def _shell(random, least, greatest, share):
    """Directions (6, 3), wave numbers (6,) spread over the shell, and amplitudes (6,) of one strength."""
    directions = ICOSAHEDRON @ _random_rotation(random).T
    places = (np.argsort(random.random(6)) + random.random(6)) / 6.0
    return directions, least * (greatest / least) ** places, np.full(6, math.sqrt(share / 6.0))


def _turnover(numbers):
    """Frequencies λ √(k³ E(k)) for a size and a speed of one: E = C k^(−5/3) holds an energy of one half."""
    least, greatest = math.pi, math.pi * 2.0**OCTAVES
    factor = 0.5 / (1.5 * (least ** (-2 / 3) - greatest ** (-2 / 3)))
    return UNSTEADINESS * np.sqrt(factor) * (math.pi * numbers) ** (2 / 3)


def _random_rotation(random):
    """From a quaternion that is even over the sphere [Shoemake 1992]."""
    share, first, second = random.random(3) * [1.0, 2.0 * math.pi, 2.0 * math.pi]
    x, y = math.sqrt(1.0 - share) * math.sin(first), math.sqrt(1.0 - share) * math.cos(first)
    z, w = math.sqrt(share) * math.sin(second), math.sqrt(share) * math.cos(second)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + 2.0 * w * cross + 2.0 * cross @ cross


def _across(directions):
    """Two unit vectors (w, 3) each, perpendicular to the directions and to each other."""
    helper = np.eye(3)[np.abs(directions).argmin(axis=1)]
    first = np.cross(directions, helper)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    return first, np.cross(directions, first)


@compiled
def cosine_and_sine(turns):
    """Of an angle in turns, to ten digits: plain arithmetic, that the compiler can do for several points at once."""
    half = math.pi * (turns - math.floor(turns + 0.5))  # half of the angle, within a quarter turn
    square = half * half
    cosine, sine = COSINE_TERMS[-1], SINE_TERMS[-1]
    for term in range(len(COSINE_TERMS) - 2, -1, -1):
        cosine = cosine * square + COSINE_TERMS[term]
        sine = sine * square + SINE_TERMS[term]
    sine *= half
    return 1.0 - 2.0 * sine * sine, 2.0 * sine * cosine


@kernel((VECTORS, VECTORS, VECTORS, NUMBERS, VECTORS, VECTORS), parallel=True)
def blow(vectors, cosines, sines, phases, points, velocities_out):
    """Velocities (3, n) [m/s] of unit gusts at points (3, n) [m] (equation 1), the phases being those of the moment."""
    count = points.shape[1]
    for chunk in numba.prange((count + CHUNK - 1) // CHUNK):
        rows = slice(chunk * CHUNK, min(chunk * CHUNK + CHUNK, count))
        x, y, z = points[0, rows], points[1, rows], points[2, rows]
        u, v, w = velocities_out[0, rows], velocities_out[1, rows], velocities_out[2, rows]
        u[:], v[:], w[:] = 0.0, 0.0, 0.0
        for wave in range(len(phases)):
            kx, ky, kz = row3(vectors, wave)
            ax, ay, az = row3(cosines, wave)
            bx, by, bz = row3(sines, wave)
            phase = phases[wave]
            for i in range(len(x)):
                cosine, sine = cosine_and_sine(IN_TURNS * (kx * x[i] + ky * y[i] + kz * z[i] + phase))
                u[i] += ax * cosine + bx * sine
                v[i] += ay * cosine + by * sine
                w[i] += az * cosine + bz * sine
