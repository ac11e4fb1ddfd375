defmodule DernyMix.Comparison do
  @moduledoc """
  Prints the CSV of `derny compare` in the form of `mix bench.cmp`: one ratio per benchmark, followed by
  Derny's interval and verdict. Does not depend on where the CSV comes from.
  """

  @doc "Parses CSV into maps whose keys are the names in the first row."
  def rows(text) do
    case text |> String.split("\n", trim: true) |> Enum.map(&fields/1) do
      [head | rows] -> Enum.map(rows, &Map.new(Enum.zip(head, &1)))
      [] -> []
    end
  end

  # Splits a line into fields. Fields may be quoted and contain doubled quotes (RFC 4180).
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

  @doc "Returns the table: benchmarks grouped by suite, smallest ratio first."
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

  @doc """
  Returns a line that states whether both sides were measured together. `base` is the user's name for the
  first side.
  """
  def together([%{"pairing" => "paired"} | _], base), do: "both sides were measured in pairs, in one run with #{base}\n"

  def together([%{"pairing" => "unpaired"} | _], base),
    do: "compared with the stored run #{base}: ratios include changes of the machine between the two runs\n"

  def together(_, _), do: ""

  @doc "Returns the reasons for unclear verdicts without repetition, one per line."
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
