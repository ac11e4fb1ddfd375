defmodule ClosedTest do
  # Tests which files depend only on their text. All others are compiled in each
  # process.
  use ExUnit.Case, async: true
  alias Derny.Closed

  defp closed?(text), do: Closed.closed?(text, "a_bench.exs")
  defp within?(member), do: closed?("defmodule A do\nuse Derny\n#{member}\nend")

  test "benchmarks, functions and constants of their own" do
    assert closed?("")
    assert closed?("Benchfella.start()\nalias A.B\ndefmodule A do\nuse Benchfella\nsetup_all do: {:ok, File.read!(\"x\")}\nend")
    members = [
      ~s|@moduledoc "text"|, ~s|@list Enum.map(1..10, fn x -> x * 2 end)|, ~s|@words ~w(a b)a|, ~s|@list for x <- [1, 2], do: {x, "v\#{x}"}|,
      ~s|@map %{"a" => Enum.sum(@list), b: :lists.seq(1, 3)}|, ~s|@spec f(Unknown.t()) :: integer|, ~s|@apply (fn x -> x end).(1)|,
      ~s|import Bitwise, only: [bsl: 2]|, ~s|def f(x) when x > 1, do: Anything.at_all(System.pid(), x)|, ~s|defp g(_), do: :rand.uniform()|,
      ~s|bench "a", n: [1, 2], setup: [x: File.read!("x")] do\nSystem.pid() <> x\nend|, ~s|bench "a \#{length([1])}", do: 1|,
      ~s|setup x: System.pid()|, ~s|before_each_bench _ do\n{:ok, self()}\nend|, ~s|defmodule Inner do\ndef f, do: 1\nend|
    ]
    for member <- members, do: assert({member, within?(member)} == {member, true})
  end

  test "nothing that reads, or that runs code of others, while the file is compiled" do
    members = [
      ~s|@own System.pid()|, ~s|@text File.read!("x")|, ~s|@now DateTime.utc_now()|, ~s|@one Enum.random(1..2)|, ~s|@one :rand.uniform()|,
      ~s|@self self()|, ~s|@f &System.pid/0|, ~s|@f fn -> System.pid() end|, ~s|@x Application.compile_env(:a, :b)|, ~s|@x apply(System, :pid, [])|,
      ~s|bench "a \#{System.pid()}", do: 1|, ~s|bench name(), do: 1|, ~s|for n <- [1, 2], do: bench("a \#{n}", do: unquote(n))|,
      ~s|bench "a", do: unquote(System.pid())|, ~s|bench "a", do: %Other{}|, ~s|def f, do: %Other{}|, ~s|def f(%Other{a: a}), do: a|, ~s|defstruct [:a]|,
      ~s|use Other|, ~s|import Other|, ~s|require Logger|, ~s|defmacro m, do: 1|, ~s|def f do\nrequire Other\nOther.m()\nend|, ~s|def f, do: dbg(1)|,
      ~s|@before_compile Other|, ~s|@on_load :f|, ~s|@compile {:parse_transform, :other}|, ~s|IO.puts("compiled")|, ~s|def f do\nimport Other\nm()\nend|,
      ~s|def unquote(:f)(), do: 1|, ~s|@x Other.value()|, ~s|@x Enum.map([1], &Other.value/1)|
    ]
    for member <- members, do: assert({member, within?(member)} == {member, false})
    for text <- ["IO.puts(1)", "defmodule A do\nend\nraise \"x\"", "System.put_env(\"a\", \"b\")", "defmodule A do", "defmodule Macro.m() do\nend"], do: assert({text, closed?(text)} == {text, false})
  end
end
