"""What is asked of a bake: which frames, and what becomes of an earlier one."""

from dataclasses import dataclass

from ..solver.errors import CacheError, StictionError


@dataclass(frozen=True)
class BakeWish:
    resume: bool = False  # go on where an earlier bake stopped
    overwrite: bool = False  # free an earlier bake first
    to_frame: int | None = None  # stop there; a resumed bake goes on
    from_frame: int | None = None  # bake it and all after it again, and keep the frames before
    keeps_measures: bool = False  # contact forces, stick or slip, and stretch of each vertex, in a new bake

    @property
    def minds_earlier_bake(self) -> bool:
        """Whether it says what becomes of one."""
        return self.resume or self.overwrite or self.from_frame is not None

    def refuse_contradictions(self) -> None:
        wishes = {"Resume": self.resume, "Bake Anew": self.overwrite, "Rebake": self.from_frame is not None}
        asked = [name for name, is_asked in wishes.items() if is_asked]
        if len(asked) > 1:
            raise StictionError(f"{' and '.join(asked)} contradict each other: choose one of them.")

    def refuse_frames_outside(self, first: int, last: int) -> None:
        """Of the frames that the scene asks for."""
        for words, frame in (("to", self.to_frame), ("from", self.from_frame)):
            if frame is not None and not first < frame <= last:
                raise CacheError(f"The shot has frames {first} to {last}: it cannot be baked {words} frame {frame}. "
                                 f"Move the playhead after frame {first}, not beyond {last}.")  # fmt: skip


PLAIN_BAKE = BakeWish()
