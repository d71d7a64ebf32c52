"""What can go wrong in a linear system."""


class NotPositiveDefinite(ArithmeticError):
    """The matrix has no Cholesky factor, or has infinities; `node` is the first whose pivot is not positive."""

    def __init__(self, node: int, axis: int):
        self.node = node
        self.axis = axis
        super().__init__(f"Matrix not positive definite: no positive pivot at node {node}, axis {axis}.")
