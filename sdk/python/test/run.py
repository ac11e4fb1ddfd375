"""Runs all tests beside this file, and says at the end what came of them."""

import os
import sys
import unittest

here = os.path.dirname(os.path.abspath(__file__))
result = unittest.TextTestRunner(verbosity=0, buffer=True).run(
    unittest.defaultTestLoader.discover(here)
)
failed, skipped = len(result.failures) + len(result.errors), len(result.skipped)
print(f"{result.testsRun - failed - skipped} passed, {failed} failed, {skipped} skipped")
sys.exit(failed > 0)
