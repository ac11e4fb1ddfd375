defmodule DeadCode do
  use Derny

  @radius 3.0

  # WRONG: the arguments are constants, so the compiler computes the result and leaves nothing to do.
  bench "1 wrong: constant input", do: @radius * @radius + 1.0

  # WRONG: what is computed before the last expression is not used, so the compiler leaves it out.
  bench "2 wrong: result dropped", r: [3.0] do
    _ = r * r + 1.0
    r
  end

  # RIGHT: the input is not known beforehand, and the result is returned.
  bench "3 right", r: [3.0], do: r * r + 1.0

  # RIGHT: several results are returned together, at the price of a tuple.
  bench "4 right: two results", r: [3.0], do: {r * r + 1.0, r}

  # What all of them share: the loop, and keeping the result.
  bench "5 nothing", r: [3.0], do: r
end
