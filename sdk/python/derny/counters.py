"""Counters that are read once before and once after each turn.

Reading the counters of the mode `time` does not affect times.
"""

import gc
import sys
import time

TIME, PAUSES, HEAP = "time", "pauses", "heap"
IS_CPYTHON = sys.implementation.name == "cpython"


def _is_fine(read):
    """Return whether a CPU-time counter has a resolution that is fine enough for a turn."""
    try:
        before, end = read(), time.perf_counter_ns() + 200_000
        while time.perf_counter_ns() < end:
            pass
        return 0 < read() - before < 2_000_000
    except (AttributeError, OSError, ValueError):
        return False


def _collections():
    return sum(generation["collections"] for generation in gc.get_stats())


class Pauses:
    """Pauses of the garbage collector, from `gc.callbacks`.

    The callbacks run inside the timed region, so they are enabled only in a separate mode.
    """

    def start(self):
        self.ns, self.begun = 0, 0
        gc.callbacks.append(self._heard)

    def stop(self):
        if self._heard in gc.callbacks:
            gc.callbacks.remove(self._heard)

    def _heard(self, phase, _info):
        if phase == "start":
            self.begun = time.perf_counter_ns()
        else:
            self.ns += time.perf_counter_ns() - self.begun


class Heap:
    """The peak of traced memory in a turn, and the bytes that remain after it.

    Tracing slows everything down.
    """

    def start(self):
        import tracemalloc

        self.trace = tracemalloc
        self.was_tracing = tracemalloc.is_tracing()
        if not self.was_tracing:
            tracemalloc.start()
        self.blocks = sys.getallocatedblocks()
        tracemalloc.reset_peak()
        self.bytes, _ = tracemalloc.get_traced_memory()

    def stop(self):
        now, peak = self.trace.get_traced_memory()
        blocks = sys.getallocatedblocks() - self.blocks
        # The body may have stopped the tracing.
        is_read = self.trace.is_tracing()
        self.values = [now - self.bytes, blocks, peak - self.bytes] if is_read else None
        if not self.was_tracing:
            self.trace.stop()


class Counters:
    """The counters of the measuring thread and of its process.

    Nothing but the turn runs between `start` and `stop`.
    """

    def __init__(self):
        self.read_cpu = time.thread_time_ns if hasattr(time, "thread_time_ns") else None
        self.read_cpu = self.read_cpu if self.read_cpu and _is_fine(self.read_cpu) else None
        self.read_process = time.process_time_ns if _is_fine(time.process_time_ns) else None
        # PyPy's collector can be observed only by calls inside the timed region.
        self.counts = IS_CPYTHON
        self.modes = [TIME, PAUSES, HEAP] if IS_CPYTHON else [TIME]
        self.names = [
            *(["cpu:ns:total:less"] if self.read_cpu else []),
            *(["cpu_process:ns:total:less"] if self.read_process else []),
            *(["gc:count:total:less", "gc_time:ns:total:less"] if IS_CPYTHON else []),
            *(
                ["kept:B:total:less", "blocks:count:total:less", "peak:B:peak:less"]
                if IS_CPYTHON
                else []
            ),
        ]
        self.pauses, self.heap = Pauses(), Heap()

    def start(self, mode, collector):
        self.mode, self.had_collector = mode, gc.isenabled()
        if not collector:
            gc.disable()
        if mode == HEAP:
            self.heap.start()
        elif mode == PAUSES:
            self.pauses.start()
        self.gc = _collections() if self.counts else 0
        # The readings of the process enclose those of the thread, so that the process has at least
        # the thread's CPU time.
        self.process = self.read_process() if self.read_process else 0
        self.cpu = self.read_cpu() if self.read_cpu else 0

    def stop(self):
        if self.read_cpu:
            self.cpu = self.read_cpu() - self.cpu
        if self.read_process:
            self.process = self.read_process() - self.process
        if self.counts:
            self.gc = _collections() - self.gc
        if self.mode == HEAP:
            self.heap.stop()
        elif self.mode == PAUSES:
            self.pauses.stop()
        if self.had_collector:
            gc.enable()

    def values(self):
        """Return the values of the last turn in the order of `names`; None for counters of other
        modes.
        """
        is_time = self.mode == TIME
        heap = (self.heap.values if self.mode == HEAP else None) or [None] * 3
        return [
            *([self.cpu if is_time else None] if self.read_cpu else []),
            *([self.process if is_time else None] if self.read_process else []),
            *([self.gc if is_time else None] if IS_CPYTHON else []),
            *([self.pauses.ns if self.mode == PAUSES else None] if IS_CPYTHON else []),
            *(heap if IS_CPYTHON else []),
        ]
