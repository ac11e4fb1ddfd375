"""The heap of PyPy, brought to the state of a process that has run for seconds.

PyPy allocates new objects in a nursery, which may be as large as half of the processor's cache:
hundreds of megabytes, each page of which costs a page fault on first use. CPython has none.
"""

import gc
import time

LONGEST_NS = 2_000_000_000


def can_settle():
    """Return whether this interpreter has a nursery, and reports its collections."""
    return hasattr(gc, "hooks")


def settle():
    """Allocate until the nursery was collected once, for two seconds at most."""
    hooks, seen = gc.hooks, []
    own = hooks.on_gc_minor
    hooks.on_gc_minor = seen.append
    limit = time.perf_counter_ns() + LONGEST_NS
    try:
        while not seen and time.perf_counter_ns() < limit:
            for _ in range(1000):
                [None] * 100
    finally:
        hooks.on_gc_minor = own
