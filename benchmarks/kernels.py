"""How long the first start takes (kernels are compiled) and how long the next ones (they are loaded)."""

import os
import subprocess
import sys
import tempfile
import time

from .report import Row

MODULES = {
    "hair": "integrator.strand_system rods.build",
    "hair and cloth": "integrator.strand_system rods.build integrator.body_system bodies.cloth air.surface_drag",
}
CODE = """
import importlib, sys
from stiction.solver import jit_cache, simulation
TITLE = "Starting up"
for name in sys.argv[1].split():
    importlib.import_module(f"stiction.solver.{name}")
list(jit_cache.compile_kernels())
"""


def measure() -> list[Row]:
    return [_first_and_second(kind, modules) for kind, modules in MODULES.items()]


def _first_and_second(kind, modules):
    with tempfile.TemporaryDirectory() as folder:
        first, second = _start_seconds(folder, modules), _start_seconds(folder, modules)
    what = f"solver ready for {kind}, second start against the first"
    return Row(what, f"{second:.2f} s", f"{first:.2f} s", second / first)


def _start_seconds(cache_home, modules):
    start = time.perf_counter()
    environment = {**os.environ, "XDG_CACHE_HOME": cache_home}
    subprocess.run([sys.executable, "-c", CODE, modules], env=environment, check=True)
    return time.perf_counter() - start
