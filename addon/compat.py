"""Where Blender's versions differ."""


def set_node_mode(node, mode: str) -> None:
    """Choose a node's mode by the word on its menu, e.g. "Evaluated".

    Up to 4.5 it is a property of the node; 5.0 made it a menu socket.
    """
    if hasattr(node, "mode"):
        node.mode = mode.upper()
    else:
        node.inputs["Mode"].default_value = mode
