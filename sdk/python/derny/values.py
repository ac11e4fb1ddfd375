"""Values of parameters as text, and back: a case is known by text, in every process the same."""

import re

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def text_of(value):
    """Return what a value is called: as it prints, without addresses, functions and classes by
    name, sets sorted.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, (set, frozenset)) and value:
        return f"{{{', '.join(sorted(_inner(item) for item in value))}}}"
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        items = ", ".join(_inner(item) for item in value)
        comma = "," if isinstance(value, tuple) and len(value) == 1 else ""
        return f"[{items}]" if isinstance(value, list) else f"({items}{comma})"
    if type(value) is dict:
        return f"{{{', '.join(f'{_inner(key)}: {_inner(item)}' for key, item in value.items())}}}"
    name = getattr(value, "__name__", None)
    if callable(value) and isinstance(name, str):
        return name
    return _ADDRESS.sub("", repr(value))


def _inner(value):
    return repr(value) if isinstance(value, str) else text_of(value)


def named(values):
    """Return [(text, value), …] in order; what would have the name of an earlier one is numbered.

    The items of a set come in another order in every process, so that they are sorted by text.
    """
    pairs = [(text_of(value), value) for value in values]
    if isinstance(values, (set, frozenset)):
        pairs.sort(key=lambda pair: pair[0])
    seen, unique = {}, []
    for text, value in pairs:
        seen[text] = seen.get(text, 0) + 1
        unique.append((text if seen[text] == 1 else f"{text} ({seen[text]})", value))
    return unique


def parsed(text, own, where):
    """Return the value that a text means, beside a parameter's own [(text, value), …].

    Raises ValueError where it means none: only numbers, texts and truth values can be others than
    the own ones.
    """
    for name, value in own:
        if name == text:
            return value
    kinds = {type(value) for _, value in own}
    if kinds == {str}:
        return text
    if kinds == {int} or kinds == {int, float} or kinds == {float}:
        for number in (int, float) if int in kinds else (float,):
            try:
                return number(text)
            except ValueError:
                pass
        raise ValueError(f'{where}: "{text}" is not a number')
    known = ", ".join(name for name, _ in own)
    raise ValueError(f'{where}: there is no value "{text}"; it has {known}')
