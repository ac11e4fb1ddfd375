"""The benchmarks of a file, and the cases that result from their parameters.

This module does not depend on the protocol.
"""

import functools
import inspect
import os
import re
import sys
from contextlib import contextmanager

from . import start
from .arguments import Wanted
from .loop import Opened, settled
from .values import given as named_as
from .values import named, parsed

OPTIONS = frozenset(
    """params filter setup teardown before_batch after_batch inputs fresh operations unit bytes items
    collector args env isolate max_iterations metrics tags skip""".split()
)

# The first item is the default.
KINDS = ("level", "total", "peak", "rate")
BETTER = ("none", "less", "more")

benchmarks = {}
_groups = []


class Skip(Exception):
    """Raise this in `setup` to skip a case. Its message is the reason."""


@contextmanager
def group(name):
    """Prefix the names of benchmarks that are defined inside: `with group("url"):`.

    Groups can be nested.
    """
    _require_name("group", name)
    _groups.append(name)
    try:
        yield
    finally:
        _groups.pop()


def bench(name=None, body=None, **options):
    """Define a benchmark.

    Use it as a decorator, `@bench` or `@bench("name", **options)`, or as a call:
    `bench("name", body, **options)`.

    The default name is that of the body. The README lists the options. Return the body
    unchanged, so that it can still be called. Raise TypeError for an invalid option.
    """
    place = _place(sys._getframe(1))
    if callable(name) and body is None:
        name, body = None, name
    if body is None:
        return lambda function: _register(name, function, options, place)
    return _register(name, body, options, place)


def black_hole(value):
    """Keep a value that a body computes but does not return.

    It prevents a compiler such as PyPy's from removing the computation.
    """
    _HOLE[0] = value


_HOLE = [None]


def _require_name(what, name):
    if not isinstance(name, str) or not name:
        raise TypeError(f"{what}: the name must be a non-empty string")


def _place(frame):
    return os.path.abspath(frame.f_code.co_filename), frame.f_lineno


def _register(name, body, options, place):
    if not callable(body):
        raise TypeError(f"bench {name!r}: the body must be a function")
    if name is None:
        name = getattr(body, "__name__", None)
    _require_name("bench", name)
    full = "/".join([*_groups, name])
    if full in benchmarks and not start.is_interactive():
        raise TypeError(f'the benchmark "{full}" is defined twice')
    benchmarks[full] = Benchmark(full, "/".join(_groups) or None, body, options, place)
    start.on_registration(place[0])
    return body


class Benchmark:
    """A benchmark: its body, its options, and its parameters with their values."""

    def __init__(self, name, group_name, body, options, place):
        self.name, self.group, self.body, self.place = name, group_name, body, place
        unknown = set(options) - OPTIONS
        if unknown:
            raise TypeError(f'bench "{name}": unknown option "{sorted(unknown)[0]}"')
        self.options = options
        self.axes = {
            key: self._axis(key, given) for key, given in (options.get("params") or {}).items()
        }
        if "inputs" in options and "fresh" in options:
            raise TypeError(f'bench "{name}": "inputs" and "fresh" cannot be combined')
        if options.get("collector", "on") not in ("on", "off"):
            raise TypeError(f'bench "{name}": "collector" must be "on" or "off"')
        self.metrics = [
            _metric(name, key, metric) for key, metric in (options.get("metrics") or {}).items()
        ]
        self.has_first = any(key in options for key in ("setup", "inputs", "fresh"))
        self.is_async = inspect.iscoroutinefunction(_unwrapped(body))
        what = f'bench "{name}"'
        remark = "" if self.has_first else '; there is no "setup", "inputs" or "fresh" to provide it'
        self.wanted = Wanted(body, self.axes, what, self.has_first, remark)
        has_setup = "setup" in options
        for key in ("setup", "filter"):
            self._check(key, False)
        for key in ("teardown", "fresh"):
            self._check(key, has_setup)
        for key in ("before_batch", "after_batch"):
            self._check(key, has_setup, "iterations")
        if callable(options.get("inputs")):
            self._check("inputs", has_setup)

    def _axis(self, key, given):
        if not key.isidentifier():
            raise TypeError(
                f'bench "{self.name}": the parameter "{key}" must have a name that is a valid identifier'
            )
        values = given if isinstance(given, (list, tuple, set, frozenset, range)) else [given]
        if not values:
            raise TypeError(f'bench "{self.name}": the parameter "{key}" has no values')
        return named(values)

    def _check(self, key, offered, *more):
        function = self.options.get(key)
        if function is None:
            return
        if not callable(function):
            raise TypeError(f'bench "{self.name}": "{key}" must be a function')
        Wanted(function, [*self.axes, *more], f'bench "{self.name}", {key}', offered)

    def call(self, key, params, *first):
        """Call an option that is a function, with the parameters that it accepts.

        Return None if the option is not set.
        """
        function = self.options.get(key)
        if function is None:
            return None
        return Wanted(function, self.axes, key, bool(first)).call(function, params, *first)

    def resolved(self, key, params):
        """Return the value of an option. If it is a function, call it with the parameters."""
        option = self.options.get(key)
        return self.call(key, params) if callable(option) else option

    def combinations(self, given):
        """Yield {name: (text, value)} for all cases. The first parameter varies slowest.

        `given` maps names of parameters to lists of texts, which replace the declared values.
        """
        axes = []
        for key, own in self.axes.items():
            texts = given.get(key)
            where = f'parameter "{key}" of "{self.name}"'
            axes.append(
                own if texts is None else [named_as(text, own, where) for text in texts]
            )
        for combination in _product(axes):
            case = dict(zip(self.axes, combination))
            if "filter" not in self.options or self.call("filter", _values(case)):
                yield case

    def params_of(self, texts):
        """Return {name: value} for the texts of an `open` command.

        Raise ValueError if a parameter is missing or unknown, or its text is invalid.
        """
        for key in texts:
            if key not in self.axes:
                raise ValueError(f'the benchmark "{self.name}" has no parameter "{key}"')
        for key in self.axes:
            if key not in texts:
                raise ValueError(
                    f'the benchmark "{self.name}" needs a value for its parameter "{key}"'
                )
        where = 'parameter "{}" of "{}"'
        return {
            key: parsed(texts[key], own, where.format(key, self.name))
            for key, own in self.axes.items()
        }


def _product(axes):
    if not axes:
        yield ()
        return
    for first in axes[0]:
        for rest in _product(axes[1:]):
            yield (first, *rest)


def _values(case):
    return {key: value for key, (_, value) in case.items()}


def _unwrapped(function):
    while isinstance(function, functools.partial):
        function = function.func
    return (
        function
        if not hasattr(type(function), "__call__") or inspect.isroutine(function)
        else function.__call__
    )


def _metric(bench_name, key, metric):
    where = f'bench "{bench_name}": metric "{key}"'
    if not re.fullmatch(r"[^\s:,=%]+", key) or not callable(metric.get("read")):
        raise TypeError(
            f'{where} needs a name without ":", ",", "=" and "%", and a function "read"'
        )
    unknown = set(metric) - {"unit", "kind", "better", "exact", "read"}
    if unknown:
        raise TypeError(f'{where}: unknown key "{sorted(unknown)[0]}"')
    kind, better = metric.get("kind", KINDS[0]), metric.get("better", BETTER[0])
    for word, known in ((kind, KINDS), (better, BETTER)):
        if word not in known:
            raise TypeError(f'{where}: "{word}" must be one of {", ".join(known)}')
    exact = ":exact" if metric.get("exact") else ""
    return f"{key}:{metric.get('unit', 'count')}:{kind}:{better}{exact}", metric["read"]


class Provider:
    """The provider (see session.py) of the benchmarks that `bench` has defined."""

    def __init__(self, root=None, file=None):
        self.root, self.file = root, file

    def files(self):
        """Return the benchmark file, which is already loaded."""
        return [self.file] if self.file else []

    def cases(self, given, is_test):
        """Yield the fields of all `case` lines. `given` is {parameter: texts}."""
        for benchmark in benchmarks.values():
            for case in benchmark.combinations(given):
                yield self._fields(benchmark, case)
                if is_test:
                    break

    def _fields(self, benchmark, case):
        options, params = benchmark.options, _values(case)
        fields = {"benchmark": benchmark.name}
        fields.update((f"p.{key}", text) for key, (text, _) in case.items())
        fields.update(
            group=benchmark.group,
            ops=benchmark.resolved("operations", params),
            unit=options.get("unit"),
            bytes=benchmark.resolved("bytes", params),
            items=benchmark.resolved("items", params),
            max_iterations=options.get("max_iterations") or (1024 if "fresh" in options else None),
            isolate=bool(options.get("isolate")),
            args=_texts(options.get("args")),
            env=[f"{key}={value}" for key, value in (options.get("env") or {}).items()],
            tags=_texts(options.get("tags")),
            metrics=[words for words, _ in benchmark.metrics],
            file=benchmark.place[0],
            line=benchmark.place[1],
        )
        return fields

    def open(self, name, texts, loops):
        """Return an Opened case.

        Raise Skip if the case does not apply. `loops` runs awaitables.
        """
        benchmark = benchmarks.get(name)
        if benchmark is None:
            raise ValueError(f'there is no benchmark "{name}" in this file')
        params = benchmark.params_of(texts)
        reason = benchmark.resolved("skip", params)
        if reason:
            raise Skip(str(reason))
        return _opened(benchmark, params, loops)


def _opened(benchmark, params, loops):
    options = benchmark.options
    has_setup = "setup" in options
    context = loops.finish(settled(benchmark.call("setup", params)), benchmark.is_async)
    offered = (context,) if has_setup else ()
    inputs = options.get("inputs")
    if callable(inputs):
        inputs = loops.finish(
            settled(benchmark.call("inputs", params, *offered)), benchmark.is_async
        )
    if "inputs" in options:
        inputs = list(inputs)
        if not inputs:
            raise ValueError('"inputs" must have at least one item')
    wanted = benchmark.wanted
    arguments = [*(["x"] if wanted.takes else []), *(f"{key}=p_{key}" for key in wanted.names)]

    def hook(key):
        function = options.get(key)
        if function is None:
            return None
        wanted_by = Wanted(function, [*params, "iterations"], key, has_setup)
        return lambda n: wanted_by.call(function, {**params, "iterations": n}, *offered)

    fresh = hook("fresh")
    return Opened(
        benchmark.body,
        ", ".join(_by_place(benchmark, arguments)),
        {f"p_{key}": params[key] for key in wanted.names},
        value=context,
        inputs=inputs,
        fresh=fresh and (lambda: fresh(1)),
        is_async=benchmark.is_async,
        before_batch=hook("before_batch"),
        after_batch=hook("after_batch"),
        teardown=lambda: loops.finish(
            settled(benchmark.call("teardown", params, *offered)), benchmark.is_async
        ),
        readers=[(lambda read=read: read()) for _, read in benchmark.metrics],
        collector=options.get("collector", "on") == "on",
        run=loops.run,
    )


def _by_place(benchmark, arguments):
    """Convert keyword arguments to positional ones, which are faster, if possible."""
    try:
        order = [
            p
            for p in inspect.signature(benchmark.body).parameters.values()
            if p.kind == p.POSITIONAL_OR_KEYWORD
        ]
    except (TypeError, ValueError):
        return arguments
    names = [argument.split("=") for argument in arguments]
    lead = names[:1] == [["x"]]
    texts = [name[0] for name in names[lead:]]
    if [p.name for p in order[int(lead) : int(lead) + len(texts)]] != texts:
        return arguments
    return [name[-1] for name in names]


def _texts(values):
    return [values] if isinstance(values, str) else [str(value) for value in values or ()]
