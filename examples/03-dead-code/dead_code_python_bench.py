import math

from derny import bench, black_hole

radii = [float(i + 1) for i in range(16)]


def root(radius):
    return math.sqrt(radius) / math.pow(radius + 1, 1 / 3)


# WRONG: the result is unused. CPython computes it anyway, but PyPy may remove the computation.
@bench("1 wrong: result dropped", inputs=radii)
def dropped(radius):
    root(radius)


# WRONG: the input is a constant. CPython computes the result at compile time, and PyPy before the
# loop.
@bench("2 wrong: constant input")
def constant():
    return 3.0 * 3.0 + 1.0


# RIGHT: the input changes with every iteration, and the result is returned.
bench("3 right", root, inputs=radii)


# RIGHT: a value that is not returned goes into the black hole.
@bench("4 right: two results", inputs=radii)
def two(radius):
    black_hole(root(radius))
    return radius


# The cost that all benchmarks share: the loop, the call, reading the input, keeping the result.
bench("5 nothing", lambda radius: radius, inputs=radii)
