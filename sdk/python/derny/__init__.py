"""Benchmarks for the engine `derny`, which measures, compares and judges them.

    from derny import bench

    @bench(params={"n": [10, 1000]}, setup=lambda n: [f"word{i}" for i in range(n)])
    def join(words):
        return " ".join(words)

`python FILE` starts the engine on the file; so does `derny run FILE`.
"""

from .registry import Skip, bench, black_hole, group
from .version import VERSION as __version__

__all__ = ["Skip", "__version__", "bench", "black_hole", "group"]
