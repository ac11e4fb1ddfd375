defmodule DernyMix.Comparison do
  @moduledoc """
  The CSV of `derny compare` as the lines of `mix bench.cmp`: a ratio for each benchmark, which Derny's interval and verdict
  follow. Knows the CSV and nothing of how it came.
  """

  @doc "The rows of a CSV text as maps by the names in its first row."
  def rows(text) do
    case text |> String.split("\n", trim: true) |> Enum.map(&fields/1) do
      [head | rows] -> Enum.map(rows, &Map.new(Enum.zip(head, &1)))
      [] -> []
    end
  end

  # RFC 4180: a field may be quoted, with quotes in it doubled.
  defp fields(line), do: fields(line, [])
  defp fields("\"" <> rest, done), do: quoted(rest, "", done)

  defp fields(rest, done) do
    case String.split(rest, ",", parts: 2) do
      [field, more] -> fields(more, [field | done])
      [field] -> Enum.reverse([field | done])
    end
  end

  defp quoted("\"\"" <> rest, field, done), do: quoted(rest, field <> "\"", done)
  defp quoted("\"," <> rest, field, done), do: fields(rest, [field | done])
  defp quoted("\"", field, done), do: Enum.reverse([field | done])
  defp quoted(<<char::utf8, rest::binary>>, field, done), do: quoted(rest, field <> <<char::utf8>>, done)

  @doc "The text: below each suite its benchmarks, the one with the smallest ratio first."
  def ratios(rows) do
    rows
    |> Enum.filter(&(&1["statistic"] == "typical" and &1["control"] != "true" and &1["change"] != ""))
    |> Enum.group_by(& &1["suite"])
    |> Enum.sort()
    |> Enum.map_join("\n", fn {suite, cases} ->
      named = Enum.map(Enum.sort_by(cases, &number(&1["change"])), &{name(&1), &1})
      width = named |> Enum.map(fn {name, _} -> String.length(name) end) |> Enum.max()
      "## #{suite}\n" <> Enum.map_join(named, fn {name, row} -> line(String.pad_trailing(name, width), row) end)
    end)
  end

  @doc "Returns one line that says if both sides were measured together; `base` is the user's name for the first."
  def together([%{"pairing" => "paired"} | _], base), do: "#{base} was measured beside it in one run, in pairs\n"

  def together([%{"pairing" => "unpaired"} | _], base),
    do: "against the stored run #{base}: what changed on the machine in between is in every ratio\n"

  def together(_, _), do: ""

  @doc "Returns the reasons for unclear verdicts, each once, one per line."
  def reasons(rows) do
    rows
    |> Enum.filter(&(&1["statistic"] == "typical" and &1["verdict"] == "unclear"))
    |> Enum.map(&(&1["because"] || ""))
    |> Enum.reject(&(&1 == ""))
    |> Enum.uniq()
    |> Enum.map_join(&"unclear: #{&1}\n")
  end

  defp name(row) do
    params = for {"p." <> key, value} <- Enum.sort(row), value != "", do: " #{key}=#{value}"
    Enum.join([row["benchmark"] | params])
  end

  defp line(name, row) do
    interval =
      case {row["change_lo"], row["change_hi"]} do
        {"", _} -> ""
        {_, ""} -> ""
        {lo, hi} -> " (#{ratio(lo)} … #{ratio(hi)})"
      end

    "#{name}  #{ratio(row["change"])}#{interval} #{row["verdict"]}\n"
  end

  defp ratio(change), do: :erlang.float_to_binary(1 + number(change), decimals: 3)

  defp number(text) do
    {number, ""} = Float.parse(text)
    number
  end
end
