from types import SimpleNamespace

from derny import bench, group

# The product of all values: 2 × 3 = 6 cases for each benchmark. n is the outer parameter, because
# it stands first.
params = {"n": [10, 1000], "where": ["first", "last", "absent"]}


# Called once per case and not timed. What it returns is the body's first argument.
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

    # One combination less: an absent item in a short list is left out.
    @bench("count", params=params, setup=made, filter=lambda n, where: (n, where) != (10, "absent"))
    def count(made):
        return made.items.count(made.wanted)
