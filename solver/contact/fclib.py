"""Problems of the public collection FCLIB, which are HDF5 files, as friction problems (docs/theory/proximal.md, 6).

Local form: u = W r + q. Global form: M v = H r + f and u = Hᵀ v + w, so that A = M, J = Hᵀ and k = w.
"""

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sparse

from .problem import AXES, FrictionProblem
from .problem_file import ProblemFileError

BY_COLUMNS, BY_ROWS = -1, -2  # what stands for the number of entries of matrices that are no list of places


def load_fclib(path: str | Path) -> FrictionProblem:
    """A problem in three dimensions; what the file has of guesses and solutions is left."""
    h5py, path = _h5py(), Path(path)
    if not path.is_file():
        raise ProblemFileError(f'There is no file "{path}".')
    try:
        with h5py.File(path, "r") as file:
            return _problem(file)
    except KeyError as error:
        raise ProblemFileError(f'"{path.name}" is no problem of FCLIB: it lacks {error.args[0]}.') from error
    except (OSError, ValueError, TypeError, IndexError) as error:
        raise ProblemFileError(f'"{path.name}" cannot be read: {error}') from error


def save_fclib(problem: FrictionProblem, path: str | Path) -> None:
    """Write a problem to a file that others can solve too: by its Delassus operator if it has one, else by A and J."""
    h5py = _h5py()
    if problem.spin or problem.cohesion.any() or problem.compliance.any() or problem.restitution.any():
        raise ProblemFileError("Files of FCLIB hold no spin, cohesion, compliance or restitution.")
    is_local = problem.delassus is not None
    matrices = {"W": problem.delassus} if is_local else {"M": problem.A, "H": problem.J.T}
    vectors = {"q": problem.k} if is_local else {"f": problem.f, "w": problem.k}
    with h5py.File(path, "w") as file:
        group = file.create_group("fclib_local" if is_local else "fclib_global")
        group["spacedim"] = np.array([AXES], np.int32)
        for name, matrix in matrices.items():
            _write_matrix(group.create_group(name), sparse.csr_array(matrix))
        for name, values in (vectors | {"mu": problem.mu}).items():
            group[f"vectors/{name}"] = values.ravel()


def _write_matrix(group, matrix):
    sizes = {"m": matrix.shape[0], "n": matrix.shape[1], "nz": BY_ROWS, "nzmax": matrix.nnz}
    for name, value in sizes.items():
        group[name] = np.array([value], np.int32)
    group["p"], group["i"], group["x"] = matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32), matrix.data


def _h5py() -> Any:
    try:
        import h5py
    except ImportError as error:
        raise ProblemFileError("Problems of FCLIB are HDF5 files, and h5py is not installed.") from error
    return h5py


def _problem(file):
    if "fclib_local" in file:
        return _local(file["fclib_local"])
    if "fclib_global" in file:
        return _global(file["fclib_global"])
    raise KeyError("both fclib_local and fclib_global")


def _local(group):
    _refuse_other_forms(group, ("V", "R"))
    W, q, mu = _matrix(group, "W"), _vector(group, "q"), _vector(group, "mu")
    _refuse_misfits({"W": W.shape, "q": (len(q), len(q)), "mu": (AXES * len(mu), AXES * len(mu))})
    return FrictionProblem.local(W, q, mu)


def _global(group):
    _refuse_other_forms(group, ("G",))
    M, H = _matrix(group, "M"), _matrix(group, "H")
    f, w, mu = (_vector(group, name) for name in ("f", "w", "mu"))
    _refuse_misfits({"H": H.shape, "f and w": (len(f), len(w)), "f and mu": (len(f), AXES * len(mu))})
    _refuse_misfits({"M": M.shape, "f": (len(f), len(f))})
    return FrictionProblem(M, f, H.T, w, mu)


def _refuse_other_forms(group, names):
    if int(_one(group, "spacedim")) != AXES:
        raise ValueError("it is a problem in the plane; only problems in three dimensions can be solved.")
    for name in names:
        if name in group:
            raise ValueError(f"it has equations besides its contacts ({name}), which no method here knows.")


def _refuse_misfits(sizes):
    if len(set(sizes.values())) > 1:
        words = ", ".join(f"{name} {rows} × {columns}" for name, (rows, columns) in sizes.items())
        raise ValueError(f"the sizes of its parts do not fit: {words}.")


def _vector(group, name):
    return np.asarray(_member(group, f"vectors/{name}")[()], np.float64).ravel()


def _one(group, name):
    return np.asarray(_member(group, name)[()]).ravel()[0]


def _member(group, name):
    if name not in group:
        raise KeyError(f"{group.name.strip('/')}/{name}")
    return group[name]


def _matrix(parent, name):
    group = _member(parent, name)
    rows, columns, count = (int(_one(group, key)) for key in ("m", "n", "nz"))
    pointers, places, values = (np.asarray(_member(group, key)[()]).ravel() for key in ("p", "i", "x"))
    shape = rows, columns
    if count >= 0:
        entries = values[:count], (places[:count], pointers[:count])
        return sparse.coo_array(entries, shape=shape).tocsr()
    if count not in (BY_COLUMNS, BY_ROWS):
        raise ValueError(f"the matrix {name} is stored in an unknown way ({count}).")
    form = sparse.csc_array if count == BY_COLUMNS else sparse.csr_array
    matrix = form((values, places, pointers), shape=shape)
    matrix.check_format(full_check=True)
    return matrix.tocsr()
