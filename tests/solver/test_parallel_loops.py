"""Parallel loops do what they say: numba drops, without a word, what they write to an array that lies in a tuple."""

import ast
from pathlib import Path

import pytest

import stiction.solver

SOURCES = sorted(Path(stiction.solver.__file__).parent.rglob("*.py"))
LOST = """
def add(values, sums_out):
    for place in prange(len(values)):
        sums_out.rows[place] += values[place]
"""
KEPT = """
def add(values, sums_out):
    rows = sums_out.rows
    for place in prange(len(values)):
        rows[place] += values[place]
"""


def lost_writes(source):
    """Lines of parallel loops that write to `tuple.array[…]`."""
    loops = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.For) and _is_parallel(node))
    stores = (node for loop in loops for node in ast.walk(loop) if isinstance(getattr(node, "ctx", None), ast.Store))
    return [node.lineno for node in stores if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute)]


def _is_parallel(loop):
    return isinstance(loop.iter, ast.Call) and isinstance(loop.iter.func, ast.Name) and loop.iter.func.id == "prange"


def test_lost_writes_are_seen():
    assert lost_writes(LOST) == [4]
    assert lost_writes(KEPT) == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_no_parallel_loop_writes_to_an_array_in_a_tuple(path):
    assert lost_writes(path.read_text(encoding="utf-8")) == []
