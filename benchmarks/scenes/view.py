"""Pictures of frames: what is seen goes into a file, and a Blender beside this environment renders it."""

import json
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

from stiction.solver import Scene
from stiction.solver.frame import Frame
from stiction.solver.motion import positions_at
from stiction.solver.scene import Collider, Hair

ROOT = Path(__file__).resolve().parents[2]
BLENDER = ROOT / ".venv" / "blender-4.5" / "bin" / "python"  # `make setup` makes it
GREY = (0.5, 0.5, 0.5)

Vector3 = tuple[float, float, float]


class View(NamedTuple):
    """Where the camera stands [m], what it looks at, and what is seen."""

    camera: Vector3
    target: Vector3
    colours: dict[str, Vector3]  # of the objects, linear red, green and blue; others are grey
    floor: float | None = None  # height of a plane that is only drawn [m]
    hair_width: float = 4e-4  # drawn so wide: small grooms have few strands [m]
    hidden: tuple[str, ...] = ()  # objects that are not drawn


def draw(scene: Scene, frame: Frame, view: View, picture: str | Path) -> None:
    """Render a frame into a PNG file."""
    if not BLENDER.exists():
        raise FileNotFoundError(f"There is no Blender at {BLENDER}: run `make setup` first.")
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder) / "state.npz"
        save_view(scene, frame, view, state)
        script = Path(__file__).with_name("picture.py")
        subprocess.run([BLENDER, script, state, Path(picture).resolve()], check=True, stdout=subprocess.DEVNULL)


def save_view(scene: Scene, frame: Frame, view: View, path: Path) -> None:
    """Write all that is drawn into one file: arrays by object, and the rest as JSON."""
    arrays, objects = {}, []
    for item in scene.objects.values():
        if item.name in view.hidden:
            continue
        is_hair = isinstance(item, Hair)
        arrays[f"{item.name}.positions"] = _positions(scene, frame, item)
        arrays[f"{item.name}.parts"] = item.strand_offsets if is_hair else item.triangles
        objects.append({"name": item.name, "is_hair": is_hair, "colour": view.colours.get(item.name, GREY)})
    settings = {key: value for key, value in view._asdict().items() if key not in ("colours", "hidden")}
    np.savez(path, settings=json.dumps(settings | {"objects": objects}), **arrays)


def _positions(scene, frame, item):
    if isinstance(item, Collider):
        return positions_at(item.positions, scene.time_of(frame.number))
    return frame.positions[item.name]
