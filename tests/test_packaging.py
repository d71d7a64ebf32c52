"""What the manifest, the lock, the pinned requirements and the built zip promise each other."""

import itertools
import os
import re
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest

from stiction.solver.version import VERSION
from tools.build_extension import DIST, narrowed_manifest
from tools.wheel_lock import PLATFORMS, ROOT, has_locked_content, locked_wheels, read_lock

PACKAGES = ("llvmlite", "numba", "scipy")
PYTHON_TAGS = ("cp311", "cp313")
MANIFEST_TEXT = (ROOT / "blender_manifest.toml").read_text()
MANIFEST = tomllib.loads(MANIFEST_TEXT)
SHIPPED_ROOTS = {"__init__.py", "blender_manifest.toml", "LICENSE", "README.md", "addon", "solver", "wheels"}


def pins(path):
    """{package: version} of a requirements file; `==` is the only operator that may appear."""
    lines = (line for line in path.read_text().splitlines() if line and not line.startswith("#"))
    return {name.lower(): version for name, version in (line.split("==") for line in lines)}


def built_zip():
    path = Path(os.environ.get("STICTION_ZIP") or DIST / f"stiction-{VERSION}-linux_x64.zip")
    if not path.exists():
        pytest.skip("no built zip; `make test` builds one")
    return zipfile.ZipFile(path)


def test_versions_are_one():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert MANIFEST["version"] == project["version"] == VERSION


def test_licence_is_the_one_blender_requires():
    assert MANIFEST["license"] == ["SPDX:GPL-3.0-or-later"]
    assert "GNU GENERAL PUBLIC LICENSE" in (ROOT / "LICENSE").read_text()[:200]


def test_manifest_lists_exactly_the_locked_wheels():
    assert MANIFEST["wheels"] == [f"./wheels/{wheel.filename}" for wheel in read_lock()]


def test_every_platform_python_and_package_has_one_wheel():
    assert sorted(PLATFORMS) == sorted(MANIFEST["platforms"])
    wanted = itertools.product(PACKAGES, PYTHON_TAGS, PLATFORMS)
    assert sorted((w.package, w.python_tag, w.platform) for w in read_lock()) == sorted(wanted)


def test_locked_hashes_are_sha256():
    for wheel in read_lock():
        assert re.fullmatch(r"[0-9a-f]{64}", wheel.sha256), wheel.filename


def test_a_wheel_with_other_content_is_refused(tmp_path):
    wheel = read_lock()[0]
    (tmp_path / wheel.filename).write_bytes(b"not the locked wheel")
    assert not has_locked_content(wheel, tmp_path / wheel.filename)


def test_tests_run_on_the_versions_that_ship():
    development = pins(ROOT / "requirements/development.txt")
    for wheel in read_lock():
        assert development[wheel.package] == wheel.version


@pytest.mark.parametrize("blender", ["4.5", "5.0", "5.2"])
def test_clean_blenders_hold_nothing_that_the_extension_brings(blender):
    environment = pins(ROOT / f"requirements/blender-{blender}.txt")
    assert environment["bpy"].startswith(blender)
    assert environment.keys().isdisjoint(PACKAGES)


def test_common_pins_agree():
    development = pins(ROOT / "requirements/development.txt")
    for path in (ROOT / "requirements").glob("blender-*.txt"):
        for package, version in pins(path).items():
            is_blenders = package in ("bpy", "numpy")  # each Blender brings its own
            assert is_blenders or development.get(package, version) == version, (path.name, package)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_narrowed_manifest_differs_only_in_platform_and_wheels(platform):
    narrowed = tomllib.loads(narrowed_manifest(MANIFEST_TEXT, platform))
    wheels = [f"./wheels/{wheel.filename}" for wheel in locked_wheels(platform)]
    assert narrowed == MANIFEST | {"platforms": [platform], "wheels": wheels}


def test_no_wheel_is_tracked_by_git():
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    tracked = subprocess.run(["git", "ls-files", "*.whl"], cwd=ROOT, check=True, capture_output=True).stdout
    assert not tracked


def test_zip_holds_the_product_and_nothing_else():
    with built_zip() as package:
        names = package.namelist()
    assert {name.split("/")[0] for name in names} == SHIPPED_ROOTS
    assert not [name for name in names if "__pycache__" in name or "/." in name]
    assert len(names) == len(set(names))


def preset_files():
    return sorted((ROOT / "addon" / "presets").iterdir())


def test_presets_are_package_data():
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    found = {path for pattern in patterns["stiction.addon"] for path in (ROOT / "addon").glob(pattern)}
    assert ROOT / "addon" / "presets" / "materials.toml" in found
    assert sorted(found) == preset_files()


def test_zip_holds_the_presets():
    with built_zip() as package:
        shipped = package.namelist()
    assert {path.relative_to(ROOT).as_posix() for path in preset_files()} <= set(shipped)


def test_zip_holds_one_platforms_wheels_with_their_locked_names():
    with built_zip() as package:
        shipped = {Path(name).name for name in package.namelist() if name.endswith(".whl")}
        manifest = tomllib.loads(package.read("blender_manifest.toml").decode())
    (platform,) = manifest["platforms"]
    assert shipped == {wheel.filename for wheel in locked_wheels(platform)}
