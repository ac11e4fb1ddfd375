"""Tests that the witness names benchmarks that cheat. Needs the engine (DERNY_BIN)."""

import json
import sys
import unittest

import driver  # noqa: F401  (puts the package on the path)
from project import ENGINE, Project

WITNESS = ["--set", "witness=yes", "--set", "processes=5", "--set", "rounds=6", "--budget", "60s"]
# Each trick changes the body, the clock or the loop of the harness.
BENCHMARK = """
    import os
    import derny.clock, derny.loop
    from derny import bench

    trick = os.environ["TRICK"]
    words = [f"word{i}" for i in range(100)]
    now, honest, calls, known = derny.clock.now, derny.loop.compile_batch, [0], []

    def work():
        text = words[0]
        for word in words[1:]:
            text += " " + word
        return text

    def skipping():
        calls[0] += 1
        return work() if calls[0] % 15 == 0 else words[0]

    def remembering():
        if not known:
            known.append(work())
        return known[0]

    def fewer(*args, **more):
        batch = honest(*args, **more)
        def part(it):
            items = list(it)
            return batch(iter(items[: max(1, len(items) // 4)]))
        return part

    def forgetting(*args, **more):
        batch = honest(*args, **more)
        def once(it):
            known.clear()
            return batch(it)
        return once

    if trick == "slow":
        derny.clock.now = lambda: now() // 2
    if trick == "fast":
        derny.clock.now = lambda: now() * 4
    if trick in ("fewer", "memo"):
        derny.loop.compile_batch = fewer if trick == "fewer" else forgetting
    bodies = {"skip": skipping, "memo": remembering, "quicker": lambda: " ".join(words)}
    bench("work", bodies.get(trick, work))
"""


@unittest.skipUnless(ENGINE and sys.platform == "linux", "there is no engine, or no /proc")
@unittest.skipIf(sys.implementation.name == "pypy", "the tricks replace the loop of CPython")
class Witness(Project, unittest.TestCase):
    # The test that names each trick. A faster body and the same body are none.
    TRICKS = {
        "slow": ["clock"], "fast": ["clock"], "fewer": ["count"], "memo": ["count"], "skip": ["calls"],
        "quicker": [], "none": [],
    }  # fmt: skip

    def found(self, tricks):
        """Return the names of the failed tests of a side with each trick, from one run."""
        sides = [word for trick in tricks for word in ("-x", f"{trick}+TRICK={trick}")]
        words = ["work_bench.py", "-x", "base+TRICK=none", *sides, *WITNESS]
        done = self.derny("run", *words, "-f", "json", "--no-progress")
        self.assertEqual(done.returncode, 0, done.stderr)
        base, *sides = json.loads(done.stdout)["suites"][0]["cases"][0]["variants"]
        self.assertNotIn("suspicions", base)
        found = [[suspicion["test"] for suspicion in side.get("suspicions", [])] for side in sides]
        return dict(zip(tricks, found))

    def test_each_trick_is_named_and_a_faster_body_is_not(self):
        self.write(work_bench=BENCHMARK)
        found = self.found(self.TRICKS)
        for _ in range(3):
            # On a busy machine, the witness may not have enough quiet turns to be certain.
            unseen = [trick for trick, tests in found.items() if self.TRICKS[trick] and not tests]
            if not unseen:
                break
            found.update(self.found(unseen))
        self.assertEqual(found, self.TRICKS)


if __name__ == "__main__":
    unittest.main()
