defmodule Mix.Tasks.Derny.Cmp do
  @shortdoc "Compares runs of benchmarks"
  @moduledoc """
  Compares two runs.

      mix derny.cmp [-d ratio|percent] [BASE [… NEW]] [-- OPTIONS OF derny compare]

  A run is given by its id or name (`derny runs`) or as a Benchfella snapshot file; `-` reads a snapshot from standard input.
  Without arguments, the last two runs are compared. A single run is only shown. Of several runs, the first is compared with the last.

  `-d ratio` (the default) prints how many times as long each benchmark takes, `-d percent` Derny's own table of changes. Both
  print Derny's verdict for each benchmark: do not rely on a difference whose verdict is unclear.

  The first line says whether both sides were measured together. To measure them together, run `mix derny -- --against BASE`: it
  measures the base again beside the new code, in pairs.
  """
  use Mix.Task
  alias DernyMix.{Comparison, Engine, Words}

  @impl true
  def run(args) do
    {diff, sides, more} = Words.compare_options(args)

    case {Words.sides(sides), diff} do
      {{:show, run}, _} ->
        Engine.show(["show", stored(run) | more])

      {{:compare, base, new}, "percent"} ->
        Engine.show(["compare", stored(base), stored(new) | more])

      {{:compare, base, new}, "ratio"} ->
        rows = Comparison.rows(Engine.capture(["compare", stored(base), stored(new), "--format", "csv" | more]))

        IO.write(
          "#{base} vs\n#{new}\n#{Comparison.together(rows, base)}\n#{Comparison.ratios(rows)}#{Comparison.reasons(rows)}"
        )
    end
  end

  @doc "Returns the run that an argument names. Imports a snapshot file into the store first."
  def stored("-") do
    # The engine cannot read this process's standard input, so the snapshot is copied to a file. If the folder
    # exists, another user may have created it.
    folder = Path.join(System.tmp_dir!(), "derny-#{:rand.uniform(0xFFFFFFFFFFFF)}")
    File.mkdir!(folder)
    File.chmod!(folder, 0o700)
    file = Path.join(folder, "stdin.snapshot")
    File.write!(file, IO.read(:stdio, :eof))

    try do
      stored(file)
    after
      File.rm_rf!(folder)
    end
  end

  def stored(word) do
    if Path.extname(word) == ".snapshot" and File.regular?(word), do: taken_in(word), else: word
  end

  defp taken_in(file) do
    case Regex.run(~r/^run ([^ :]+):/m, Engine.capture(["import", "--format", "benchfella", file])) do
      [_, id] -> id
      nil -> Mix.raise("#{file}: `derny import` did not print the id of the run")
    end
  end
end
