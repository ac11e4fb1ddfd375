"""Lists many files in one process. The engine sends `list file=PATH` repeatedly (PROTOCOL.md, 3.2).

The interpreter starts only once. Each file is loaded in a forked child, so that files do not
affect each other. If a file cannot be listed in this way, the reply is `error`, and the engine
starts a separate process for it.
"""

import gc
import os
import signal
import time

from . import registry, start, wire
from .session import greeting, listed

GRACE = 1.0  # seconds that a child may take to end after its answer


def main(words, load, end):
    """Serve the engine. Arguments are `--root FOLDER`, followed by those for each file.

    `load` loads a file with these arguments, and `end` ends a process.
    """
    reader, writer = wire.open_streams()
    start.is_managed = True
    writer.send(greeting(("files",) if hasattr(os, "fork") else ()))
    # A collection in the child would write to every shared page, and so copy it.
    if hasattr(gc, "freeze"):
        gc.collect()
        gc.freeze()
    while True:
        command = reader.next()
        if command is None or command == "quit" or command.startswith("quit "):
            end(0)
        if command:
            writer.send(_answer(command, words, load, end))


def _answer(command, words, load, end):
    try:
        message = wire.Message(command)
        if message.verb != "list":
            return wire.line("unsupported", verb=message.verb)
        file = os.path.abspath(message.needed("file"))
        answer = _in_child(lambda: _listed(message, [*words[:2], file, *words[2:]], load), end)
        if answer is None:
            raise RuntimeError(f"{file} ended its process while it was being listed")
        return answer
    except Exception as error:
        return wire.error_line(error)


def _listed(message, words, load):
    try:
        load(words)
        return listed(registry.Provider(), message)
    except BaseException as error:  # also SystemExit
        return wire.error_line(error)


def _in_child(work, end):
    """Return the text that `work` returns in a child process, or None if the child crashed."""
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(source)
        rest = memoryview(work().encode("utf-8", "replace") + b"\0")
        while rest:
            rest = rest[os.write(sink, rest) :]
        end(0)
    os.close(sink)
    try:
        # Do not wait for the end of the stream, because processes that the file started may keep it
        # open.
        text = b""
        while not text.endswith(b"\0"):
            more = os.read(source, 1 << 16)
            if not more:
                return None
            text += more
        return text[:-1].decode()
    finally:
        os.close(source)
        _wait(child)


def _wait(child):
    pause, until = 0.0002, time.monotonic() + GRACE
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return
        time.sleep(pause)
        pause = min(2 * pause, 0.05)
