"""A full Blender with a window, on a virtual screen, for tests of the real panel.

`python -m tools.gui_blender prepare FOLDER` makes a small Debian in FOLDER with Blender, a virtual screen, and scipy
and numba of its own: about 450 MB are downloaded from the mirror that debootstrap knows, and take 2 GB on disk. It
needs root and debootstrap, and nothing of it goes into the product. The Blender is that of the unstable suite: not
pinned.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

SUITE = "sid"
PACKAGES = (
    *("blender", "python3-numpy", "python3-requests", "python3-cattr", "python3-jsonschema", "python3-zstandard"),
    *("python3-scipy", "python3-numba", "xvfb", "xauth", "libgl1-mesa-dri", "libegl-mesa0", "libglx-mesa0"),
    *("imagemagick", "xdotool", "fonts-dejavu-core"),
)
READY = "gui-blender-is-ready"
ROOT = Path(__file__).resolve().parent.parent
SHARED = "/shared"  # a folder of the caller, as seen from inside
# Its own namespace of mounts: they are gone when the command ends, however it ends.
MOUNTING = """set -e
mount --bind /proc "$0/proc"; mount --bind /dev "$0/dev"
mkdir -p "$0/shared"; mount --bind "$1" "$0/shared"
cd /; folder="$0"; shift; exec chroot "$folder" "$@"
"""


def why_not(folder: Path) -> str:
    """Why there is no such Blender here; empty if there is one."""
    if os.geteuid() != 0:
        return "a Blender with a window is run in a folder of its own by root alone"
    if not (folder / READY).exists():
        return f"there is no Blender with a window in {folder}; `make gui-test` sets it up"
    return ""


def prepare(folder: Path) -> None:
    """Make the folder, unless it is whole already."""
    if (folder / READY).exists():
        return
    if os.geteuid() != 0 or shutil.which("debootstrap") is None:
        sys.exit("The GUI test needs root and debootstrap (apt-get install debootstrap), on Linux.")
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["debootstrap", "--variant=minbase", SUITE, folder], check=True)
    install = "apt-get -o Acquire::Check-Valid-Until=false update && apt-get install -y --no-install-recommends"
    script = f"export DEBIAN_FRONTEND=noninteractive; {install} {' '.join(PACKAGES)} && apt-get clean"
    subprocess.run(inside(folder, ROOT / "docs", ["sh", "-c", script]), check=True)
    (folder / READY).touch()


def inside(folder: Path, shared: Path, command: list[str]) -> list[str]:
    """The command that runs another inside the folder, with `shared` as /shared."""
    mounts = ["unshare", "--mount", "--propagation", "private", "sh", "-c", MOUNTING]
    return [*mounts, str(folder.absolute()), str(shared.absolute()), *command]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["prepare"])
    parser.add_argument("folder", type=Path)
    prepare(parser.parse_args().folder)


if __name__ == "__main__":
    main()
