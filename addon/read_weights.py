"""Weights of vertex groups, as the modifiers above the simulation leave them."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import bpy
import numpy as np

from .input_stack import weights_as_attribute
from .marked_object import MarkedObject


@contextmanager
def weights_shown(marked: MarkedObject) -> Iterator[None]:
    """Let `read_weights` find the groups that the settings of an object name."""
    settings = marked.settings
    named = {
        settings.pin_group,
        settings.friction_map,
        *(attachment.vertex_group for attachment in settings.attachments),
    }
    with ExitStack() as restore:
        for group in marked.obj.vertex_groups:
            if group.name in named:
                restore.enter_context(weights_as_attribute(marked.obj, group.name, _attribute(group)))
        yield


def read_weights(marked: MarkedObject, group_name: str, purpose: str, depsgraph) -> np.ndarray:
    """The weights (n,) of a mesh's vertices in a group, or a refusal if there is no such group to `purpose`."""
    group: bpy.types.VertexGroup | None = marked.obj.vertex_groups.get(group_name)
    if group is None:
        raise marked.refusal(f'it has no vertex group "{group_name}" to {purpose}. Choose another, or clear the field.')
    geometry = marked.evaluated(depsgraph).evaluated_geometry()  # owns the mesh
    weights = np.zeros(len(geometry.mesh.vertices) if geometry.mesh else 0, np.float32)
    attribute = geometry.mesh.attributes.get(_attribute(group)) if geometry.mesh else None
    if attribute is not None and len(weights):
        attribute.data.foreach_get("value", weights)
    return weights.astype(np.float64)


def _attribute(group):
    return f".stiction_weight_{group.index}"  # names of groups may be too long
