"""A statement as a body, as in `timeit`: it runs in a separate loop, after a set-up.

The statement is compiled into the loop, so that there is no function call. The loop is a
generator, which keeps the state of the set-up between turns. When the loop has run as long as
one repetition of `timeit`, the set-up runs again. Otherwise, a list that the statement appends
to would grow without limit.
"""

import itertools

from . import clock, loop

# Time in the loop, in ns, after which the set-up runs again: the length of a repetition of
# `timeit`.
REPETITION_NS = 200_000_000

_SOURCE = "<derny statement>"

_TEXT = """
def _derny_turns(_derny_times, _derny_now, _derny_repeat{names}):
    {setup}
    _derny_count = 0
    try:
        while True:
            _derny_n, _derny_batches, _derny_within = yield _derny_count
            _derny_count = 0
            _derny_limit = None if _derny_within is None else _derny_now() + _derny_within
            while True:
                {begin}
                for _derny_i in _derny_it:
                    {statement}
                _derny_times[_derny_count] = _derny_now() - _derny_t0
                _derny_count += 1
                if _derny_count == _derny_batches:
                    break
                if _derny_limit is not None and _derny_now() >= _derny_limit:
                    break
    finally:
        {teardown}
"""

# The iterator is made before the clock is read. PyPy compiles loops over a `range` best.
_BEGIN = "_derny_it = {iterator}; _derny_t0 = _derny_now()"


def _indented(text, blanks):
    return text.replace("\n", "\n" + " " * blanks)


def _part(kind, part, values):
    """Return the source text of a statement: the text itself or, for a function, a call of it."""
    if callable(part):
        values[f"_derny_{kind}"] = part
        return f"_derny_{kind}()"
    if not isinstance(part, str):
        raise TypeError(f"{kind} must be a string or a function, not {type(part).__name__}")
    return part if part.strip() else "pass"


class Statement:
    """The methods of `loop.Opened` for a statement.

    `setup` and `teardown` run before and after it, untimed. Each part is a string or a function.
    Names are looked up in a copy of `scope`.
    """

    is_async, readers, collector = False, (), True

    def __init__(self, statement, setup="pass", teardown="pass", scope=None):
        values = {}
        parts = [
            (kind, _part(kind, part, values))
            for kind, part in (("setup", setup), ("statement", statement), ("teardown", teardown))
        ]
        for place, (_, text) in enumerate(parts):
            # Each part must be valid on its own. It may use names from earlier parts.
            before = "\n".join(text for _, text in parts[:place])
            compile(f"{before}\n{text}", _SOURCE, "exec", dont_inherit=True)
        texts = dict(parts)
        self.make = self._compiled(texts, values, dict(scope or {}))
        self.empty = self._compiled({kind: "pass" for kind in texts}, {}, {})
        self.turns, self.spent = None, 0

    @staticmethod
    def _compiled(texts, values, scope):
        iterator = "range(_derny_n)" if loop.IS_PYPY else "_derny_repeat(None, _derny_n)"
        text = _TEXT.format(
            names="".join(f", {name}={name}" for name in values),
            setup=_indented(texts["setup"], 4),
            statement=_indented(texts["statement"], 20),
            teardown=_indented(texts["teardown"], 8),
            begin=_BEGIN.format(iterator=iterator),
        )
        scope.update(values)
        local = dict(values)
        exec(compile(text, _SOURCE, "exec", dont_inherit=True), scope, local)
        turns = local["_derny_turns"]
        return lambda: turns(loop.TIMES, clock.now, itertools.repeat)

    def measure(self, iterations, batches, within_ns, keeps=False):
        if self.turns is not None and self.spent >= REPETITION_NS:
            self.close()
        if self.turns is None:
            self.turns, self.spent = self.make(), 0
            next(self.turns)
        try:
            count = self.turns.send((iterations, batches, within_ns))
        except BaseException:
            self.turns = None
            raise
        self.spent += sum(loop.TIMES[:count])
        return count

    def overhead(self, iterations, batches):
        turns = self.empty()
        next(turns)
        return turns.send((iterations, batches, None))

    def check(self):
        self.measure(1, 1, None)

    def close(self):
        turns, self.turns = self.turns, None
        if turns is not None:
            turns.close()


class Provider:

    def __init__(self, name, statement, setup="pass", scope=None):
        self.name, self.parts, self.scope = name, (statement, setup), scope
        # Compile now, so that syntax errors show before anything is measured.
        Statement(statement, setup, scope=scope)

    def cases(self, given, is_test):
        yield {"benchmark": self.name}

    def open(self, name, texts, loops):
        if name != self.name:
            raise ValueError(f'there is no benchmark "{name}"')
        return Statement(*self.parts, scope=self.scope)
