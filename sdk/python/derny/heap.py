"""The heap of PyPy, brought to where it is in a process that has run for seconds.

PyPy hands new objects out of a nursery, which may be as large as half of the processor's cache:
hundreds of megabytes, each page of which costs a page fault when it is used for the first time.
CPython has none.
"""

import gc
import time

LONGEST_NS = 2_000_000_000


def can_settle():
    """Whether this interpreter has a nursery, and tells when it was collected."""
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
