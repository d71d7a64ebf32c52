"""The plain twins of volume/embedding.py."""

import numpy as np


def embed(embedding, node_values):
    return np.einsum("vc,vci->vi", embedding.weights, node_values[embedding.nodes])


def spread(embedding, vertex_forces, node_count):
    node_forces = np.zeros((node_count, 3))
    np.add.at(node_forces, embedding.nodes, embedding.weights[:, :, None] * vertex_forces[:, None])
    return node_forces
