"""The module that scripts import as `pyperf`.

It defines the names that scripts use. All other names and submodules come from the installed
pyperf, which is loaded only if one of them is used.
"""

import importlib.machinery
import importlib.util
import sys
import time
import types

from .runner import Runner

NAME = "pyperf"

# The version of pyperf whose interface this module has.
VERSION = (2, 11, 0)


class _Module(types.ModuleType):
    """A module type that looks up missing names in the installed pyperf."""

    _installed = None

    def __getattr__(self, name):
        if name == "__path__":
            # Submodules come from the installed pyperf.
            spec = _spec()
            if spec is None:
                raise AttributeError(name)
            self.__path__ = list(spec.submodule_search_locations)
            return self.__path__
        if name.startswith("__") and name != "__version__":
            raise AttributeError(name)
        found = self._of_installed(name)
        setattr(self, name, found)
        return found

    def _of_installed(self, name):
        if self._installed is None:
            self._installed = _load(name)
        try:
            return getattr(self._installed, name)
        except AttributeError:
            raise AttributeError(
                f"neither Derny's pyperf nor the installed one "
                f"({getattr(self._installed, '__version__', '?')}) has the name {name!r}"
            ) from None


def install():
    module = _Module(NAME, __doc__)
    module.Runner = Runner
    module.VERSION = VERSION
    module.__version__ = ".".join(map(str, VERSION))
    module.perf_counter = time.perf_counter
    module.python_implementation = python_implementation
    module.python_has_jit = python_has_jit
    module.__all__ = [
        "Runner",
        "perf_counter",
        "python_has_jit",
        "python_implementation",
    ]
    module.__spec__ = importlib.machinery.ModuleSpec(NAME, None, is_package=True)
    sys.modules[NAME] = module
    return module


def python_implementation():
    return sys.implementation.name.lower()


def python_has_jit():
    if python_implementation() == "pypy":
        return sys.pypy_translation_info["translation.jit"]
    return python_implementation() in ("graalpy", "graalpython")


def _spec():
    """Return the import spec of the installed pyperf, or None."""
    spec = importlib.machinery.PathFinder.find_spec(NAME, sys.path)
    return spec if spec is not None and spec.submodule_search_locations else None


def _load(name):
    """Load the installed pyperf under another name. Its submodules are imported as usual."""
    spec = _spec()
    if spec is None:
        raise AttributeError(
            f"Derny's pyperf does not define {name!r}, and pyperf is not installed. "
            f"Try: {sys.executable} -m pip install pyperf"
        )
    own = importlib.util.spec_from_file_location(
        "_installed_pyperf",
        spec.origin,
        submodule_search_locations=list(spec.submodule_search_locations),
    )
    module = importlib.util.module_from_spec(own)
    own.loader.exec_module(module)
    return module
