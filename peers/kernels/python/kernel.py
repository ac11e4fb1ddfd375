"""The kernel, as a benchmark of pyperf: dependent xorshift steps of 32 bits. Their number is read
at run time.
"""

import os

STEPS = 3200


def mix(steps, x):
    for _ in range(steps):
        x ^= (x << 13) & 0xFFFFFFFF
        x ^= x >> 17
        x ^= (x << 5) & 0xFFFFFFFF
    return x


if __name__ == "__main__":
    import pyperf

    steps = STEPS + int(os.environ.get("KERNEL_EXTRA", "0"))
    pyperf.Runner().bench_func("mix", mix, steps, 2463534242)
