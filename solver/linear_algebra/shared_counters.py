"""Counters that the threads of one parallel kernel share: who takes which task, and what is done already.

Threads take tasks in the order of a list in which each task comes after those that it waits for. So whoever waits,
waits for a task in work, and any number of threads gets through, one included.
Which thread does a task is left to chance, but not what the task computes.
"""

import sys
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from ..jit_cache import compiled

PATIENCE = 1000  # looks at a counter before the processor is offered to others, some microseconds

# From the operating system: let another thread run; on a busy computer it is the one that is waited for.
_give_way = types.ExternalFunction("SwitchToThread" if sys.platform == "win32" else "sched_yield", types.intc())


@compiled
def wait_until(counters, index, value):
    """Return when the counter has reached the value, and all that was written before it is visible."""
    looks = 0
    while read_counter(counters, index) < value:
        looks += 1
        if looks > PATIENCE:
            _give_way()


@intrinsic
def take_from_counter(typingctx, counters, index) -> Any:
    """Add one and return the value before, as one step that no other thread can divide."""

    def generate(context, builder, signature, arguments):
        place = _place(context, builder, signature, arguments)
        return builder.atomic_rmw("add", place, ir.Constant(ir.IntType(64), 1), "seq_cst")

    return types.int64(counters, types.int64), generate


@intrinsic
def read_counter(typingctx, counters, index) -> Any:
    def generate(context, builder, signature, arguments):
        return builder.load_atomic(_place(context, builder, signature, arguments), "acquire", 8)

    return types.int64(counters, types.int64), generate


def _place(context, builder, signature, arguments):
    counters = context.make_array(signature.args[0])(context, builder, arguments[0])
    return builder.gep(counters.data, [arguments[1]])
