"""Defines benchmarks, which the engine `derny` measures and compares.

    from derny import bench

    @bench(params={"n": [10, 1000]}, setup=lambda n: [f"word{i}" for i in range(n)])
    def join(words):
        return " ".join(words)

Both `python FILE` and `derny run FILE` measure the benchmarks of a file. In an interactive session,
`attach()` measures the benchmarks defined so far, and `%load_ext derny` adds `%derny` to IPython.
"""

from .registry import Skip, bench, black_hole, group
from .version import VERSION as __version__

__all__ = ["Skip", "__version__", "attach", "bench", "black_hole", "group"]


def attach(*patterns, **options):
    """Measure the benchmarks of this session, or those that patterns select. Return the result.

    Options are those of `derny dev attach`: `attach("join", budget="2s", quick=True)`.
    """
    from .attached import attach as measure

    return measure(*patterns, **options)


def load_ipython_extension(ipython):
    """Add the magics `%derny` and `%%derny`. `%load_ext derny` calls this function."""
    from .notebook import load

    load(ipython)
