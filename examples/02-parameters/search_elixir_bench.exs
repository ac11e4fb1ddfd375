defmodule Search do
  # All combinations of the values: 2 × 3 = 6 cases per benchmark. The first parameter is the outer
  # one.
  use Derny, group: "search"

  # Runs once per case, untimed. Binds `list`, `set` and `wanted` for all benchmarks below.
  setup list: Enum.map(1..n, &"item#{&1}"), set: MapSet.new(list), wanted: Map.fetch!(%{first: "item1", last: "item#{n}", absent: "nothing"}, where)

  bench "list", n: [10, 1000], where: [:first, :last, :absent], do: wanted in list

  bench "set", n: [10, 1000], where: [:first, :last, :absent], do: MapSet.member?(set, wanted)

  # Excludes one combination: an absent item in a short list.
  bench "index", n: [10, 1000], where: [:first, :last, :absent], filter: {n, where} != {10, :absent} do
    Enum.find_index(list, &(&1 == wanted))
  end
end
