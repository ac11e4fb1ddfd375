"""The modules of a benchmark folder, and the benchmarks in them.

Modules are imported, but no set-up is run. A module is imported only when one of its benchmarks is
requested, so that a process that measures one case loads no other module.
"""

import importlib
import importlib.machinery
import inspect
import os
import pkgutil
import random
import sys

from .benchmark import Benchmark, kind_of


class _Only:
    """Imports the benchmark folder as a package, without making other modules beside it importable.

    The parent folder must not be on the path. It may contain the project's sources, which would
    hide the installed package.
    """

    def __init__(self, name, folder):
        self.name, self.folder = name, folder

    def find_spec(self, fullname, path=None, target=None):
        if fullname != self.name:
            return None
        return importlib.machinery.PathFinder.find_spec(fullname, [self.folder], target)


class Broken:
    """A module, or a class in a module, that could not be imported. Using it raises the error."""

    def __init__(self, name, file, error):
        self.name, self.file, self.error = name, file, error


class Suite:

    def __init__(self, folder):
        self.folder = folder
        self.root = os.path.basename(folder)
        sys.meta_path.insert(0, _Only(self.root, os.path.dirname(folder)))
        self.modules, self.known = {}, {}

    def all(self):
        """Return {name: Benchmark or Broken} for the whole folder, in asv's order."""
        found = {}
        for module in self._modules(self.root):
            found.update(self._of(module))
        return found

    def one(self, name):
        """Return the benchmark with this name, or None. Import only its module."""
        parts = name.split(".")
        for end in (-1, -2):
            module = ".".join([self.root, *parts[:end]])
            if self._has(parts[:end]):
                found = self._of(module).get(name)
                if found is not None:
                    return found
        return self.all().get(name)

    def _has(self, parts):
        path = os.path.join(self.folder, *parts)
        return os.path.isfile(f"{path}.py") or os.path.isfile(os.path.join(path, "__init__.py"))

    def _modules(self, name):
        yield name
        module = self._imported(name)
        for _, own, _ in pkgutil.iter_modules(getattr(module, "__path__", None) or [], f"{name}."):
            yield from self._modules(own)

    def _of(self, name):
        if name not in self.known:
            module = self._imported(name)
            if isinstance(module, Broken):
                self.known[name] = {module.name: module}
            else:
                self.known[name] = {found.name: found for found in _benchmarks(module)}
        return self.known[name]

    def _imported(self, name):
        if name not in self.modules:
            self.modules[name] = self._import(name)
        return self.modules[name]

    def _import(self, name):
        state = random.getstate()
        # Random values that a module uses as parameters must be the same in every process.
        random.seed(0)
        try:
            return importlib.import_module(name)
        except BaseException as error:  # also SystemExit
            return Broken(name.partition(".")[2] or name, self._file(name), error)
        finally:
            random.setstate(state)

    def _file(self, name):
        path = os.path.join(self.folder, *name.split(".")[1:])
        is_package = os.path.isdir(path)
        return os.path.join(path, "__init__.py") if is_package else f"{path}.py"


def _benchmarks(module):
    prefix = module.__name__.partition(".")[2]
    for key, found in list(vars(module).items()):
        if key.startswith("_"):
            continue
        if inspect.isclass(found) and not inspect.isabstract(found):
            yield from _methods(module, prefix, found)
        elif inspect.isfunction(found):
            yield from _made(prefix, key, found, None, module)


def _methods(module, prefix, own):
    try:
        members = inspect.getmembers(own)
    except Exception:  # reading the attribute raises
        return
    for key, found in members:
        if inspect.isfunction(found) or inspect.ismethod(found):
            yield from _made(prefix, key, found, own, module)


def _made(prefix, key, function, own, module):
    """Yield the Benchmark for a function, if it is one."""
    if getattr(function, "skip_benchmark", False):
        return
    name = getattr(function, "benchmark_name", None)
    kind = kind_of(name.rpartition(".")[2] if name else key)
    if kind is None:
        return
    place = [own.__name__, key] if own else [function.__name__]
    name = name or ".".join([*([prefix] if prefix else []), *place])
    def make():
        if own is None:
            return Benchmark(name, kind, function, [function, module])
        instance = own()
        method = getattr(instance, key)
        return Benchmark(name, kind, method, [method, instance, module])

    try:
        found = make()
    except BaseException as error:
        found = Broken(name, getattr(module, "__file__", None), error)
    else:
        # Create a new instance for each case, because a set-up may change its attributes.
        found.anew = make
    yield found
