"""What can go wrong in a linear system."""


class NotPositiveDefinite(ArithmeticError):
    """The matrix has no Cholesky factor, or has infinities; `node` is the first whose pivot is not positive.

    It counts from the first node of all bodies, or of all strands.
    """

    def __init__(self, node: int, axis: int, is_of_strand: bool = False):
        self.node, self.is_of_strand = node, is_of_strand
        self.axis = axis
        super().__init__(f"Matrix not positive definite: no positive pivot at node {node}, axis {axis}.")
