defmodule Bodies do
  use Derny
  import Bitwise

  # Read when a case is opened, because the file may have been compiled with another environment.
  def steps, do: 3200 + String.to_integer(System.get_env("KERNEL_EXTRA", "0"))

  def mix(0, x), do: x

  def mix(steps, x) do
    x = bxor(x, band(x <<< 13, 0xFFFFFFFF))
    x = bxor(x, x >>> 17)
    mix(steps - 1, bxor(x, band(x <<< 5, 0xFFFFFFFF)))
  end

  def allocate(0, kept), do: kept
  def allocate(count, kept), do: allocate(count - 1, [{count, count} | kept])

  bench "mix", setup: [steps: steps()], do: mix(steps, 2_463_534_242)

  bench "allocate", setup: [steps: steps()], do: allocate(div(steps, 16), [])
end
