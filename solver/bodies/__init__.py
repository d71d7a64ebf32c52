"""Objects of the scene as nodes that laws hold together."""
