"""What happened during a frame."""

from dataclasses import asdict, dataclass, field


@dataclass
class FrameReport:
    frame_number: int
    steps: int = 0
    largest_speed: float = 0.0  # of any node at the end of the frame [m/s]
    timings: dict[str, float] = field(default_factory=dict)  # by stage, "step.dynamics" [s]
    intersections: int | None = None  # edges that cross triangles, where they were counted
    intersecting: list[str] = field(default_factory=list)  # which objects these are of, how deep and where
    contacts: int = 0  # in the last step
    sticking: int = 0  # of these
    slipping: int = 0
    contact_iterations: int = 0  # of all steps
    refinement_passes: int = 0  # of all steps: how often they were solved until nothing crossed
    halvings: int = 0  # of steps that crossed nevertheless
    held_back: int = 0  # nodes whose motion was cut short, because nothing else kept them from crossing
    tangles: int = 0  # edges through triangles when the frame began, that were let go
    forced: int = 0  # pairs that the animation forces through each other
    contact_residual: float = 0.0  # last change of the contact solution, as a way in the step [m]

    def as_dict(self) -> dict:
        return asdict(self)
