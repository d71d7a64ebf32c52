"""The air and the force fields around all objects."""
