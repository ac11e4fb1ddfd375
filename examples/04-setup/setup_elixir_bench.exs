defmodule Setup do
  use Derny

  # Returns the same unsorted numbers in every process, so that all processes sort the same input.
  def disorder(n), do: Enum.scan(1..n, 42, fn _, state -> rem(state * 1_103_515_245 + 12_345, 2_147_483_648) end)

  # Data are immutable: every iteration sorts the same list, without a copy.
  bench "1 sort", n: [1000], setup: [numbers: disorder(n)], do: Enum.sort(numbers)

  # WRONG: a table is mutable. The first iteration inserts the key, and all others find it.
  bench "2 wrong: inserted once",
    n: [1000],
    setup: [table: :ets.new(:numbers, [:set])],
    teardown: :ets.delete(table) do
    :ets.insert_new(table, {n})
  end

  # RIGHT: a new table before every batch, and a new key in every iteration. Neither hook is timed.
  bench "3 fresh table for each batch",
    before_batch: [table: :ets.new(:numbers, [:set]), keys: :counters.new(1, [])],
    after_batch: :ets.delete(table) do
    :counters.add(keys, 1, 1)
    :ets.insert_new(table, {:counters.get(keys, 1)})
  end
end
