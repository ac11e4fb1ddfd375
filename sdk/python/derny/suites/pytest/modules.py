"""Keeps `pytest_benchmark` and `pytest_codspeed` importable, whether or not they are installed.

Projects mostly import the class of the fixture, for annotations. All other names and modules come
from the installed package.
"""

import importlib.util
import os
import sys
import types

from .fixture import BenchmarkFixture, FixtureAlreadyUsed

_NAMES = {"BenchmarkFixture": BenchmarkFixture, "FixtureAlreadyUsed": FixtureAlreadyUsed}


def _module(name, path, names):
    module = types.ModuleType(name, "Derny's part of this package. PYTEST_DONT_REWRITE")
    vars(module).update(names, __path__=path)
    sys.modules[name] = module
    return module


def _folder(package):
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return []
    return list(spec.submodule_search_locations or ()) if spec else []


def _version(package):
    from importlib import metadata

    try:
        return metadata.version(package.replace("_", "-"))
    except metadata.PackageNotFoundError:
        return "0"


def install(fixtures):
    """Install the modules. `fixtures` contains the fixtures by name."""
    for package, parts in (
        ("pytest_benchmark", ("fixture", "plugin")),
        ("pytest_codspeed", ("plugin",)),
    ):
        path = [folder for folder in _folder(package) if os.path.isdir(folder)]
        names = {"__version__": _version(package)}
        if package == "pytest_codspeed":
            names["BenchmarkFixture"] = BenchmarkFixture
        parent = _module(package, path, names)
        for part in parts:
            names = {**_NAMES, **(fixtures if part == "plugin" else {})}
            setattr(parent, part, _module(f"{package}.{part}", [], names))
