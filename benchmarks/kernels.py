"""How long the first start takes (kernels are compiled) and how long the next ones (they are loaded)."""

import os
import subprocess
import sys
import tempfile
import time

from .report import Row

CODE = "from stiction.solver import jit_cache, simulation; list(jit_cache.compile_kernels())"


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        first, second = _start_seconds(folder), _start_seconds(folder)
    return [Row("solver ready, second start against the first", f"{second:.2f} s", f"{first:.2f} s", second / first)]


def _start_seconds(cache_home):
    start = time.perf_counter()
    environment = {**os.environ, "XDG_CACHE_HOME": cache_home}
    subprocess.run([sys.executable, "-c", CODE], env=environment, check=True)
    return time.perf_counter() - start
