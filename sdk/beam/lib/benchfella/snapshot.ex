defmodule Benchfella.Snapshot do
  @moduledoc """
  Snapshots of Benchfella for programs that read, compare or print them themselves. A test is `{module, name, tags, iterations, elapsed}`,
  all text but the two counts; elapsed is of all iterations, in microseconds. A snapshot knows no spread, so that what `compare/3`
  returns is no finding: `derny compare` tells one.

  Different from there: a snapshot made by hand may have a duration without a point, what is not a snapshot is an `ArgumentError`, names are
  escaped in JSON, and a test that took no time can be compared: with the largest number as the difference, unless neither took any.
  """
  defstruct options: %{}, tests: []

  alias Benchfella.Snapshot.Formatter

  @titles "module;test;tags;iterations;elapsed"

  @doc "The text of a snapshot, as iodata, of results `{{module, name}, {iterations, elapsed_us, _}}`; others have failed and are left out."
  def prepare(duration, mem_stats, sys_mem_stats, results) do
    rows = for {{module, name}, {iterations, elapsed, _}} <- results, do: [inspect(module), ?\t, word(name), "\t\t#{iterations}\t#{elapsed}\n"]
    ["duration:#{duration};mem stats:#{mem_stats};sys mem stats:#{sys_mem_stats}\n#{@titles}\n" | rows]
  end

  defp word(name), do: String.replace("#{name}", ["\t", "\n"], " ")

  @doc "The snapshot that a text is."
  def parse(text) do
    case String.split(text, ["\r\n", "\n"]) do
      ["duration:" <> _ = options, @titles | lines] ->
        %__MODULE__{options: Map.new(String.split(options, ";"), &option/1), tests: for(line <- lines, line != "", do: test(line))}

      _ ->
        raise ArgumentError, "not a snapshot of Benchfella"
    end
  end

  defp option(text) do
    case String.split(text, ":", parts: 2) do
      ["duration", value] -> {"duration", elem({_, ""} = Float.parse(value), 0)}
      [name, value] when value in ["true", "false"] -> {name, value == "true"}
      _ -> raise ArgumentError, "not an option of a snapshot: #{inspect(text)}"
    end
  end

  defp test(line) do
    case String.split(line, "\t") do
      [module, name, tags, iterations, elapsed] ->
        tags = for tag <- String.split(tags, ","), tag = String.trim(tag), tag != "", do: tag
        {module, name, tags, String.to_integer(iterations), String.to_integer(elapsed)}

      fields ->
        raise ArgumentError, "a test of a snapshot has five fields, not #{length(fields)}: #{inspect(line)}"
    end
  end

  @doc """
  How the tests that both have differ, by module and name, and which tests only one has: `{%{module => %{name => difference}}, [{module,
  name}]}`. A difference is a `:ratio` of the times or a change in `:percent`, with two decimals.
  """
  def compare(%__MODULE__{tests: first}, %__MODULE__{tests: second}, format \\ :ratio) do
    [first, second] = for tests <- [first, second], do: Map.new(tests, fn {module, name, _, n, us} -> {{module, name}, us / n} end)
    {both, one} = Enum.split_with(Map.keys(Map.merge(first, second)), &(is_map_key(first, &1) and is_map_key(second, &1)))

    differences =
      Enum.reduce(both, %{}, fn {module, name} = key, found ->
        difference = difference(first[key], second[key], format)
        Map.update(found, module, %{name => difference}, &Map.put(&1, name, difference))
      end)

    {differences, one}
  end

  defp difference(same, same, :ratio), do: 1.0
  defp difference(same, same, :percent), do: 0.0
  # Nothing is a multiple of zero.
  defp difference(zero, _, _) when zero == 0, do: 1.7976931348623157e308
  defp difference(first, second, :ratio), do: Float.round(second / first, 2)
  defp difference(first, second, :percent), do: Float.round((second - first) / first * 100, 2)

  @doc "`+3.33%`; no change is `--`."
  def format_percent(change) when change == 0, do: "--"
  def format_percent(change), do: if(change > 0, do: "+", else: "") <> :erlang.float_to_binary(change / 1, decimals: 2) <> "%"

  @doc "Prints the tests of each module, the fastest first; `format` is `:plain` or `:markdown`."
  def print(snapshot, format), do: IO.puts(Formatter.format(snapshot, format))

  def bench_name(module, name), do: "[#{module}] #{name}"

  @doc "The snapshot as JSON: `options`, and `tests` with `module`, `test`, `tags`, `iter` and `elapsed`."
  def to_json(%__MODULE__{options: options, tests: tests}) do
    tests = for {module, name, tags, n, us} <- tests, do: %{module: module, test: name, tags: tags, iter: n, elapsed: us}
    json(%{options: options, tests: tests})
  end

  @doc "Named snapshots as one JSON object."
  def snapshots_to_json(snapshots) when is_list(snapshots) do
    "{" <> Enum.map_join(snapshots, ",", fn {name, snapshot} -> json("#{name}") <> ": " <> to_json(snapshot) end) <> "}"
  end

  defp json(value) when is_boolean(value) or is_number(value), do: "#{value}"
  defp json(list) when is_list(list), do: "[" <> Enum.map_join(list, ",", &json/1) <> "]"
  defp json(%{} = map), do: "{" <> Enum.map_join(map, ",", fn {key, value} -> json("#{key}") <> ":" <> json(value) end) <> "}"
  # A page may contain it: no element can begin or end in it.
  defp json(text), do: "\"" <> for(<<char::utf8 <- text>>, into: "", do: escaped(char)) <> "\""

  defp escaped(char) when char < 32 or char in [?", ?\\, ?<, ?>, ?&, 0x2028, 0x2029], do: "\\u" <> String.pad_leading(Integer.to_string(char, 16), 4, "0")
  defp escaped(char), do: <<char::utf8>>
end
