defmodule Setup do
  use Derny

  # Numbers in the same disorder in every process, so that all processes sort the same.
  def disorder(n), do: Enum.scan(1..n, 42, fn _, state -> rem(state * 1_103_515_245 + 12_345, 2_147_483_648) end)

  # Data never change here: every iteration sorts the same list, and nothing needs to be copied.
  bench "1 sort", n: [1000], setup: [numbers: disorder(n)], do: Enum.sort(numbers)

  # WRONG: what does change, a table, is full after the first iteration. All others find the key there.
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
