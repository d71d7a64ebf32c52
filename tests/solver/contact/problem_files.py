"""Friction problems as files in the format of FCLIB, and problems with more contacts than are needed."""

import numpy as np
import scipy.sparse as sparse

from stiction.solver.contact.problem import FrictionProblem

LIST, BY_COLUMNS, BY_ROWS = "list", "columns", "rows"


def write_matrix(group, matrix, layout):
    """Places and values in one of the three layouts."""
    group["m"], group["n"] = ([size] for size in matrix.shape)
    if layout == LIST:
        entries = sparse.coo_array(matrix)
        # Files may have room for more entries than they use.
        group["nz"], group["nzmax"] = [entries.nnz], [entries.nnz + 2]
        group["p"], group["i"] = (np.append(places, [0, 0]) for places in (entries.col, entries.row))
        group["x"] = np.append(entries.data, [7.0, 7.0])
        return
    stored = sparse.csc_array(matrix) if layout == BY_COLUMNS else sparse.csr_array(matrix)
    group["nz"] = [-1 if layout == BY_COLUMNS else -2]
    group["p"], group["i"], group["x"] = stored.indptr, stored.indices, stored.data


def write_problem(h5py, path, problem, layout=LIST):
    """A problem by its Delassus operator, or by its dynamics."""
    with h5py.File(path, "w") as file:
        group = file.create_group("fclib_global" if problem.delassus is None else "fclib_local")
        group["spacedim"] = [3]
        if problem.delassus is None:
            write_matrix(group.create_group("M"), problem.A, layout)
            write_matrix(group.create_group("H"), problem.J.T, layout)
            vectors = {"f": problem.f, "w": problem.k.ravel(), "mu": problem.mu}
        else:
            write_matrix(group.create_group("W"), problem.delassus, layout)
            vectors = {"q": problem.k.ravel(), "mu": problem.mu}
        for name, values in vectors.items():
            group[f"vectors/{name}"] = values


def box_on_the_ground(contacts_on_a_side=5, pull=(1.0, 0.0), friction=0.5, height=0.5):
    """A rigid cube of 2 kg, 1 m wide, falling at 1 m/s with many contacts below it: W has rank 6."""
    side = np.linspace(-0.5, 0.5, contacts_on_a_side)
    x, y = (values.ravel() for values in np.meshgrid(side, side))
    arms = np.column_stack([x, y, np.full(len(x), -height)])
    J = np.concatenate([_rows_of(arm) for arm in arms])
    masses = np.array([2.0] * 3 + [2.0 / 6.0] * 3)
    f = masses * [*pull, -1.0, 0.0, 0.0, 0.0]
    return FrictionProblem(sparse.diags_array(masses), f, J, np.zeros((len(arms), 3)), friction)


def ring_on_the_ground(contacts, turning, drift=0.0, friction=0.5, radius=0.4):
    """A ring of 2 kg that falls at 1 m/s, turns about its axis and drifts, with contacts all around."""
    angles = 2.0 * np.pi * np.arange(contacts) / contacts
    arms = radius * np.column_stack([np.cos(angles), np.sin(angles), np.zeros(contacts)])
    masses = np.array([2.0] * 3 + [radius**2, radius**2, 2.0 * radius**2])
    f = masses * [drift, 0.0, -1.0, 0.0, 0.0, turning]
    J = np.concatenate([_rows_of(arm) for arm in arms])
    return FrictionProblem(sparse.diags_array(masses), f, J, np.zeros((contacts, 3)), friction)


def _rows_of(arm):
    """Normal z, tangents x and y, of a point fixed to the body: v + ω × arm."""
    axes = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    return np.column_stack([axes, np.cross(arm, axes)])
