"""The bodies, as benchmarks of Derny."""

import os

from derny import bench

steps = 3200 + int(os.environ.get("KERNEL_EXTRA", "0"))
kept = [None] * 16


@bench
def mix():
    x = 123
    for _ in range(steps):
        x = (x * 5 + 1) & 31
    return x


@bench
def allocate():
    for i in range(steps // 16):
        kept[i & 15] = [i, i, i]
    return kept
