defmodule DeadCode do
  use Derny

  @radius 3.0

  # WRONG: the arguments are constants, so the compiler computes the result at compile time.
  bench "1 wrong: constant input", do: @radius * @radius + 1.0

  # WRONG: the result is unused, so the compiler removes the computation.
  bench "2 wrong: result dropped", r: [3.0] do
    _ = r * r + 1.0
    r
  end

  # RIGHT: the compiler cannot know the input, and the result is returned.
  bench "3 right", r: [3.0], do: r * r + 1.0

  # RIGHT: several results are returned together, at the cost of a tuple.
  bench "4 right: two results", r: [3.0], do: {r * r + 1.0, r}

  # The cost that all benchmarks share: the loop, and keeping the result.
  bench "5 nothing", r: [3.0], do: r
end
