"""The kernel, as a test of pytest-benchmark."""

import os

from kernel import STEPS, mix


def test_mix(benchmark):
    benchmark(mix, STEPS + int(os.environ.get("KERNEL_EXTRA", "0")), 2463534242)
