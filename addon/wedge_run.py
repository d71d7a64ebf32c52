"""Bakes the variants of a wedge in processes of their own, a few at a time; what is baked already stays."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import bpy

from .. import __package__ as base_package
from ..solver.errors import CacheError
from ..solver.manifest import Manifest
from ..solver.pages.wedge_page import Row, wedge_page
from .contact_sheet import write_contact_sheet
from .progress import Progress
from .wedge_plan import LOG_NAME, Variant

PAGE_NAME = "wedge.html"
SHEET_NAME = "wedge.png"
WHEEL_CODE = """
import importlib, os, sys
name = sys.argv.pop(1)
if name.startswith("bl_ext."):
    import bpy
    bpy.ops.preferences.addon_enable(module=name)
    code = importlib.import_module(name + ".addon.command_line").run(sys.argv[1:])
    sys.stdout.flush(); sys.stderr.flush()
    os._exit(code)
importlib.import_module(name + ".addon.command_line").command()
"""


def default_workers() -> int:
    """Two threads each: more bakes at once are quicker together than one with all threads."""
    return max(1, (os.cpu_count() or 2) // 2)


class WedgeRun:
    """Bakes variants of a file; `failures` has a sentence for each that did not become whole."""

    def __init__(self, file: Path, variants: Sequence[Variant], options: Sequence[str] = (), workers: int = 0):
        """As many processes at once as `workers`; 0 leaves it to the machine."""
        self.file = file
        self.variants = variants
        self.options = list(options)  # of `stiction bake`, for all variants
        self.workers = max(1, workers or default_workers())
        self.failures: dict[Variant, str] = {}

    def run(self) -> Iterator[Progress]:
        """Yields how many variants are done; closing it stops all processes, which keep their finished frames."""
        waiting, running = list(self.variants), dict[subprocess.Popen, Variant]()
        try:
            while waiting or running:
                while waiting and len(running) < self.workers:
                    running |= {self._start(waiting[0]): waiting.pop(0)}
                for process in [process for process in running if process.poll() is not None]:
                    self._note_end(running.pop(process), process.returncode)
                yield Progress("Variants", len(self.variants) - len(waiting) - len(running), len(self.variants))
        finally:
            _stop(list(running))

    def _start(self, variant) -> subprocess.Popen:
        variant.write()
        earlier = ["--resume"] if (variant.folder / Manifest.FILE_NAME).exists() else []
        if "--overwrite" in self.options:
            earlier = []
        settings = [word for text in variant.settings for word in ("--set", text)]
        words = ["bake", str(self.file), *settings, "--cache", str(variant.folder), "--no-save"]
        words += ["--still", str(variant.still), *earlier, *self.options]
        threads = str(max(1, (os.cpu_count() or 1) // self.workers))
        with open(variant.folder / LOG_NAME, "w") as log:
            environment = {"NUMBA_NUM_THREADS": threads, **os.environ}
            return subprocess.Popen(
                [*_stiction_command(), *words], stdout=log, stderr=subprocess.STDOUT, env=environment
            )

    def rows(self) -> list[Row]:
        """What became of each variant."""
        return [
            Row(variant.title, variant.measures(), self.failures.get(variant, ""), variant.still)
            for variant in self.variants
        ]

    def write_page(self, folder: Path) -> Path:
        """The page with contact sheet and table, and the sheet alone as a picture beside it."""
        path, rows = folder / PAGE_NAME, self.rows()
        try:
            path.write_text(wedge_page(f"Wedge of {self.file.stem}", rows), encoding="utf-8")
            write_contact_sheet(rows, folder / SHEET_NAME)
        except (OSError, RuntimeError) as error:  # Blender's own, of pictures
            sentence = (
                f'The variants are baked, but their page cannot be written to "{folder}": {error}. Make room there.'
            )
            raise CacheError(sentence) from error
        return path

    def _note_end(self, variant, code):
        if code:
            lines = (variant.folder / LOG_NAME).read_text(errors="replace").strip().splitlines()
            self.failures[variant] = lines[-1] if lines else f"it ended with code {code}"


def _stiction_command() -> list[str]:
    """How this Blender runs a command of ours in another process."""
    if bpy.app.binary_path:
        return [bpy.app.binary_path, "--command", "stiction"]
    return [sys.executable, "-c", WHEEL_CODE, base_package]


def _stop(processes):
    for process in processes:
        process.send_signal(signal.SIGINT if os.name != "nt" else signal.SIGTERM)
    deadline = time.monotonic() + 10.0
    for process in processes:
        try:
            process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
