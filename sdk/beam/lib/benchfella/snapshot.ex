defmodule Benchfella.Snapshot do
  @moduledoc """
  Reads, compares and prints Benchfella snapshots. A test is `{module, name, tags, iterations, elapsed}`:
  three strings, a count, and the time of all iterations in microseconds. A snapshot contains no measure of
  noise, so `compare/3` cannot tell a change from noise. Use `derny compare` for that.

  There are four differences from Benchfella. The duration may be an integer. Text that is not a snapshot
  raises `ArgumentError`. Names are escaped in JSON. Tests with an elapsed time of 0 can be compared: if both
  times are 0 there is no change, and if only the first one is, the difference is the largest float.
  """
  defstruct options: %{}, tests: []

  alias Benchfella.Snapshot.Formatter

  @titles "module;test;tags;iterations;elapsed"

  @doc """
  Returns the text of a snapshot as iodata. Results have the form `{{module, name}, {iterations, elapsed_us,
  _}}`; failed ones are omitted.
  """
  def prepare(duration, mem_stats, sys_mem_stats, results) do
    rows = for {{module, name}, {iterations, elapsed, _}} <- results, do: [inspect(module), ?\t, word(name), "\t\t#{iterations}\t#{elapsed}\n"]
    ["duration:#{duration};mem stats:#{mem_stats};sys mem stats:#{sys_mem_stats}\n#{@titles}\n" | rows]
  end

  defp word(name), do: String.replace("#{name}", ["\t", "\n"], " ")

  @doc "Parses the text of a snapshot. Raises `ArgumentError` if it is malformed."
  def parse(text) do
    case String.split(text, ["\r\n", "\n"]) do
      ["duration:" <> _ = options, @titles | lines] ->
        %__MODULE__{options: Map.new(String.split(options, ";"), &option/1), tests: for(line <- lines, line != "", do: test(line))}

      _ ->
        raise ArgumentError, "not a snapshot of Benchfella: the first line must be an option such as `duration:1.0`"
    end
  end

  defp option(text) do
    case String.split(text, ":", parts: 2) do
      ["duration", value] -> {"duration", elem({_, ""} = Float.parse(value), 0)}
      [name, value] when value in ["true", "false"] -> {name, value == "true"}
      _ -> raise ArgumentError, "malformed option in a snapshot: #{inspect(text)}"
    end
  end

  defp test(line) do
    case String.split(line, "\t") do
      [module, name, tags, iterations, elapsed] ->
        tags = for tag <- String.split(tags, ","), tag = String.trim(tag), tag != "", do: tag
        {module, name, tags, String.to_integer(iterations), String.to_integer(elapsed)}

      fields ->
        raise ArgumentError, "a test in a snapshot needs five fields, not #{length(fields)}: #{inspect(line)}"
    end
  end

  @doc """
  Returns the difference of each test that both snapshots contain, and the tests that only one contains:
  `{%{module => %{name => difference}}, [{module, name}]}`. A difference is a `:ratio` of times or a change in
  `:percent`, rounded to two decimals.
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
  # The largest float, since a ratio to zero is undefined.
  defp difference(zero, _, _) when zero == 0, do: 1.7976931348623157e308
  defp difference(first, second, :ratio), do: Float.round(second / first, 2)
  defp difference(first, second, :percent), do: Float.round((second - first) / first * 100, 2)

  @doc "Formats a change with a sign: `+3.33%`, or `--` if there is none."
  def format_percent(change) when change == 0, do: "--"
  def format_percent(change), do: if(change > 0, do: "+", else: "") <> :erlang.float_to_binary(change / 1, decimals: 2) <> "%"

  @doc "Prints a table of tests for each module, the fastest first. `format` is `:plain` or `:markdown`."
  def print(snapshot, format), do: IO.puts(Formatter.format(snapshot, format))

  def bench_name(module, name), do: "[#{module}] #{name}"

  @doc """
  Returns the snapshot as JSON: `options`, and `tests` with `module`, `test`, `tags`, `iter` and `elapsed`.
  """
  def to_json(%__MODULE__{options: options, tests: tests}) do
    tests = for {module, name, tags, n, us} <- tests, do: %{module: module, test: name, tags: tags, iter: n, elapsed: us}
    json(%{options: options, tests: tests})
  end

  @doc "Returns snapshots, given as pairs of name and snapshot, as one JSON object."
  def snapshots_to_json(snapshots) when is_list(snapshots) do
    "{" <> Enum.map_join(snapshots, ",", fn {name, snapshot} -> json("#{name}") <> ": " <> to_json(snapshot) end) <> "}"
  end

  defp json(value) when is_boolean(value) or is_number(value), do: "#{value}"
  defp json(list) when is_list(list), do: "[" <> Enum.map_join(list, ",", &json/1) <> "]"
  defp json(%{} = map), do: "{" <> Enum.map_join(map, ",", fn {key, value} -> json("#{key}") <> ":" <> json(value) end) <> "}"
  # Escapes characters of HTML too, so that the JSON can be embedded in a page.
  defp json(text), do: "\"" <> for(<<char::utf8 <- text>>, into: "", do: escaped(char)) <> "\""

  defp escaped(char) when char < 32 or char in [?", ?\\, ?<, ?>, ?&, 0x2028, 0x2029], do: "\\u" <> String.pad_leading(Integer.to_string(char, 16), 4, "0")
  defp escaped(char), do: <<char::utf8>>
end
