"""The module that scripts get as `pyperf`.

It has what scripts use. Any other name, and every submodule, is that of the installed pyperf,
which finds this module in its own place; it is loaded only then.
"""

import importlib.machinery
import importlib.util
import sys
import time
import types

from .runner import Runner

NAME = "pyperf"

# The release whose interface this module has.
VERSION = (2, 11, 0)


class _Module(types.ModuleType):
    """The module, with a way to names that it lacks."""

    _installed = None

    def __getattr__(self, name):
        if name == "__path__":
            # Submodules are those of the installed pyperf.
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
    """Put the module in the place of the installed one."""
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
    """Return the name of this interpreter, in lower case."""
    return sys.implementation.name.lower()


def python_has_jit():
    """Tell whether this interpreter compiles while it runs."""
    if python_implementation() == "pypy":
        return sys.pypy_translation_info["translation.jit"]
    return python_implementation() in ("graalpy", "graalpython")


def _spec():
    """Return the location of the installed pyperf, or None."""
    spec = importlib.machinery.PathFinder.find_spec(NAME, sys.path)
    return spec if spec is not None and spec.submodule_search_locations else None


def _load(name):
    """Load the installed pyperf under another name. Its own submodules are loaded as usual."""
    spec = _spec()
    if spec is None:
        raise AttributeError(
            f"Derny's pyperf has no {name!r}, and no other pyperf is installed. "
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
