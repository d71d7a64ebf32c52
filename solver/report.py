"""What happened during a frame."""

from dataclasses import asdict, dataclass, field


@dataclass
class FrameReport:
    frame_number: int
    steps: int = 0
    largest_speed: float = 0.0  # of any node at the end of the frame [m/s]
    timings: dict[str, float] = field(default_factory=dict)  # by stage, "step.dynamics" [s]
    intersections: int | None = None  # edges that cross triangles, where they were counted

    def as_dict(self) -> dict:
        return asdict(self)
