defmodule DernyMix.Words do
  @moduledoc """
  Translates the options of Benchfella's Mix tasks to arguments of the engine. Reads no files and starts no
  programs.
  """

  @formats ["plain", "markdown", "raw"]

  # Derny's budget as a multiple of Benchfella's duration, which applies to Benchfella's last round only. With
  # the rounds before it, a benchmark takes two to five times as long.
  @rounds 4

  @doc """
  Returns the options and paths of `mix derny`, and the arguments after `--`, which are for `derny run`.
  Raises `Mix.Error` for an invalid option.
  """
  def run_options(args) do
    {args, more} = split(args)

    parsed =
      parse(args,
        strict: [duration: :float, format: :string, quiet: :boolean, output: :string, compile: :boolean],
        aliases: [d: :duration, f: :format, q: :quiet, o: :output]
      )

    {options, paths} = parsed
    format = Keyword.get(options, :format, "plain")
    if format not in @formats, do: Mix.raise("Invalid option: --format=#{format} (plain, markdown or raw)")
    if Keyword.get(options, :duration, 1.0) <= 0, do: Mix.raise("Invalid option: --duration must be more than 0")
    {Keyword.put(options, :format, format), paths, more}
  end

  @doc "Returns the engine's arguments for a run of these files."
  def run(files, options, more) do
    duration = Keyword.get(options, :duration)

    ["run" | files] ++
      if(duration, do: ["--budget", "#{round(@rounds * duration * 1000)}ms"], else: []) ++
      case options[:format] do
        "markdown" -> ["--format", "markdown"]
        _ -> []
      end ++
      if(options[:quiet], do: ["--quiet"], else: []) ++ more
  end

  @doc "Returns the options and sides of `mix derny.cmp`; arguments after `--` are for `derny compare`."
  def compare_options(args) do
    {args, more} = split(args)
    {options, sides} = parse(args, strict: [diff: :string], aliases: [d: :diff])
    diff = Keyword.get(options, :diff, "ratio")
    if diff not in ["ratio", "percent"], do: Mix.raise("Invalid option: --diff=#{diff} (ratio or percent)")
    {diff, sides, more}
  end

  @doc """
  Returns the runs to compare: the last two if no side is given, otherwise the first side and the last. A
  single side is only shown.
  """
  def sides([]), do: {:compare, "last~1", "last"}
  def sides([one]), do: {:show, one}
  def sides([first | rest]), do: {:compare, first, List.last(rest)}

  @doc "Returns the options and files of `mix derny.graph`; arguments after `--` are for `derny plot`."
  def graph_options(args) do
    {args, more} = split(args)
    {options, files} = parse(args, strict: [count: :integer, js: :boolean, output: :string], aliases: [n: :count, o: :output])
    count = Keyword.get(options, :count, 2)
    if count < 1, do: Mix.raise("Invalid option: -n must be at least 1")
    {count, Keyword.get(options, :output, "bench/graphs/index.svg"), files, more}
  end

  @doc "Splits arguments at the first `--`."
  def split(args) do
    {own, more} = Enum.split_while(args, &(&1 != "--"))
    {own, Enum.drop(more, 1)}
  end

  defp parse(args, switches) do
    case OptionParser.parse(args, switches) do
      {options, rest, []} -> {options, rest}
      {_, _, [{name, nil} | _]} -> Mix.raise("Invalid option: #{name}")
      {_, _, [{name, value} | _]} -> Mix.raise("Invalid option: #{name}=#{value}")
    end
  end
end
