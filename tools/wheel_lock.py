"""wheels.lock: every wheel that the extension ships, in the format of `sha256sum`."""

import hashlib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "wheels.lock"
WHEELS = ROOT / "wheels"

# Blender's name of a platform -> start and end of the wheels' platform tag.
PLATFORMS = {
    "linux-x64": ("manylinux", "x86_64"),
    "windows-x64": ("win", "amd64"),
    "macos-arm64": ("macosx", "arm64"),
}


class LockedWheel(NamedTuple):
    """One wheel; its file name says the rest: package-version-python-abi-platform.whl."""

    filename: str
    sha256: str

    @property
    def parts(self) -> list[str]:
        return self.filename.removesuffix(".whl").split("-")

    @property
    def package(self) -> str:
        return self.parts[0]

    @property
    def version(self) -> str:
        return self.parts[1]

    @property
    def python_tag(self) -> str:
        return self.parts[2]

    @property
    def platform_tags(self) -> list[str]:
        return self.parts[4].split(".")

    @property
    def platform(self) -> str:
        tag = self.parts[4]
        for name, (start, end) in PLATFORMS.items():
            if tag.startswith(start) and tag.endswith(end):
                return name
        raise ValueError(f"wheels.lock: {self.filename} is for none of {', '.join(PLATFORMS)}")

    @property
    def path(self) -> Path:
        return WHEELS / self.filename


def read_lock() -> list[LockedWheel]:
    rows = (line.split() for line in LOCK.read_text().splitlines())
    return [LockedWheel(filename, sha256) for sha256, filename in rows]


def locked_wheels(platform: str) -> list[LockedWheel]:
    return [wheel for wheel in read_lock() if wheel.platform == platform]


def has_locked_content(wheel: LockedWheel, path: Path) -> bool:
    """Whether the file at `path` is there and is, bit for bit, the wheel that was locked."""
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == wheel.sha256
