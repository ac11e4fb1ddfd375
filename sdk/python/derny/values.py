"""Converts values of parameters to text and back. The text is the same in all processes."""

import re

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def text_of(value):
    """Return the text that names a value: its printed form without memory addresses.

    Functions and classes are given by name, and sets are sorted.
    """
    if isinstance(value, str):
        return _quoted(value) if _reads_as_other(value) else value
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


_NUMBER = re.compile(r"[-+]?((\d+\.?\d*|\.\d+)(e[-+]?\d+)?|inf|infinity|nan)", re.IGNORECASE)
_WORDS = frozenset(("true", "false", "null", "none", "nil", "undefined", ""))


def _reads_as_other(text):
    """Return whether a text looks like a value of another type, so that a string needs quotes."""
    ends = text[:1] + text[-1:]
    is_list = len(text) > 1 and ends in ("[]", "{}", "()")
    is_word = text.lower() in _WORDS or text.startswith(('"', "'"))
    return is_word or is_list or _NUMBER.fullmatch(text.strip()) is not None


def _quoted(text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _inner(value):
    return repr(value) if isinstance(value, str) else text_of(value)


def named(values):
    """Return [(text, value), …] in order. Repeated texts get a number.

    The items of a set are sorted by text, because their order differs between processes.
    """
    pairs = [(text_of(value), value) for value in values]
    if isinstance(values, (set, frozenset)):
        pairs.sort(key=lambda pair: pair[0])
    taken, unique = {text for text, _ in pairs}, []
    used = set()
    for text, value in pairs:
        name, number = text, 1
        while name in used or (number > 1 and name in taken):
            number += 1
            name = f"{text} ({number})"
        used.add(name)
        unique.append((name, value))
    return unique


def given(text, own, where):
    """Return (text, value) for a text from the user, which is formatted like a declared value.

    Raise ValueError as `parsed` does.
    """
    value = parsed(text, own, where)
    is_own = any(name == text for name, _ in own)
    return (text_of(value) if isinstance(value, str) and not is_own else text, value)


def parsed(text, own, where):
    """Return the value of a parameter for a text. `own` contains its declared [(text, value), …].

    If no declared value has this text, the parameter must be one of numbers or strings. Raise
    ValueError if it is not, or if the text is not a number.
    """
    for name, value in own:
        if name == text:
            return value
    kinds = {type(value) for _, value in own}
    if kinds == {str}:
        plain = re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)
        return plain if _reads_as_other(plain) and text == _quoted(plain) else text
    if kinds == {int} or kinds == {int, float} or kinds == {float}:
        for number in (int, float) if int in kinds else (float,):
            try:
                return number(text)
            except ValueError:
                pass
        raise ValueError(f'{where}: "{text}" is not a number')
    known = ", ".join(name for name, _ in own)
    raise ValueError(f'{where}: there is no value "{text}"; the values are {known}')
