"""Determines how pytest treats an exception of a body: as a skip, an expected failure,
or a failure.
"""

import sys


def is_outcome(error):
    """Return whether this exception is pytest's own way to end the current test."""
    import pytest

    return isinstance(error, (pytest.skip.Exception, pytest.xfail.Exception, pytest.fail.Exception))


def skip_of(item, error):
    """Return the reason why pytest would not fail the test, or None if it would."""
    import pytest

    unittest = sys.modules.get("unittest")
    if isinstance(error, pytest.skip.Exception) or unittest and isinstance(error, unittest.SkipTest):
        return getattr(error, "msg", None) or str(error) or "the test was skipped"
    if item.config.option.runxfail:
        return None
    if isinstance(error, pytest.xfail.Exception):
        return getattr(error, "msg", None) or str(error) or "the test is expected to fail"
    expected = _expected(item)
    if expected is None or not isinstance(error, expected.raises or BaseException):
        return None
    return expected.reason or "the test is expected to fail"


def _expected(item):
    from _pytest import skipping

    try:
        return skipping.evaluate_xfail_marks(item)
    except Exception:  # pytest reports an invalid condition when the test ends
        return None
