"""How far a bake is, for the panel, the status bar and the terminal alike."""

from typing import NamedTuple

READING = "Reading animation"  # the stage in which the file must stay as it is


class Progress(NamedTuple):
    stage: str  # what is being done, in words
    done: int
    total: int
    seconds_left: float | None = None  # an estimate; None while there is none
    details: str = ""  # of the last frame, in words

    @property
    def factor(self) -> float:
        return self.done / self.total if self.total else 0.0

    @property
    def text(self) -> str:
        return f"{self.stage} {self.done}/{self.total}{self._time_left()}"

    def _time_left(self):
        if self.seconds_left is None:
            return ""
        minutes, seconds = divmod(round(self.seconds_left), 60)
        return f", {minutes}:{seconds:02d} left"
