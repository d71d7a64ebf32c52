"""The inside of a surface: tetrahedra that fill it, or a cage that carries it."""
