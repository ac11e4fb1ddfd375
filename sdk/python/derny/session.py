"""The conversation with the engine: reads commands, sends replies, keeps at most one case open.

Cases come from a *provider*, an object with these methods:

    cases(given, is_test)       yields the fields of `case` lines
    open(name, texts, loops)    returns an `Opened` (loop.py) or an object with the same members:
                                `measure`, `overhead`, `check`, `close`, `is_async`, `collector`,
                                `readers`. Raises Skip if the case does not apply

An exception of a provider becomes the `error` reply to that command, and the session continues.
`measure` returns the number of batches, or 0 if there are no times. `is_mixed` is true if
counters include work other than the body's, and `times_itself` if the case has `timing=self`.

These members are optional:

    can                         words for the first line
    expand(name, texts)         returns the fields of the cases below a parent
    prepare(key)                runs the global set-up
    project                     the name of the measured project
    files(), root               the benchmark files, once they are loaded, and the project's folder;
                                see package.py

`open` has a parameter `at` if the provider's cases have that field.

If another tool must call the body, the provider has `visit(name, texts, loops, serve)` instead of
`open`. Instead of calling the body, the tool calls `serve` with the Opened. `serve` answers
commands until the engine closes the case. `visit` returns numbers by name, which are sent with
`closed`. If the tool must enclose the whole conversation, `around(session)` calls `session.run`.
"""

import gc
import math
import os
import sys
import threading
import time

from . import clock, heap, loop, package
from .counters import Counters
from .hashing import hash_of
from .loops import Loops
from .registry import Skip
from .version import VERSION
from .wire import LINE_LIMIT, Malformed, Message, cut, encode, encode_list, error_line, line

# Limits for the texts of a benchmark, so that they fit into a line even if every byte is encoded.
_LONGEST_TEXT, _MOST_TEXTS = 500, 30

CAN = ("collect", *(("settle",) if heap.can_settle() else ()), "overhead", "check", "hash")


def runtime_name():
    """Return the name and version of this interpreter, such as `cpython/3.11.7`."""
    version = sys.implementation.version
    compiler = getattr(sys, "_jit", None)
    compiles = compiler is not None and compiler.is_enabled()
    return f"{sys.implementation.name}{'-jit' if compiles else ''}/{'.'.join(map(str, version[:3]))}"


def settings():
    """Return settings of the interpreter that may affect times, as NAME=VALUE."""
    found = []
    if sys.implementation.name != "cpython":
        found.append(f"python={sys.version.split()[0]}")
    if sys.flags.optimize:
        found.append(f"optimize={sys.flags.optimize}")
    if sys.flags.dev_mode:
        found.append("dev_mode=on")
    if hasattr(sys, "_is_gil_enabled"):
        found.append(f"gil={'on' if sys._is_gil_enabled() else 'off'}")
    if sys.gettrace() or sys.getprofile():
        found.append("traced=yes")
    return found


def listed(provider, message):
    lines = []
    for fields in provider.cases(message.lists(), message.get("mode") == "test"):
        lines.append(line("case", **fields))
        if len(lines[-1].encode()) >= LINE_LIMIT:
            raise ValueError(
                f'a case of "{fields["benchmark"]}" is too long for a line of {LINE_LIMIT} bytes'
            )
    return "\n".join([*lines, "end"])


def greeting(can, **more):
    """Return the first line of a process, with these capabilities and other fields."""
    return line(
        "derny 1",
        language="python",
        runtime=runtime_name(),
        harness=VERSION,
        pid=os.getpid(),
        thread=threading.get_native_id(),
        clock=clock.NAME,
        step_ns=clock.measured_step(),
        can=can,
        **more,
    )


class Session:

    def __init__(self, provider, reader, writer):
        self.provider, self.reader, self.writer = provider, reader, writer
        self.counters, self.loops = Counters(), Loops()
        self.opened, self.opened_once, self.has_ended = None, False, False
        self.iterations = 1
        self.folder = os.getcwd()
        self.random_state = None
        self.verbs = {
            "list": self._list,
            "open": self._open,
            "check": self._check,
            "measure": self._measure,
            "overhead": self._overhead,
            "collect": self._collect,
            "close": self._close,
        }
        if heap.can_settle():
            self.verbs["settle"] = self._settle
        if hasattr(provider, "expand"):
            self.verbs["expand"] = self._expand

    def hello(self):
        counters = self.counters
        self.writer.send(
            greeting(
                (*CAN, *getattr(self.provider, "can", ())),
                collector="counted" if counters.counts else None,
                modes=counters.modes,
                metrics=counters.names,
                settings=settings(),
                package=self._package(),
            )
        )

    def _package(self):
        """Return lines about the measured packages if the engine requests them."""
        is_known = hasattr(self.provider, "root") and os.environ.get(package.ASKED)
        return package.told(self.provider) if is_known else None

    def run(self):
        self.hello()
        self._converse(None)

    def _converse(self, last):
        """Answer commands until `quit`, the end of the stream, or the verb `last`."""
        while not self.has_ended:
            command = self._next()
            verb = None if command is None else command.split(" ", 1)[0]
            if verb is None or verb == "quit":
                self.has_ended = True
                if verb is not None:
                    self._quit()
            elif verb == last:
                return
            elif command:
                answer = self.answer(command)
                # Some verbs have no answer. The engine may also have ended while a case was open.
                if answer is not None and not self.has_ended:
                    self.writer.send(answer)

    def log(self, message):
        self.writer.send(line("log", message=message))

    def _next(self):
        if self.opened is not None and self.opened.is_async:
            # Run the event loop meanwhile, because the body may have left tasks in it.
            return self.loops.run(self.reader.next_in(self.loops.loop))
        return self.reader.next()

    def answer(self, command):
        try:
            verb = command.split(" ", 1)[0]
            if verb not in self.verbs:
                return line("unsupported", verb=verb)
            return self.verbs[verb](Message(command))
        except BaseException as error:  # includes SystemExit: a body must not end the session
            self._home()
            # A tear-down that raises Skip has not cleaned up, so that is an error.
            if _is_skip(error) and verb != "close":
                return line("skip", reason=str(error) or "no reason given")
            return error_line(error)

    def _home(self):
        """Restore the working directory, which a case may have changed."""
        if self.opened is None and _folder() != self.folder:
            os.chdir(self.folder)

    def _required(self, verb):
        if self.opened is None:
            raise Malformed(f"{verb}: no case is open")
        return self.opened

    def _list(self, message):
        if self.opened_once:
            raise Malformed("list: only allowed before the first open")
        if message.get("prepare") not in (None, "0") and hasattr(self.provider, "prepare"):
            self.provider.prepare(message.get("prepare"))
        return listed(self.provider, message)

    def _expand(self, message):
        if self.opened_once:
            raise Malformed("expand: only allowed before the first open")
        below = self.provider.expand(message.needed("benchmark"), message.params())
        return "\n".join([*(line("case", **fields) for fields in below), "end"])

    def _open(self, message):
        if self.opened is not None:
            raise Malformed("open: a case is open already")
        name = message.needed("benchmark")
        self._same_random()
        if hasattr(self.provider, "visit"):
            return self._visit(name, message.params())
        at = message.get("at")
        place = {} if at is None else {"at": at}
        self.opened = self.provider.open(name, message.params(), self.loops, **place)
        self.opened_once = True
        return "opened"

    def _visit(self, name, params):
        """Let another tool open a case. Return the reply to `close`."""

        def serve(opened):
            self.opened, self.opened_once = opened, True
            self.writer.send(line("opened", once=getattr(opened, "is_once", False)))
            try:
                self._converse("close")
            finally:
                self.opened = None

        try:
            return closed_line(self.provider.visit(name, params, self.loops, serve))
        finally:
            self._home()

    def _same_random(self):
        """Seed the random numbers, so that both sides of a pair get the same ones."""
        random = sys.modules.get("random")
        if random is None:
            return
        seed = os.environ.get("PYTHONHASHSEED", "")
        numpy_random = sys.modules.get("numpy.random")
        if seed.isdigit() and hasattr(numpy_random, "seed"):
            numpy_random.seed(int(seed) % 2**32)
        if seed.isdigit():
            random.seed(int(seed))
        elif self.random_state is None:
            self.random_state = random.getstate()
        else:
            random.setstate(self.random_state)

    def _check(self, _message):
        opened = self._required("check")
        return line("checked", hash=hash_of(opened.check()))

    def _measure(self, message):
        within = message.integer("within", 2**63 - 1)
        lead = message.integer("lead", 0)
        hash_wanted = message.get("hash") == "1"

        def turn(opened, iterations, batches):
            if lead:
                opened.measure(iterations, loop.BATCH_LIMIT, lead)
            return self._enclosed(
                opened,
                message.get("mode") or self.counters.modes[0],
                lambda: opened.measure(iterations, batches, within, keeps=hash_wanted),
                hash_wanted,
                True,
            )

        return self._turn("measure", message, turn)

    def _overhead(self, message):
        def turn(opened, iterations, batches):
            mode = self.counters.modes[0]
            return self._enclosed(
                opened, mode, lambda: opened.overhead(iterations, batches), False, False
            )

        return self._turn("overhead", message, turn)

    def _turn(self, verb, message, take):
        opened = self._required(verb)
        iterations, batches = message.integer("iterations"), message.integer("batches")
        mode = message.get("mode") or self.counters.modes[0]
        if iterations < 1:
            raise Malformed(f"{verb}: iterations must be at least 1")
        if not 1 <= batches <= loop.BATCH_LIMIT:
            raise Malformed(f"{verb}: batches must be 1 to {loop.BATCH_LIMIT}")
        if mode not in self.counters.modes:
            raise Malformed(f'{verb}: there is no mode "{mode}"')
        self.iterations = iterations
        return take(opened, iterations, batches)

    def _enclosed(self, opened, mode, turn, hash_wanted, reads):
        """Run a turn and read the counters before and after it. Return its lines."""
        for read in opened.readers if reads else ():
            read()
        self.counters.start(mode, opened.collector)
        try:
            count = turn()
        finally:
            self.counters.stop()
        result = loop.take_result()
        counted = self.counters.values()
        if getattr(opened, "is_mixed", False):
            # The counters include untimed work, so they are not reported.
            counted, reads = [None] * len(counted), reads and mode == self.counters.modes[0]
        own = [read() if reads else None for read in opened.readers]
        times = " ".join(map(str, loop.TIMES[:count])) if count else "-"
        if getattr(opened, "times_itself", False):
            times += "\nops" + f" {self.iterations}" * count
        values = " ".join(
            "-" if value is None else format(value, "d" if isinstance(value, int) else "")
            for value in [*counted, *own]
        )
        end = f"end {values}".rstrip()
        return (
            f"times {times}\n{end} hash={hash_of(result)}"
            if hash_wanted
            else f"times {times}\n{end}"
        )

    def _collect(self, _message):
        self._required("collect")
        return line("collected", ns=_timed(gc.collect))

    def _settle(self, _message):
        self._required("settle")
        return line("settled", ns=_timed(heap.settle))

    def _close(self, _message):
        opened = self._required("close")
        self.opened = None
        per_setup = getattr(opened, "calls_per_setup", None)
        try:
            opened.close()
        finally:
            self._home()
        # Report how often the set-up runs if the suite's own tool determines that.
        return line("closed", **{"v.calls per set-up:count:level": per_setup})

    def _quit(self):
        """Tear down an open case and ignore failures."""
        try:
            if self.opened is not None:
                self.opened.close()
        except BaseException:
            pass


def _is_skip(error):
    """Return whether an exception, of this package or of unittest, skips a case."""
    unittest = sys.modules.get("unittest")
    return isinstance(error, Skip) or bool(unittest) and isinstance(error, unittest.SkipTest)


def closed_line(values):
    """Return a `closed` line with the numbers and texts of a mapping. The numbers have no
    directions."""
    words, texts = ["closed"], []
    for name, value in (values or {}).items():
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if is_number and math.isfinite(value):
            name = encode(name).replace(":", "%3A").replace(",", "%2C")
            words.append(f"v.{name}:value:level:none={float(value)!r}")
        elif not is_number and value is not None:
            texts.append(f"{str(name).replace('=', ':')}={cut(str(value), _LONGEST_TEXT)}")
    if texts:
        words.append(f"texts={encode_list(texts[:_MOST_TEXTS])}")
    return " ".join(words)


def _folder():
    try:
        return os.getcwd()
    except OSError:  # the folder was removed
        return None


def _timed(act):
    begun = time.perf_counter_ns()
    act()
    return time.perf_counter_ns() - begun
