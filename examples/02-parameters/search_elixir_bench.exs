defmodule Search do
  # The product of all values: 2 × 3 = 6 cases for each benchmark. What stands first is the outer parameter.
  use Derny, group: "search"

  # Once per case and not timed, for every benchmark below: `list`, `set` and `wanted` are variables from here on.
  setup list: Enum.map(1..n, &"item#{&1}"), set: MapSet.new(list), wanted: Map.fetch!(%{first: "item1", last: "item#{n}", absent: "nothing"}, where)

  bench "list", n: [10, 1000], where: [:first, :last, :absent], do: wanted in list

  bench "set", n: [10, 1000], where: [:first, :last, :absent], do: MapSet.member?(set, wanted)

  # One combination less: an absent item in a short list is left out.
  bench "index", n: [10, 1000], where: [:first, :last, :absent], filter: {n, where} != {10, :absent} do
    Enum.find_index(list, &(&1 == wanted))
  end
end
