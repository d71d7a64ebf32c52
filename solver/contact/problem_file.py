"""Friction problems in files of their own: all that a problem may have, as arrays (docs/theory/proximal.md, 6).

The file is a compressed .npz that numpy opens too; nothing in it is executed. FCLIB's files (`fclib.py`) hold less.
"""

import zipfile
import zlib
from pathlib import Path

import numpy as np
import scipy.sparse as sparse

from ..errors import StictionError
from .problem import PER_CONTACT, FrictionProblem, NodalForm

ENDING = ".npz"
MATRICES = ("A", "J", "delassus")
PARTS = ("data", "indices", "indptr", "shape")


class ProblemFileError(StictionError, ValueError):
    """A file that holds no problem, in words."""


def save_problem(problem: FrictionProblem, path: str | Path) -> None:
    """Write a problem, with the nodes of its contacts if it has them."""
    arrays = {name: getattr(problem, name) for name in ("f", "k", "mu", *PER_CONTACT)}
    arrays["spin"] = np.array(problem.spin)
    for name in MATRICES:
        matrix = getattr(problem, name)
        # J follows from the nodes.
        if matrix is not None and not (name == "J" and problem.nodal_form):
            parts = (matrix.data, matrix.indices, matrix.indptr, np.array(matrix.shape))
            arrays |= {f"{name}.{part}": values for part, values in zip(PARTS, parts)}
    if problem.nodal_form:
        arrays |= {f"nodal.{name}": values for name, values in problem.nodal_form._asdict().items()}
    if problem.masses is not None:
        arrays["masses"] = problem.masses
    np.savez_compressed(path, **arrays)


def load_problem(path: str | Path) -> FrictionProblem:
    """What `save_problem` wrote."""
    path = Path(path)
    if not path.is_file():
        raise ProblemFileError(f'There is no file "{path}".')
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        return _problem(arrays)
    except KeyError as error:
        raise ProblemFileError(f'"{path.name}" is no friction problem: it lacks {error.args[0]}.') from error
    except (zipfile.BadZipFile, zlib.error, EOFError, AttributeError) as error:
        raise ProblemFileError(f'"{path.name}" is damaged, or no file of friction problems.') from error
    except (OSError, ValueError, TypeError, IndexError) as error:
        raise ProblemFileError(f'"{path.name}" cannot be read: {error}') from error


def _problem(arrays):
    optional = {name: arrays[name] for name in PER_CONTACT} | {"masses": arrays.get("masses")}
    f, k, mu, spin = arrays["f"], arrays["k"], arrays["mu"], bool(arrays["spin"])
    A, J, W = (_matrix(arrays, name) for name in MATRICES)
    if W is not None:
        _refuse_misfits(k.size, k.size, *W.shape)
        return FrictionProblem.local(W, k, mu, spin=spin, **optional)
    if A is None:
        raise KeyError("both A and delassus")
    _refuse_misfits(len(f), len(f), *A.shape)
    if "nodal.offsets" in arrays:
        form = NodalForm(*(arrays[f"nodal.{name}"] for name in NodalForm._fields))
        _refuse_stray_nodes(form, len(k), len(f))
        contacts = form.offsets, form.nodes, form.weights, form.frames, k, mu, form.node_rows
        return FrictionProblem.nodal(A, f, *contacts, **optional)
    if J is None:
        raise KeyError("both J and nodal.offsets")
    _refuse_misfits(k.size, len(f), *J.shape)
    return FrictionProblem(A, f, J, k, mu, spin=spin, **optional)


def _matrix(arrays, name):
    if f"{name}.data" not in arrays:
        return None
    data, indices, indptr, shape = (arrays[f"{name}.{part}"] for part in PARTS)
    matrix = sparse.csr_array((data, indices, indptr), shape=tuple(shape))
    matrix.check_format(full_check=True)
    return matrix


def _refuse_misfits(rows, columns, *shape):
    if (rows, columns) != shape:
        raise ValueError(f"a matrix has {shape[0]} × {shape[1]} entries where {rows} × {columns} are needed.")


def _refuse_stray_nodes(form, contact_count, unknown_count):
    offsets, nodes = form.offsets, form.nodes
    fits = len(offsets) == contact_count + 1 == len(form.frames) + 1 and len(nodes) == len(form.weights) == offsets[-1]
    if not fits or (np.diff(offsets) < 0).any() or offsets[0] != 0:
        raise ValueError("the nodes of its contacts do not fit its contacts.")
    rows = form.node_rows[nodes] if len(nodes) and nodes.min() >= 0 and nodes.max() < len(form.node_rows) else [-1]
    if len(nodes) and (np.min(rows) < 0 or np.max(rows) + 3 > unknown_count):
        raise ValueError("its contacts touch nodes that there are not.")
