"""Friction problems with unknowns that belong to no node."""

import numpy as np
import scipy.sparse as sparse

from stiction.solver.contact.problem import FrictionProblem

from .problems import chain_matrix, random_problem


def twisted_problem(seed, nodes=9, contacts=7, friction=0.4):
    """As of strands: four unknowns a node, of which the fourth touches nothing, and blocks that differ by direction."""
    rng = np.random.default_rng(seed)
    plain = random_problem(seed, nodes, contacts, friction=friction)
    roots = rng.normal(size=(nodes, 4, 4))
    own = sparse.block_diag([root @ root.T + np.eye(4) for root in roots])
    form = plain.nodal_form
    return FrictionProblem.nodal(
        *(sparse.kron(chain_matrix(nodes, 2.0)[::3, ::3], sparse.eye_array(4)) + own, rng.normal(size=4 * nodes)),
        *(form.offsets, form.nodes, form.weights, form.frames, plain.k, friction),
        node_rows=4 * np.arange(nodes),
    )
