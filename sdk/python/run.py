"""The program that the engine starts: `python run.py [--root FOLDER] FILE`.

It uses the copy of the package in its own folder.
"""

import importlib.util
import os
import sys


def _compile(folder):
    """Compile this copy once, even if PYTHONDONTWRITEBYTECODE is set.

    That variable is meant for the project's files. Compiling this package at each start would
    double the start time. A source checkout is not changed.
    """
    if not sys.dont_write_bytecode or os.path.exists(os.path.join(folder, "pyproject.toml")):
        return
    package = os.path.join(folder, "derny")
    last = sys.implementation.cache_tag and importlib.util.cache_from_source(
        os.path.join(package, "wire.py")
    )
    if last and not os.path.exists(last) and os.access(package, os.W_OK):
        import compileall

        compileall.compile_dir(package, quiet=2)


def _run():
    here = os.path.dirname(os.path.abspath(__file__))
    _compile(here)
    # Change the path for this import only. The project's modules must not import other files of
    # this folder.
    sys.path[:] = [here] + [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    from derny import main

    sys.path.remove(here)
    main.main(sys.argv[1:])


# Processes that `multiprocessing` spawns import this file under another name.
if __name__ == "__main__":
    _run()
