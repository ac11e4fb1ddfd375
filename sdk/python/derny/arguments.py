"""Arguments of functions: parameters by name, and at most one other by position."""

import inspect

# Sources of the body's first argument.
NOTHING = object()


class Wanted:
    """Arguments that a function's signature accepts from a benchmark.

    `names` are the parameters taken by name; `takes` is true if it takes one more argument by
    position.
    """

    def __init__(self, function, params, what, offered):
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):  # some functions of C have none
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
                        f'{what}: "{name}" is none of its parameters ({_listed(params)})'
                    )
            elif parameter.default is parameter.empty:
                first.append(name)
        if len(first) > (1 if offered else 0):
            extra = first[1 if offered else 0]
            also = "" if offered else ", and it has no setup, inputs or fresh"
            raise TypeError(
                f'{what}: "{extra}" is none of its parameters ({_listed(params)}){also}'
            )
        self.takes = bool(first)

    def call(self, function, params, *first):
        """Call the function once, with parameters and the argument offered by position."""
        named = {name: params[name] for name in self.names}
        return function(*(first if self.takes else ()), **named)


def _listed(params):
    return ", ".join(params) or "there are none"
