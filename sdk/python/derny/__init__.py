"""Benchmarks for the engine `derny`, which measures, compares and judges them.

    from derny import bench

    @bench(params={"n": [10, 1000]}, setup=lambda n: [f"word{i}" for i in range(n)])
    def join(words):
        return " ".join(words)

`python FILE` starts the engine on the file; so does `derny run FILE`. In a session that is open,
`attach()` measures what was defined, and `%load_ext derny` adds `%derny` to IPython.
"""

from .registry import Skip, bench, black_hole, group
from .version import VERSION as __version__

__all__ = ["Skip", "__version__", "attach", "bench", "black_hole", "group"]


def attach(*patterns, **options):
    """Measure the benchmarks of this session, or those that patterns select, and return the result.

    Options are those of `derny attach`: `attach("join", budget="2s", quick=True)`.
    """
    from .attached import attach as measure

    return measure(*patterns, **options)


def load_ipython_extension(ipython):
    """Add `%derny` and `%%derny`; called by `%load_ext derny`."""
    from .notebook import load

    load(ipython)
