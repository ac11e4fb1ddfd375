"""The timed loop, one per benchmark, and the turn that calls it.

This module does not use the protocol or its streams.

A separate loop is compiled for each benchmark because CPython 3.11 and later specialises
instructions in place. In a shared loop, the call would be specialised for the first body and be
slower for later ones. Cold, warm-up and measured turns of a benchmark use the same code object.
"""

import array
import functools
import inspect
import itertools
import sys

from . import clock

BATCH_LIMIT = 4096
IS_PYPY = sys.implementation.name == "pypy"

# Shared by all cases, so that memory use does not depend on the number of batches.
TIMES = array.array("Q", bytes(8 * BATCH_LIMIT))

# Receives results, so that a compiler cannot remove the computation.
SINK = [None]

# PyPy moves invariants out of loops. An input taken from a list of copies is not invariant.
COPIES = 8

_TEXT = """
{a}def batch(it, body=body, now=now, sink=sink{names}):
    t0 = now()
    for x in it:
        {keep}{w}body({args})
    return now() - t0
"""

# For PyPy, in which an iterator implemented in C costs 40 ns per item. In CPython it is almost free.
_TEXT_PYPY = """
{a}def batch(it, body=body, now=now, sink=sink{names}):
    ring, k, n = it
    size = len(ring)
    t0 = now()
    while n:
        x = ring[k]
        {keep}{w}body({args})
        k += 1
        if k == size:
            k = 0
        n -= 1
    return now() - t0
"""

_serial = itertools.count(1)


def compile_batch(body, arguments, values, is_async, keeps):
    """Return a new loop: `batch(it)` calls the body for each item of `it` and returns the time in ns.

    `it` is the result of `Opened.feed`. `arguments` is the source text of the call's arguments, in
    which `x` is the item; `values` contains all other names. With `keeps`, each result stays in the
    sink until the next call has returned. Otherwise it is dropped before the next call.
    """
    text = (_TEXT_PYPY if IS_PYPY else _TEXT).format(
        a="async " if is_async else "",
        w="await " if is_async else "",
        keep="sink[0] = " if keeps else "",
        args=arguments,
        names="".join(f", {name}={name}" for name in values),
    )
    scope = {"body": body, "now": clock.now, "sink": SINK, **values}
    exec(compile(text, f"<derny loop {next(_serial)}>", "exec"), scope)
    return scope["batch"]


def _empty(arguments, is_async):
    """Return an empty body that takes these arguments and shares its code with no other."""
    names = [part.split("=")[0].strip() for part in arguments.split(",") if part.strip()]
    text = f"{'async ' if is_async else ''}def empty({', '.join(names)}): pass"
    scope = {}
    exec(compile(text, f"<derny empty {next(_serial)}>", "exec"), scope)
    return scope["empty"]


class Opened:
    """One case, ready to be measured.

    `body` is called with `arguments` (see compile_batch). The value of `x` has exactly one source:
    `value` (the same for all iterations), `inputs` (used in turn) or `fresh` (a function that is
    called for each iteration before the batch). Hooks take the number of iterations. `readers`
    return the values of the case's own metrics. `collector` is false if the garbage collector is off
    during turns. `run` runs the awaitables of an asynchronous body.
    """

    def __init__(
        self,
        body,
        arguments="",
        values=None,
        *,
        value=None,
        inputs=None,
        fresh=None,
        is_async=False,
        before_batch=None,
        after_batch=None,
        teardown=None,
        readers=(),
        collector=True,
        run=None,
    ):
        self.body, self.is_async, self.run = body, is_async, run
        self.before_batch, self.after_batch, self.close = (
            before_batch,
            after_batch,
            teardown or (lambda: None),
        )
        self.readers, self.collector = readers, collector
        self.fresh, self.value = fresh, value
        if IS_PYPY and inputs is None and fresh is None:
            inputs = [value] * COPIES
        self.turns = itertools.cycle(inputs) if inputs is not None else None
        self.inputs, self.place, self.is_new = inputs, 0, True
        values = values or {}
        empty = _empty(arguments, is_async)
        # The loop that keeps results runs only in the first turn, and if the last result is needed.
        make = functools.partial(
            compile_batch, arguments=arguments, values=values, is_async=is_async
        )
        self.batch = make(body, keeps=IS_PYPY)
        self.keeping = self.batch if IS_PYPY else make(body, keeps=True)
        self.empty = make(empty, keeps=IS_PYPY)

    def feed(self, iterations):
        if self.fresh is not None:
            return self._all([self.fresh() for _ in range(iterations)])
        if IS_PYPY:
            place, size = self.place, len(self.inputs)
            self.place = (place + iterations) % size
            return self.inputs, place, iterations
        if self.turns is not None:
            return itertools.islice(self.turns, iterations)
        return itertools.repeat(self.value, iterations)

    @staticmethod
    def _all(items):
        return (items, 0, len(items)) if IS_PYPY else items

    def measure(self, iterations, batches, within_ns, keeps=False):
        """Run a turn and store its times in TIMES. Return the number of batches."""
        # Check the first result, because a coroutine that is never awaited must not be timed.
        batch = self.keeping if keeps or self.is_new else self.batch
        self.is_new = False
        return self._turn(
            batch, iterations, batches, within_ns, self.before_batch, self.after_batch, self.feed
        )

    def overhead(self, iterations, batches):
        """Run a turn of an empty body in the same loop, without hooks and without making inputs."""
        feed = self.feed if self.fresh is None else (lambda n: self._all([None] * n))
        return self._turn(self.empty, iterations, batches, None, None, None, feed)

    def _turn(self, batch, iterations, batches, within_ns, before, after, feed):
        turn = _turn_async if self.is_async else _turn
        started = turn(batch, iterations, batches, within_ns, before, after, feed)
        return self.run(started) if self.is_async else started

    def check(self):
        before = self.turns, self.place
        self.place = 0
        if self.inputs is not None:
            self.turns = iter(self.inputs[:1])
        try:
            self.measure(1, 1, None, keeps=True)
        finally:
            self.turns, self.place = before
        return take_result()


def take_result():
    """Return the last kept result and drop it.

    Raise TypeError if it is an awaitable.
    """
    result, SINK[0] = SINK[0], None
    if inspect.iscoroutine(result):
        result.close()
        raise TypeError(
            "the body returns a coroutine that is never awaited: define it with `async def`"
        )
    return result


def _turn(batch, iterations, batches, within_ns, before, after, feed):
    now, times, count = clock.now, TIMES, 0
    limit = None if within_ns is None else now() + within_ns
    while True:
        if before is not None:
            before(iterations)
        times[count] = batch(feed(iterations))
        if after is not None:
            after(iterations)
        count += 1
        if count == batches or (limit is not None and now() >= limit):
            return count


async def _turn_async(batch, iterations, batches, within_ns, before, after, feed):
    now, times, count = clock.now, TIMES, 0
    limit = None if within_ns is None else now() + within_ns
    while True:
        if before is not None:
            await settled(before(iterations))
        times[count] = await batch(feed(iterations))
        if after is not None:
            await settled(after(iterations))
        count += 1
        if count == batches or (limit is not None and now() >= limit):
            return count


async def settled(value):
    """Return a value or, if it is awaitable, the result of awaiting it."""
    return await value if hasattr(type(value), "__await__") else value
