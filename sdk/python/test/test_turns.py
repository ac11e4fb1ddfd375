"""Tests turns: which functions are called, how often, and which counters are read."""

import sys
import unittest

from driver import Harness

CPYTHON = sys.implementation.name == "cpython"

BODIES = """
    import asyncio, gc, time
    from derny import bench, black_hole

    seen = []

    @bench(inputs=["a", "b", "c"])
    def inputs(x):
        seen.append(x)
        return x

    made = []

    @bench(setup=lambda: 100, fresh=lambda start: made.append(1) or [start], metrics={"made": {"kind": "total", "read": lambda: len(made)}})
    def fresh(x):
        x.append(len(x))
        assert len(x) == 2
        return x

    hooks = []

    @bench(params={"n": 3}, setup=lambda n: hooks, before_batch=lambda h, iterations: h.append(iterations),
           after_batch=lambda h, n: h.append(-n), teardown=lambda h: h.clear())
    def hooked(h, n):
        return list(h)

    @bench(metrics={"loops": {"kind": "level", "read": lambda: len(loops)}})
    async def asynchronous():
        loops.add(asyncio.get_running_loop())
        await asyncio.sleep(0)
        return 7

    loops = set()

    @bench("coroutine")
    def coroutine():
        return asyncio.sleep(0)

    @bench
    def garbage():
        a = []
        a.append(a)

    @bench(collector="off")
    def uncollected():
        a = []
        a.append(a)
        assert not gc.isenabled()

    kept = []

    @bench
    def keeps():
        kept.append(bytearray(1000))

    @bench
    def holds():
        x = bytearray(1_000_000)

    @bench
    def result():
        black_hole(1)
        return {"b": [1, 2.5, None], "a": {"x", "y"}, "c": b"z"}
"""


class Turns(unittest.TestCase):
    def setUp(self):
        self.harness = Harness(BODIES).__enter__()
        self.addCleanup(self.harness.__exit__, None, None, None)
        words = self.harness.hello.split(" ")
        fields = dict(word.split("=", 1) for word in words[2:])
        self.metrics = [item.split(":")[0] for item in fields["metrics"].split(",")]
        self.modes = fields["modes"].split(",")

    def open(self, name):
        self.assertEqual(self.harness.one(f"open benchmark={name}"), "opened")

    def counter(self, name, iterations=1, batches=1, more=""):
        _, end = self.harness.measured(iterations, batches, more)
        return end[self.metrics.index(name)]

    def test_inputs_are_taken_in_turn_over_batches(self):
        self.open("inputs")
        hashes = [self.harness.measured(n, 1, " hash=1")[1][-1] for n in (1, 1, 1, 1, 2, 3)]
        # The turns use the inputs a, b, c and a, then b and c, then a, b and c.
        self.assertEqual(hashes[0], hashes[3])
        self.assertEqual(hashes[2], hashes[4])
        self.assertEqual(hashes[2], hashes[5])
        self.assertEqual(len(set(hashes[:3])), 3)
        self.assertEqual(self.harness.one("check"), f"checked {hashes[0]}")

    def test_a_fresh_input_for_every_iteration(self):
        self.open("fresh")
        _, end = self.harness.measured(5, 4)
        self.assertEqual(end[-1], "20")
        times, *_ = self.harness.ask("overhead iterations=10 batches=2")
        self.assertEqual(len(times.split(" ")), 3)
        _, end = self.harness.measured(1, 1)
        self.assertEqual(end[-1], "21")

    def test_hooks_are_called_around_batches(self):
        self.assertEqual(self.harness.one("open benchmark=hooked p.n=3"), "opened")
        self.harness.measured(4, 2)
        _, end = self.harness.measured(9, 1, " hash=1")
        self.assertEqual(self.harness.one("close"), "closed")
        from derny.hashing import hash_of

        self.assertEqual(end[-1], f"hash={hash_of([4, -3, 4, -3, 9])}")

    def test_one_event_loop_is_kept(self):
        self.open("asynchronous")
        for _ in range(3):
            _, end = self.harness.measured(10, 2)
        self.assertEqual(end[-1], "1")
        self.assertTrue(self.harness.one("check").startswith("checked hash="))
        self.assertEqual(self.harness.one("close"), "closed")

    def test_a_coroutine_that_nobody_awaits_is_an_error(self):
        self.open("coroutine")
        self.assertIn("async%20def", self.harness.one("check"))
        self.assertEqual(self.harness.one("close"), "closed")

    @unittest.skipUnless(CPYTHON, "PyPy tells nothing of its collections")
    def test_collections_are_counted_and_can_be_off(self):
        self.open("garbage")
        self.assertGreater(int(self.counter("gc", 20_000)), 0)
        self.assertEqual(self.counter("gc_time"), "-")
        self.assertGreater(int(self.counter("gc_time", 20_000, 1, " mode=pauses")), 0)
        self.assertEqual(self.harness.one("close"), "closed")
        self.open("uncollected")
        self.assertEqual(int(self.counter("gc", 20_000)), 0)

    @unittest.skipUnless(CPYTHON, "PyPy traces no memory")
    def test_memory_is_traced_in_a_mode_of_its_own(self):
        self.open("keeps")
        self.counter("kept", 10, 10, " mode=heap")
        kept = int(self.counter("kept", 10, 10, " mode=heap"))
        self.assertTrue(100_000 <= kept < 130_000, kept)
        self.assertGreaterEqual(int(self.counter("blocks", 100, 1, " mode=heap")), 100)
        self.assertEqual(self.counter("kept"), "-")
        self.assertEqual(self.counter("cpu", 1, 1, " mode=heap"), "-")
        self.assertEqual(self.harness.one("close"), "closed")
        self.open("holds")
        peak = int(self.counter("peak", 3, 2, " mode=heap"))
        self.assertTrue(1_000_000 <= peak < 1_100_000, peak)
        self.assertLess(int(self.counter("kept", 3, 2, " mode=heap")), 10_000)

    def test_hashes_do_not_depend_on_the_seed(self):
        hashes = {self.harness.check("result")}
        for seed in ("1", "2"):
            with Harness(BODIES, env={"PYTHONHASHSEED": seed}) as other:
                hashes.add(other.check("result"))
        self.assertEqual(len(hashes), 1)


if __name__ == "__main__":
    unittest.main()
