"""Names of parameter combinations, as asv prints them. They are the same in all processes."""

import itertools
import re

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
# Maximum length of a case's texts, because they must fit into one line of the protocol.
_LONGEST = 2000


class Unnameable(ValueError):
    """A value that other processes can identify neither by name nor by position."""


def text_of(value):
    """Return the printed form of a value, without memory addresses."""
    text = _ADDRESS.sub("", repr(value))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


class Axis:
    """One parameter: its name, and its values in order with their texts."""

    def __init__(self, name, values):
        self.name = name
        self.is_ordered = not isinstance(values, (set, frozenset))
        self.values = list(values)
        self.texts = [text_of(value) for value in self.values]
        if not self.is_ordered:
            # The order of values may differ between processes, so names are assigned in sorted
            # order.
            order = sorted(range(len(self.values)), key=self.texts.__getitem__)
            self.values = [self.values[i] for i in order]
            self.texts = [self.texts[i] for i in order]
        self.is_reproducible = self.is_ordered or len(set(self.texts)) == len(self.texts)
        self._number_equal_ones()

    def _number_equal_ones(self):
        count, seen = {}, {}
        for text in self.texts:
            count[text] = count.get(text, 0) + 1
        for i, text in enumerate(self.texts):
            if count[text] > 1:
                seen[text] = seen.get(text, -1) + 1
                self.texts[i] = f"{text} ({seen[text]})"

    def index_of(self, text, place):
        """Return the index of a value: by its name, or else by the position that another process
        reported.

        `place` is (index, number of values) or None. Raise Unnameable if the value cannot be found.
        """
        if self.is_reproducible and text in self.texts:
            return self.texts.index(text)
        if self.is_ordered and place is not None and place[1] == len(self.values):
            return place[0]
        raise Unnameable(
            f'the parameter "{self.name}" has no value {text}: its name and position differ '
            "between processes, so they would not measure the same case. "
            "Give its values a distinct repr, or use strings that name them"
        )


def axes_of(params, names):
    """Return the axes for a benchmark's `params` and `param_names`, as asv interprets them.

    Raise TypeError if they are not lists.
    """
    is_set = isinstance(params, (set, frozenset))
    values = params if is_set else list(params)
    first = next(iter(values), None)
    if not values:
        values = []
    elif is_set or not isinstance(first, (list, tuple)):
        values = [values]
    names = [str(name) for name in names][: len(values)]
    names += [f"param{i + 1}" for i in range(len(names), len(values))]
    seen, axes = {}, []
    for name, own in zip(names, values):
        # The name becomes a key in a protocol line, and must be unique.
        name = re.sub(r"[\s=%]+", "_", name.strip()) or "param"
        seen[name] = seen.get(name, 0) + 1
        axes.append(Axis(name if seen[name] == 1 else f"{name}_{seen[name]}", own))
    return axes


def combinations(axes):
    """Yield (texts, values, indices) for all combinations. The first parameter varies slowest."""
    for indices in itertools.product(*(range(len(axis.values)) for axis in axes)):
        yield (
            tuple(axis.texts[i] for axis, i in zip(axes, indices)),
            tuple(axis.values[i] for axis, i in zip(axes, indices)),
            indices,
        )
