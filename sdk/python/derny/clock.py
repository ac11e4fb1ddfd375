"""The monotonic clock and its resolution."""

import math
import time

NAME = "perf_counter_ns"
now = time.perf_counter_ns


def measured_step(count=200):
    """Return the largest step, in ns, that divides all observed differences between readings.

    The result is at least 1.
    """
    step, last = 0, now()
    for _ in range(100_000):
        reading = now()
        if reading == last:
            continue
        step = math.gcd(step, reading - last)
        last = reading
        count -= 1
        if count == 0:
            break
    return max(1, step)
