"""Rotations of many bodies at once: by rotation vectors, and as unit quaternions."""

import numpy as np


def turned(arms: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """Vectors (b, k, 3), turned by rotation vectors (b, 3) [rad]: Rodrigues' formula."""
    angles = np.linalg.norm(turns, axis=1)[:, None, None]
    across = np.cross(turns[:, None], arms)
    twice = np.cross(turns[:, None], across)
    return arms + np.sinc(angles / np.pi) * across + 0.5 * np.sinc(0.5 * angles / np.pi) ** 2 * twice


def inertias(arms: np.ndarray, masses: np.ndarray) -> np.ndarray:
    """Σ m (|r|² − r rᵀ) (b, 3, 3) [kg m²] of masses (b, k) [kg] at arms r (b, k, 3) [m]."""
    squares = np.einsum("bk,bki,bki->b", masses, arms, arms)
    return squares[:, None, None] * np.eye(3) - np.einsum("bk,bki,bkj->bij", masses, arms, arms)


def solved(matrices: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """M⁻¹ v (b, 3) of each."""
    return np.linalg.solve(matrices, vectors[:, :, None])[:, :, 0]


def nearest_quaternions(rest: np.ndarray, arms: np.ndarray) -> np.ndarray:
    """Unit quaternions (b, 4), real part first and not negative, that turn `rest` nearest to `arms`, both (b, k, 3).

    The eigenvector with the largest eigenvalue [Horn 1987, section 4A].
    """
    S = np.einsum("bki,bkj->bij", rest, arms)
    skew = np.stack([S[:, 1, 2] - S[:, 2, 1], S[:, 2, 0] - S[:, 0, 2], S[:, 0, 1] - S[:, 1, 0]], axis=1)
    trace = np.trace(S, axis1=1, axis2=2)
    K = np.empty((len(S), 4, 4))
    K[:, 0, 0], K[:, 0, 1:], K[:, 1:, 0] = trace, skew, skew
    K[:, 1:, 1:] = S + S.swapaxes(1, 2) - trace[:, None, None] * np.eye(3)
    quaternions = np.linalg.eigh(K)[1][:, :, 3]
    return np.where(quaternions[:, :1] < 0.0, -quaternions, quaternions)


def turned_by_quaternions(vectors: np.ndarray, quaternions: np.ndarray) -> np.ndarray:
    """Vectors (b, k, 3) turned by unit quaternions (b, 4)."""
    real, imaginary = quaternions[:, :1, None], quaternions[:, None, 1:]
    across = np.cross(imaginary, vectors)
    return vectors + 2.0 * (real * across + np.cross(imaginary, across))
