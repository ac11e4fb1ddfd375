"""Prepares PyPy's heap so that it behaves as in a process that has run for some seconds.

PyPy allocates new objects in a nursery, whose size is half of the processor's cache. That may be
hundreds of megabytes, and the first use of each page costs a page fault. CPython has no nursery.
"""

import gc
import time

LONGEST_NS = 2_000_000_000


def can_settle():
    """Return whether this interpreter has a nursery and reports its collections."""
    return hasattr(gc, "hooks")


def settle():
    """Allocate until the nursery has been collected once, but for at most two seconds."""
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
