"""Small vectors and matrices, and the solvers of large ones."""
