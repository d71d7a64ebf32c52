"""The checkout is the package `stiction`, whatever its folder is called: pyproject.toml cannot say so."""

from setuptools import find_packages, setup

parts = find_packages(include=["addon*", "solver*"])
setup(packages=["stiction", *(f"stiction.{part}" for part in parts)], package_dir={"stiction": "."})
