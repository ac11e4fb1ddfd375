"""Measures the program that the variable PROGRAM names. Change `INPUT` and the call of `work` to yours."""

import importlib.util
import os

from derny import bench

INPUT = list(range(1000))


def load(path):
    spec = importlib.util.spec_from_file_location("program", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


program = load(os.environ.get("PROGRAM", "initial_program.py"))


def checked():
    """Returns the input. Fails if the program is wrong, so that a wrong one is never fast."""
    expected = load("initial_program.py").work(list(INPUT))
    if program.work(list(INPUT)) != expected:
        raise AssertionError("the program returns something else than the initial one")
    return INPUT


@bench(setup=checked)
def work(numbers):
    return program.work(numbers)
