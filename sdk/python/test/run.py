"""Runs all tests in this folder and prints a summary.

`--without-engine` skips the tests that start the engine, which take a minute. `--without-layers`
skips those that hardly depend on the interpreter: of the wheel, and of the layers for asv and
pyperf.
"""

import os
import sys
import unittest

here = os.path.dirname(os.path.abspath(__file__))
names = sorted(name[:-3] for name in os.listdir(here) if name.startswith("test_"))
if "--without-engine" in sys.argv[1:]:
    names = [name for name in names if not name.endswith("_engine")]
if "--without-layers" in sys.argv[1:]:
    names = [name for name in names if name not in ("test_asv", "test_pyperf", "test_wheel")]
sys.path.insert(0, here)


class Counted(unittest.TextTestResult):
    """Counts passed tests. `testsRun` cannot be used: it includes skipped tests in some
    versions, but not in CPython 3.12.1.
    """

    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


result = unittest.TextTestRunner(verbosity=0, buffer=True, resultclass=Counted).run(
    unittest.defaultTestLoader.loadTestsFromNames(names)
)
failed, skipped = len(result.failures) + len(result.errors), len(result.skipped)
print(f"{result.passed} passed, {failed} failed, {skipped} skipped")
sys.exit(failed > 0)
