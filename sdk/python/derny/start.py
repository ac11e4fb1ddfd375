"""Makes `python x_bench.py` start the engine on the file.

Nothing is started in an interactive session, or if a test has imported the file.
"""

import atexit
import os
import sys

from . import engine, wire

# True once `main.py` or the first registration has taken control.
is_managed = False


def is_interactive():
    """Return whether this process runs no file, as in an interactive session or a notebook."""
    return not is_managed and not getattr(sys.modules.get("__main__"), "__file__", None)


def on_registration(file):
    global is_managed
    if is_managed or is_interactive():
        return
    try:
        has_engine = wire.has_engine()
    except ValueError as error:
        _end(f"derny: {error}")
    main = sys.modules["__main__"]
    if has_engine:
        is_managed = True
        _become_harness(main, sys.argv[1:])
    elif os.path.abspath(main.__file__) == file:
        is_managed = True
        # Read the name now, because the interpreter clears it before exit handlers run.
        module = getattr(main.__spec__, "name", None)
        atexit.register(_become_engine, ["-m", module] if module else [main.__file__], sys.argv[1:])


def _become_harness(main, words):
    """Replace this process, which an engine started, with one that serves the engine.

    `main` is the module of the benchmark file.
    """
    run = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "run.py")
    own = [run] if os.path.isfile(run) else ["-m", "derny.main"]
    module = getattr(main.__spec__, "name", None)
    file = ["--module", module] if module else [os.path.abspath(main.__file__)]
    os.execv(sys.executable, [sys.executable, *_flags(), *own, *file, *words])


def _become_engine(file, words):
    """Replace this process, which a user started, with the engine.

    Arguments after `--` are for the program itself, and the others for the engine.
    """
    if getattr(sys, "last_type", None) is not None:
        return  # the file failed, and its traceback was printed
    end = words.index("--") if "--" in words else len(words)
    engine.become(["run", *words[:end], "--", sys.executable, *_flags(), *file, *words[end + 1 :]])


def _flags():
    """Return the interpreter's flags, as `multiprocessing` passes them to its processes."""
    import subprocess

    return subprocess._args_from_interpreter_flags()


def _end(sentence):
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()
    os._exit(2)
