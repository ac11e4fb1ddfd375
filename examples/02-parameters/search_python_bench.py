from types import SimpleNamespace

from derny import bench, group

# All combinations of the values: 2 × 3 = 6 cases per benchmark. n is the outer parameter, because
# it is the first.
params = {"n": [10, 1000], "where": ["first", "last", "absent"]}


# Runs once per case, untimed. The returned value is the body's first argument.
def made(n, where):
    items = [f"item{i}" for i in range(n)]
    wanted = {"first": "item0", "last": f"item{n - 1}", "absent": "nothing"}[where]
    return SimpleNamespace(items=items, set=set(items), wanted=wanted)


with group("search"):

    @bench("list", params=params, setup=made)
    def in_list(made):
        return made.wanted in made.items

    @bench("set", params=params, setup=made)
    def in_set(made):
        return made.wanted in made.set

    # Excludes one combination: an absent item in a short list.
    @bench("count", params=params, setup=made, filter=lambda n, where: (n, where) != (10, "absent"))
    def count(made):
        return made.items.count(made.wanted)
