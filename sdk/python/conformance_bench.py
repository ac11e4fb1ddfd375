"""Benchmarks that `derny dev conform -- python3 conformance_bench.py` runs.

Their correct results are in protocol/IMPLEMENTING.md.
"""

import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from derny import bench, group

now = time.perf_counter_ns
calls = 0


def wait(us):
    end = now() + us * 1000
    while now() < end:
        pass


def counted():
    global calls
    count, calls = calls, 0
    return count


def fails(place):
    def fail(at):
        if at == place:
            raise OverflowError(f"thrown in {place}")

    return fail


with group("conform"):

    @bench
    def empty():
        pass

    bench("busy", lambda us: wait(us), params={"us": [20, 200]})

    @bench(metrics={"calls": {"kind": "total", "exact": True, "read": counted}})
    def count():
        global calls
        calls += 1

    bench("setup", lambda: wait(20), before_batch=lambda: wait(2000))

    bench(
        "params",
        lambda: None,
        params={"size": [1, 2], "kind": ["a", "b"]},
        filter=lambda size, kind: (size, kind) != (2, "b"),
    )

    bench("text", lambda text: text, params={"text": "plain"})

    bench(
        "throw",
        fails("call"),
        params={"at": ["setup", "call", "teardown"]},
        setup=fails("setup"),
        teardown=fails("teardown"),
    )

    @bench("print")
    def prints():
        print("times 1 2 3")
        print("error message=printed fatal=1", file=sys.stderr)

    @bench("async")
    async def asynchronous():
        pass

    bench("skip", lambda: None, skip="not here")
