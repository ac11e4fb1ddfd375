defmodule DernyTest do
  use ExUnit.Case
  import Derny.Conversation

  @measured ~w[opened times end times end closed]

  setup do
    Process.register(self(), :test_case)
    :ok
  end

  test "parameters, inputs and what setup binds are variables everywhere" do
    lines =
      talk(
        """
        defmodule Variables do
          use Derny, group: "g"
          setup base: 100
          teardown send(:test_case, {:teardown, base})

          bench "all", n: [1, 2], kind: 3..4, inputs: [small: [1], large: [1, 2, 3]], setup: [sum: base + n * kind],
            before_batch: [fresh: sum + 1], after_batch: send(:test_case, {:after, fresh}), teardown: send(:test_case, {:own, n}),
            filter: n == 1 or kind == 3, items: n * 10, tags: ["t"], unit: "word", max_iterations: 5, schedulers: 2, env: [A: 1] do
            send(:test_case, {:body, n, kind, length(input), sum, fresh})
          end
        end
        """,
        ["list", "list mode=test" | visit("g/all p.n=2 p.kind=4 p.input=large")]
      )

    {cases, ["end", test | rest]} = Enum.split_while(lines, &(&1 != "end"))
    assert Enum.map(cases, &(~r/p.n=(\d) p.kind=(\d) p.input=(\w+) .*items=(\d+)/ |> Regex.run(&1) |> tl())) ==
             for({n, kind} <- [{1, 3}, {1, 4}, {2, 3}], input <- ~w[small large], do: ["#{n}", "#{kind}", input, "#{n * 10}"])
    assert test == hd(cases)
    assert test =~ ~r/args=--erl,\+S%202:2 env=A%3D1 max_iterations=5 unit=word items=10 group=g tags=t file=talk_bench.exs line=6$/
    assert verbs(rest) == ["end" | @measured]
    for _ <- 1..8, do: assert_received({:body, 2, 4, 3, 108, 109})
    for _ <- 1..4, do: assert_received({:after, 109})
    # Tear-downs run in reverse order.
    assert {:messages, [{:own, 2}, {:teardown, 100}]} = Process.info(self(), :messages)
  end

  test "names may be made, and bodies may have parts that are" do
    lines =
      talk(
        """
        defmodule Made do
          use Derny
          @known 5
          for n <- [1, 2] do
            bench "times \#{n}", setup: [list: Enum.to_list(1..unquote(n))] do
              send(:test_case, {unquote(n), list, @known, helper()})
            end
          end
          bench "one line", do: send(:test_case, :one_line)
          defp helper, do: :ok
        end
        """,
        visit("times%202") ++ visit("one%20line")
      )

    assert verbs(lines) == @measured ++ @measured
    assert_received {2, [1, 2], 5, :ok}
    assert_received :one_line
  end

  test "mistakes are told" do
    for {text, message} <- [
          {~s(bench "a", tag: "x", do: 1), "tag: not an option of bench"},
          {~s(bench "a", do: 1\nbench "a", do: 2), "defined twice"},
          {~s(bench "", do: 1), "must be non-empty text"},
          {~s(bench "a", n: [1, "x"], do: n), "of one type"}
        ] do
      assert_raise ArgumentError, ~r/#{message}/, fn ->
        ExUnit.CaptureIO.capture_io(:stderr, fn -> talk("defmodule Mistake do\nuse Derny\n#{text}\nend", []) end)
      end
      :derny_registry.clear()
    end
  end

  test "what a body raises is told in Elixir's words, and the process lives on" do
    text = """
    defmodule RaisingBodies do
      use Derny
      bench "raise", do: raise(KeyError, key: :a, term: %{})
      bench "badarith", at: [0], do: 1 / at
      bench "throw", do: throw(:ball)
      bench "skip", n: [1], skip: n > 0 && "only without n", do: nil
    end
    """

    lines = talk(text, visit("raise") ++ visit("badarith p.at=0") ++ visit("throw") ++ ["open benchmark=skip p.n=1"] ++ visit("skip p.n=0"))
    told = Enum.map(lines, &said/1)
    assert Enum.any?(told, &(&1 =~ "message=KeyError: key :a not found" and &1 =~ "talk_bench.exs:3"))
    assert Enum.any?(told, &(&1 =~ "message=ArithmeticError: bad argument"))
    assert Enum.any?(told, &(&1 =~ "message=throw: :ball"))
    assert "skip reason=only without n" in told
    assert Enum.take(verbs(lines), -6) == @measured
  end

  test "functions may be added, and evaluated ones are known" do
    :derny_registry.clear()
    {evaluated, _} = Code.eval_string("fn -> :ok end")
    Derny.add("evaluated", evaluated)
    Derny.add("given", fn list -> send(:test_case, {:sum, Enum.sum(list)}) end, params: [n: [3]], setup: fn %{n: n} -> Enum.to_list(1..n) end)
    lines = speak(visit("evaluated") ++ visit("given p.n=3"))
    ends = for "end " <> rest <- lines, do: rest |> String.split(" ") |> Enum.at(4)
    assert ends == ["4", "4", "0", "0"]
    assert_received {:sum, 6}
    :derny_registry.clear()
  end

  test "an empty body costs the loop alone" do
    lines = talk("defmodule Empty do\nuse Derny\nbench \"a\", n: [1], do: n\nend", ["open benchmark=a p.n=1", "measure iterations=100000 batches=9 within=60000000000", "overhead iterations=100000 batches=9"])
    [body, empty] = for "times " <> times <- lines, do: times |> String.split(" ") |> Enum.map(&String.to_integer/1) |> Enum.min()
    assert body < 5 * empty and empty < 5 * body
  end

  test "what a body allocates is told to the word, whatever variables it has" do
    lines = talk("defmodule OwnWords do\nuse Derny\nbench \"list\", n: [10], setup: [m: 1, o: 2], do: {o, Enum.to_list(m..n), n / 2}\nend",
      ["open benchmark=list p.n=10", "measure iterations=1 batches=3", "measure iterations=100 batches=40", "measure iterations=1000 batches=50 mode=trace", "close"])
    assert [a, b, c] = for("end " <> rest <- lines, do: String.split(rest, " ") |> Enum.at(2) |> String.to_integer())
    assert rem(a, 3) == 0 and rem(div(a, 3), 8) == 0 and {b, c} == {div(a, 3) * 4000, div(a, 3) * 50_000}
  end
end
