"""The real panel in a real window: what `drive_panel.py` saw there, and what a killed window leaves on disk.

Runs where `make gui-test` has set up a Blender with a window. STICTION_PICTURES names a folder for its pictures.
"""

import json
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from stiction.solver.frame_store import FrameStore
from tools.gui_blender import inside, why_not

ROOT = Path(__file__).resolve().parents[2]
CHROOT = ROOT / ".venv/gui-blender"
KERNELS = ROOT / ".venv/gui-kernels"
ZIP = os.environ.get("STICTION_ZIP")
LAST_FRAME = 48
SCREEN = "1600x1000x24"
DRIVE = f"""
export HOME=/shared/home XDG_RUNTIME_DIR=/shared/home LIBGL_ALWAYS_SOFTWARE=1 DISPLAY=:93
export BLENDER_USER_RESOURCES=/shared/blender STICTION_KERNELS=/shared/kernels
mkdir -p $HOME; chmod 700 $HOME
blender --command extension install-file -r user_default --enable /shared/stiction.zip || exit 21
blender -b --factory-startup --python-exit-code 22 --python /shared/make_shot.py || exit 22
Xvfb :93 -screen 0 {SCREEN} +extension GLX -nolisten tcp 2>/dev/null &
screen=$!
sleep 2
blender -p 0 0 1600 1000 /shared/shot.blend --enable-event-simulate \\
  --python-exit-code 22 --python /shared/drive_panel.py &
blender=$!
waited=0
while kill -0 $blender 2>/dev/null && [ $waited -lt 3600 ] && [ ! -f /shared/hangs ]; do
  sleep 1; waited=$((waited + 1))
  [ -f /shared/quits ] && [ -n "$(find /shared/quits -mmin +0.6)" ] && touch /shared/hangs
done
kill -9 $blender 2>/dev/null
wait $blender
code=$?
kill $screen
exit $code
"""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(why_not(CHROOT)), reason=why_not(CHROOT) or "there")]


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """The folder that both sides see, after the drive."""
    if not ZIP:
        pytest.skip("STICTION_ZIP names no zip to install")
    folder = tmp_path_factory.mktemp("gui")
    without_wheels(Path(ZIP), folder / "stiction.zip")
    for script in ("make_shot.py", "drive_panel.py", "window.py", "extension.py", "gaps.py"):
        shutil.copy(Path(__file__).with_name(script), folder)
    if KERNELS.exists():
        shutil.copytree(KERNELS, folder / "kernels")
    done = subprocess.run(inside(CHROOT, folder, ["sh", "-c", DRIVE]), capture_output=True, text=True)
    print(done.stdout[-4000:], done.stderr[-4000:])
    if (folder / "kernels").exists():
        shutil.copytree(folder / "kernels", KERNELS, dirs_exist_ok=True)
    for picture in folder.glob("*.png"):
        if os.environ.get("STICTION_PICTURES"):
            shutil.copy(picture, os.environ["STICTION_PICTURES"])
    assert (folder / "findings.json").exists(), "Blender ended without a word"
    (folder / "code").write_text(str(done.returncode))
    return folder


@pytest.fixture(scope="module")
def findings(shared):
    found = json.loads((shared / "findings.json").read_text())
    assert "error" not in found, found["error"]
    return found


def without_wheels(source, target):
    """The zip for a Blender whose Python is another than the wheels are for, and has their packages itself."""
    with zipfile.ZipFile(source) as whole, zipfile.ZipFile(target, "w") as bare:
        for item in whole.infolist():
            if item.filename.endswith(".whl"):
                continue
            content = whole.read(item)
            if item.filename.endswith("blender_manifest.toml"):
                lines = content.decode().splitlines()
                content = "\n".join(line for line in lines if ".whl" not in line).encode()
            bare.writestr(item.filename, content)


def test_buttons_mark_objects(findings):
    assert findings["kinds"] == {"Ball": "COLLIDER", "Scarf": "CLOTH"}


def test_escape_stops_and_keeps_what_is_done(findings):
    assert findings["was_baking"]
    assert 4 <= findings["frames_after_esc"] < LAST_FRAME


def test_resume_and_bake_anew_come_to_the_same_bits_whatever_the_artist_does(findings):
    assert findings["frames_after_resume"] == LAST_FRAME
    assert findings["was_baking_meanwhile"] and findings["gravity_after_undo"] == pytest.approx(-9.81)
    assert findings["same_bits"]


def test_the_stop_button_stops(findings):
    assert "stop_button" in findings["seconds"]


def test_quitting_during_a_bake_leaves_a_whole_cache(findings, shared):
    assert findings["was_baking_at_quit"]
    is_alone = len(os.sched_getaffinity(0)) == 1  # on a single core, Blender's own clean-up waits for ever
    assert (shared / "code").read_text() == "0" or (is_alone and (shared / "hangs").exists())
    store = FrameStore.open(shared / "stiction_cache/shot")
    assert 3 <= store.frames_done < LAST_FRAME and store.verify() == []
    assert store.checkpoint().step > 0


def test_the_first_check_finds_nothing_wrong(findings):
    assert findings["problems"] == []


def test_the_window_answers_during_a_check_and_a_bake(findings):
    """Figures for people: how long the window was silent, also with the same drawing and no bake."""
    print()
    for what, seconds in findings["gaps"].items():
        gaps = sorted(seconds)
        median, most = gaps[len(gaps) // 2], gaps[int(0.99 * len(gaps))]
        print(f"{what}: {len(gaps)} gaps, median {median:.3f} s, 99 % below {most:.3f} s, longest {gaps[-1]:.3f} s")
    print(findings["seconds"])
    assert len(findings["gaps"]["bake"]) > 20  # it ticked all the while


def test_our_own_code_in_the_window_is_short(findings):
    """Figures for people: the processor's time of our callbacks."""
    print()
    for name, seconds in findings["callbacks"].items():
        ordered = sorted(1e3 * spent for spent in seconds)
        median, most = ordered[len(ordered) // 2], ordered[int(0.99 * len(ordered))]
        print(f"{name}: {len(ordered)}, median {median:.2f} ms, 99 % below {most:.1f} ms, most {ordered[-1]:.1f} ms")
    assert set(findings["callbacks"]) == {"bake", "check", "draw"} and all(findings["callbacks"].values())
