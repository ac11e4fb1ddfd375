"""Entry point of the process that the engine starts.

Loads a benchmark file or a suite of another tool, then serves the engine.
"""

import atexit
import importlib
import importlib.util
import os
import sys

from . import package, registry, start, wire
from .session import Session


def main(words):
    """Serve the engine and end the process.

    Arguments: `[--root FOLDER] FILE …`, `--module NAME …`, `--suite LAYER …` or `--list --root
    FOLDER …`.
    """
    try:
        has_engine = wire.has_engine()
    except ValueError as error:
        sys.exit(_say(str(error)))
    if not has_engine:
        sys.exit(_say("only the engine can start this program; run the benchmark file itself, or `derny run FILE`"))
    if words[:1] == ["--list"]:
        from . import lister

        lister.main(words[1:], load, _end)
    reader, writer = wire.open_streams()
    start.is_managed = True
    try:
        provider = provider_of(words)
    except BaseException as error:  # also SystemExit
        writer.send(wire.error_line(error, fatal=True))
        _end(1)
    session = Session(provider, reader, writer)
    try:
        around = getattr(provider, "around", None)
        session.run() if around is None else around(session)
    except (ValueError, UnicodeDecodeError) as error:
        writer.send(wire.error_line(error, fatal=True))
        _end(1)
    except (KeyboardInterrupt, BrokenPipeError):
        _end(1)
    _end(0)


def provider_of(words):
    """Return the provider of the cases: the registry, or that of a layer for another tool's suite."""
    package.begin()
    if words[0] == "--suite":
        layer = importlib.import_module(f".suites.{words[1]}", __package__)
        return layer.provider(words[2:])
    root = words[1] if words[0] == "--root" else os.getcwd()
    return registry.Provider(root, load(words))


def load(words):
    """Import the file or module that the arguments name. The other arguments become its `sys.argv`.
    Return the path of the file.
    """
    root = None
    if words[0] == "--root":
        root, words = words[1], words[2:]
    if words[0] == "--module":
        name = words[1]
        sys.argv = [name, *words[2:]]
        sys.path.insert(0, os.getcwd())
        __import__(name)
        return sys.modules[name].__file__
    file = os.path.abspath(words[0])
    sys.argv = [file, *words[1:]]
    top, name = _named(file)
    own = list(dict.fromkeys([os.path.dirname(file), top]))
    # With `-P` or PYTHONSAFEPATH, installed packages take precedence over the file's folder.
    at = len(sys.path) if getattr(sys.flags, "safe_path", False) else 0
    sys.path[at:at] = own
    _add_root(root)
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None:
        raise ImportError(f"{file} is not a Python file")
    _parents(name)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return file


def _named(file):
    """Return the nearest parent folder that is not a package, and the module's name relative to it."""
    folder, parts = os.path.dirname(file), [os.path.splitext(os.path.basename(file))[0]]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        parts.insert(0, package)
    name = ".".join(parts)
    # A file named like a standard module must not replace that module.
    known = getattr(sys, "stdlib_module_names", sys.builtin_module_names)
    while name in known or name in sys.modules:
        name += "_"
    return folder, name


def _parents(name):
    """Import the parent packages, so that the file can use `from . import data`."""
    parent = name.rpartition(".")[0]
    if parent:
        __import__(parent)


def _add_root(root):
    """Make a project importable from its root or src/ if it is not installed.

    In a git worktree, which the engine makes for a revision, these folders come first. The
    installed package may be of another revision.
    """
    if root is None:
        return
    folders = [folder for folder in (os.path.join(root, "src"), root) if os.path.isdir(folder)]
    if os.path.isfile(os.path.join(root, ".git")):
        sys.path[1:1] = folders
    else:
        sys.path.extend(folders)


def _say(sentence):
    sys.stderr.write(f"derny: {sentence}\n")
    return 2


def _end(status):
    """End the process without waiting for threads.

    After a conversation, run the exit handlers, because they remove temporary files and
    processes.
    """
    if status == 0:
        atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            pass
    os._exit(status)


if __name__ == "__main__":
    main(sys.argv[1:])
