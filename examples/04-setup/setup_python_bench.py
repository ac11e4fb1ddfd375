import random

from derny import bench

params = {"n": [1000]}


# Returns the same unsorted numbers in every process, so that all processes sort the same input.
def disorder(n):
    return random.Random(42).sample(range(10 * n), n)


# WRONG: the first iteration sorts, all later ones get a list that is already sorted.
@bench("1 wrong: sorted once", params=params, setup=disorder)
def once(numbers):
    numbers.sort()


# BETTER: every iteration sorts a copy, but the copying is timed too.
@bench("2 copy timed", params=params, setup=disorder)
def copied(numbers):
    return sorted(numbers)


# RIGHT: a fresh input for every iteration, made before the batch and outside of the timed region.
@bench("3 fresh input", params=params, setup=disorder, fresh=lambda numbers: numbers.copy())
def fresh(numbers):
    numbers.sort()


# before_batch and after_batch run once per batch, untimed. Here each batch begins with an empty
# cache.
@bench(
    "4 before each batch", setup=dict, before_batch=lambda cache: cache.clear(), max_iterations=100
)
def cached(cache):
    cache[len(cache)] = "value"
