# Benchmarks that `derny dev conform` runs. Their correct results are in
# protocol/IMPLEMENTING.md.
defmodule Conform do
  use Derny, group: "conform"

  bench "empty", do: nil

  bench "busy", us: [20, 200], do: Conform.Busy.wait(us)

  bench "count",
    setup: [calls: :counters.new(1, [])],
    metrics: [calls: [unit: "count", kind: :total, better: :none, exact: true, read: Conform.Busy.taken(calls)]] do
    :counters.add(calls, 1, 1)
  end

  bench "setup", before_batch: Conform.Busy.wait(2000), do: Conform.Busy.wait(20)

  bench "params", size: [1, 2], kind: ["a", "b"], filter: {size, kind} != {2, "b"}, do: nil

  bench "text", text: ["plain"], do: text

  bench "throw",
    at: ["setup", "call", "teardown"],
    setup: fail("setup", at),
    teardown: fail("teardown", at) do
    fail("call", at)
  end

  bench "print" do
    IO.puts("times 1 2 3")
    IO.puts(:stderr, "error message=printed fatal=1")
  end

  bench "skip", skip: "not here", do: nil

  def fail(place, place), do: raise(ArgumentError, "thrown in #{place}")
  def fail(_, _), do: :ok
end

defmodule Conform.Busy do
  def wait(us), do: until(:os.perf_counter() + :erlang.convert_time_unit(us, :microsecond, :perf_counter))

  defp until(time), do: if(:os.perf_counter() < time, do: until(time))

  def taken(calls) do
    count = :counters.get(calls, 1)
    :counters.put(calls, 1, 0)
    count
  end
end
