"""Behaviour of a benchmark file that is run as a program.

`python x_bench.py` starts the engine on it.

Nothing is started in an interactive session, or if a test has imported the file.
"""

import atexit
import os
import sys

from . import engine, wire

# True once `main.py` or a first registration is in control.
is_managed = False


def is_interactive():
    """Return whether this process runs no file, as in an interactive session or a notebook."""
    return not is_managed and not getattr(sys.modules.get("__main__"), "__file__", None)


def on_registration(file):
    """Handle the definition of a benchmark in this file."""
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
        # Now, since the interpreter forgets its file before it ends.
        module = getattr(main.__spec__, "name", None)
        atexit.register(_become_engine, ["-m", module] if module else [main.__file__], sys.argv[1:])


def _become_harness(main, words):
    """Serve as the harness of this file: an engine started the program as a command."""
    run = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "run.py")
    own = [run] if os.path.isfile(run) else ["-m", "derny.main"]
    module = getattr(main.__spec__, "name", None)
    file = ["--module", module] if module else [os.path.abspath(main.__file__)]
    os.execv(sys.executable, [sys.executable, *_flags(), *own, *file, *words])


def _become_engine(file, words):
    """Replace the process with the engine: a user started the program.

    Arguments after `--` are the program's own, the others are the engine's.
    """
    if getattr(sys, "last_type", None) is not None:
        return  # it has failed, and the traceback was printed
    end = words.index("--") if "--" in words else len(words)
    engine.become(["run", *words[:end], "--", sys.executable, *_flags(), *file, *words[end + 1 :]])


def _flags():
    """Return the interpreter's own flags of this process."""
    import subprocess

    return (
        subprocess._args_from_interpreter_flags()
    )  # what `multiprocessing` starts its processes with


def _end(sentence):
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()
    os._exit(2)
