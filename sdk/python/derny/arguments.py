"""Passes arguments to a benchmark's functions: parameters by name, and one argument by position."""

import inspect

# Placeholder for the first argument of a body that has none.
NOTHING = object()


class Wanted:
    """The arguments that a function accepts from a benchmark, according to its signature.

    `names` contains the parameters that it accepts by name. `takes` is true if it accepts one
    more argument by position.
    """

    def __init__(self, function, params, what, offered, remark=""):
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):  # some functions written in C have no signature
            self.names, self.takes = [], offered
            return
        self.names, first = [], []
        for name, parameter in signature.parameters.items():
            if parameter.kind == parameter.VAR_KEYWORD:
                self.names += [other for other in params if other not in self.names]
            elif parameter.kind == parameter.VAR_POSITIONAL:
                continue
            elif name in params and parameter.kind != parameter.POSITIONAL_ONLY:
                self.names.append(name)
            elif parameter.kind == parameter.KEYWORD_ONLY:
                if parameter.default is parameter.empty:
                    raise TypeError(
                        f'{what}: "{name}" is not a parameter of the benchmark (parameters: {_listed(params)})'
                    )
            elif parameter.default is parameter.empty:
                first.append(name)
        if len(first) > (1 if offered else 0):
            extra = first[1 if offered else 0]
            raise TypeError(
                f'{what}: "{extra}" is not a parameter of the benchmark (parameters: {_listed(params)}){remark}'
            )
        self.takes = bool(first)

    def call(self, function, params, *first):
        named = {name: params[name] for name in self.names}
        return function(*(first if self.takes else ()), **named)


def _listed(params):
    return ", ".join(params) or "none"
