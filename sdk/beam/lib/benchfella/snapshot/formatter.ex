defmodule Benchfella.Snapshot.Formatter do
  @moduledoc """
  Formats the tests of a snapshot in plain text or Markdown. Each module has its own
  table with the fastest test first.
  """

  def format(%Benchfella.Snapshot{tests: tests}, format) when format in [:plain, :markdown] do
    width = tests |> Enum.map(fn {_, name, _, _, _} -> String.length(name) end) |> Enum.max(fn -> 0 end)

    for {module, tests} <- tests |> Enum.group_by(&elem(&1, 0)) |> Enum.sort(), into: "" do
      table = row("benchmark name", "iterations", "average time ", width) <> Enum.map_join(Enum.sort_by(tests, &each/1), &test(&1, width))
      if format == :plain, do: "## #{module}\n#{table}", else: "* #{module}\n\n```\n#{table}```\n"
    end
  end

  defp each({_, _, _, iterations, elapsed}), do: elapsed / iterations

  defp test({_, name, _, iterations, _} = test, width), do: row(name, "#{iterations}", :erlang.float_to_binary(each(test), decimals: 2) <> " µs/op", width)

  defp row(name, iterations, time, width), do: String.pad_trailing(name, max(width, 14) + 1) <> " " <> String.pad_leading(iterations, 10) <> "   " <> time <> "\n"
end
