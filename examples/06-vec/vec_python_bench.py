"""Measures the time of `tuple` over the number of elements. `derny plot --over n` draws it."""

from derny import bench


@bench(
    "tuple",
    params={"n": [1000, 2000, 5000, 10000, 20000, 50000]},
    setup=lambda n: list(range(n)),
    items=lambda n: n,
)
def make(numbers):
    return tuple(numbers)
