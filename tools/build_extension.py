"""Build and validate the extension's zips with Blender's own extension tool, one zip a platform."""

import argparse
import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from .download_wheels import ensure_wheels
from .wheel_lock import PLATFORMS, ROOT, WHEELS, locked_wheels

MANIFEST = "blender_manifest.toml"
VERSION = tomllib.loads((ROOT / MANIFEST).read_text())["version"]
DIST = ROOT / "dist"


def blender_scripts() -> Path:
    """Blender's scripts folder inside the bpy wheel, found without starting Blender."""
    spec = importlib.util.find_spec("bpy")
    if spec is None or spec.origin is None:
        sys.exit("bpy is not installed in this environment; `make extension` sets one up")
    return next(Path(spec.origin).parent.glob("*/scripts"))


def run_extension_tool(*arguments: str | Path) -> None:
    scripts = blender_scripts()
    tool = scripts / "addons_core/bl_pkg/cli/blender_ext.py"
    tags = scripts / "modules/_bpy_internal/extensions/tags.py"
    subprocess.run([sys.executable, tool, *arguments, "--valid-tags", tags], check=True)


def copy_sources(stage: Path) -> None:
    """Copy what git would ship, and so no stray files; without git, all but build products."""
    if not (ROOT / ".git").exists():
        ignored = shutil.ignore_patterns(".*", "wheels", "dist", "build", "out", "__pycache__", "*.egg-info")
        shutil.copytree(ROOT, stage, ignore=ignored, dirs_exist_ok=True)
        return
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    # git still lists a file that was deleted but not yet committed as such.
    for name in (name for name in names if (ROOT / name).is_file()):
        (stage / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, stage / name)


def narrowed_manifest(text: str, platform: str) -> str:
    """The manifest of one platform: Blender's tool wants every listed wheel on disk, so list no others."""
    kept = {wheel.filename for wheel in locked_wheels(platform)}
    lines = [line for line in text.splitlines() if ".whl" not in line or Path(line.strip(' ",')).name in kept]
    return re.sub(r"(?m)^platforms = .*$", f'platforms = ["{platform}"]', "\n".join(lines)) + "\n"


def stage_platform(platform: str, stage: Path) -> None:
    copy_sources(stage)
    manifest = stage / MANIFEST
    manifest.write_text(narrowed_manifest(manifest.read_text(), platform))
    (stage / WHEELS.name).mkdir()
    for wheel in locked_wheels(platform):
        shutil.copy2(wheel.path, stage / WHEELS.name)


def build(platform: str) -> Path:
    ensure_wheels(platform)
    DIST.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="stiction-") as folder:
        stage_platform(platform, Path(folder))
        # With one platform left, splitting only puts its name in the file's.
        run_extension_tool("build", "--source-dir", folder, "--output-dir", DIST, "--split-platforms")
    package = DIST / f"stiction-{VERSION}-{platform.replace('-', '_')}.zip"
    run_extension_tool("validate", package)
    return package


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--platform", choices=[*PLATFORMS, "all"], required=True)
    wanted = parser.parse_args().platform
    for platform in PLATFORMS if wanted == "all" else [wanted]:
        package = build(platform)
        print(f"{package.relative_to(ROOT)}  {package.stat().st_size / 1e6:.1f} MB", flush=True)


if __name__ == "__main__":
    main()
