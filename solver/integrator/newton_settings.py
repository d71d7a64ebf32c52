"""How far Newton's method goes in a step."""

from dataclasses import dataclass

MOST_ITERATIONS = 100  # with a tolerance; what has not converged by then is as good as it gets


@dataclass
class NewtonSettings:
    iterations: int = 2
    tolerance: float | None = None  # iterate with a line search until no point moves more than this [m]

    @property
    def most_iterations(self) -> int:
        return self.iterations if self.tolerance is None else MOST_ITERATIONS
