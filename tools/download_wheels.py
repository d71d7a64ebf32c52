"""Download the wheels of wheels.lock for some platforms, and accept only what has the locked hash."""

import subprocess
import sys
import tempfile
from pathlib import Path

from .wheel_lock import WHEELS, LockedWheel, has_locked_content, locked_wheels


def download(wheel: LockedWheel, folder: Path) -> Path:
    tags = [argument for tag in wheel.platform_tags for argument in ("--platform", tag)]
    target = ["--python-version", wheel.python_tag.removeprefix("cp"), "--implementation", "cp", *tags]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    requirement = f"{wheel.package}=={wheel.version}"
    subprocess.run([*pip, "--only-binary=:all:", *target, "--dest", folder, requirement], check=True)
    return folder / wheel.filename


def ensure_wheel(wheel: LockedWheel) -> None:
    if has_locked_content(wheel, wheel.path):
        return
    print(f"downloading {wheel.filename}", flush=True)
    WHEELS.mkdir(exist_ok=True)
    # Beside its destination, so that the rename is atomic: wheels/ never holds an unverified file.
    with tempfile.TemporaryDirectory(dir=WHEELS) as folder:
        path = download(wheel, Path(folder))
        if not has_locked_content(wheel, path):
            sys.exit(f"{wheel.filename}: what was downloaded does not have the hash in wheels.lock")
        path.replace(wheel.path)


def ensure_wheels(platform: str) -> None:
    for wheel in locked_wheels(platform):
        ensure_wheel(wheel)
