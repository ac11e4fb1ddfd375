"""Replaces `asv_runner.benchmarks.mark` if asv's runner is not installed.

Benchmark files import decorators from it.
"""

import functools
import importlib.util
import inspect
import sys
import types


class SkipNotImplemented(NotImplementedError):
    """A benchmark raises this if it does not apply."""

    def __init__(self, message=""):
        super().__init__(message)
        self.message = message


def _marked(**marks):
    """Return a decorator that sets attributes of a class, or of a wrapper around a function."""

    def decorate(subject):
        if not inspect.isclass(subject):
            inner = subject

            @functools.wraps(inner)
            def subject(*args, **kwargs):
                return inner(*args, **kwargs)

        for name, value in marks.items():
            setattr(subject, name, value)
        return subject

    return decorate


def skip_benchmark(function):
    return _marked(skip_benchmark=True)(function)


def skip_benchmark_if(condition):
    return _marked(**({"skip_benchmark": True} if condition else {}))


def skip_for_params(combinations):
    return _marked(skip_params=combinations)


def skip_params_if(combinations, condition):
    return _marked(**({"skip_params": combinations} if condition else {}))


def parameterize(values):
    """Set the parameters of a class or function: {name: values}."""
    params = list(values.values())
    marks = {
        "params": params if len(params) > 1 else params[0],
        "param_names": list(values),
    }

    def decorate(subject):
        for name, value in marks.items():
            setattr(subject, name, value)
        return subject

    return decorate


def timeout_at(seconds):
    return _marked(timeout=seconds)


def benchmark(**attributes):
    return _marked(**attributes)


def offer():
    """Make `asv_runner.benchmarks.mark` importable if it is not installed."""
    if importlib.util.find_spec("asv_runner") is not None:
        return
    here = sys.modules[__name__]
    mark = types.ModuleType("asv_runner.benchmarks.mark")
    own = (value for value in vars(here).values() if getattr(value, "__module__", None) == __name__)
    for value in own:
        if not value.__name__.startswith("_") and value.__name__ != "offer":
            setattr(mark, value.__name__, value)
    mark.parameterize_class_with = mark.parameterize_func_with = parameterize
    mark.timeout_class_at = mark.timeout_func_at = timeout_at
    benchmarks = types.ModuleType("asv_runner.benchmarks")
    package = types.ModuleType("asv_runner")
    package.__path__ = benchmarks.__path__ = []
    package.benchmarks, benchmarks.mark = benchmarks, mark
    for module in (package, benchmarks, mark):
        sys.modules[module.__name__] = module
