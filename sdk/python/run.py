"""The program that the engine starts: `python run.py [--root FOLDER] FILE`.

It runs this copy of the package.
"""

import importlib.util
import os
import sys


def _compile(folder):
    """Keep the compiled form of this copy, once, also where PYTHONDONTWRITEBYTECODE is set.

    That is meant for the project's files. Compiling these at each start takes as long as all the
    rest of it. A checkout is left as it is.
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
    # Only for this import: the project's own modules must not find the files next to this one.
    sys.path[:] = [here] + [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    from derny import main

    sys.path.remove(here)
    main.main(sys.argv[1:])


# Programs that `multiprocessing` starts anew import this file under another name.
if __name__ == "__main__":
    _run()
