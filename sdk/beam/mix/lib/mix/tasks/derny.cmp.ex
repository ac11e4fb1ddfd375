defmodule Mix.Tasks.Derny.Cmp do
  @shortdoc "Compares runs of benchmarks"
  @moduledoc """
  Compares two runs.

      mix derny.cmp [-d ratio|percent] [BASE [… NEW]] [-- WORDS FOR derny compare]

  A run is an id or a name (`derny runs`), or a snapshot file of Benchfella; `-` is a snapshot on standard input. Without any it
  is the last two; one is shown by itself; of several the first is compared with the last. `-d ratio` (the default) tells how many
  times as long each benchmark takes, `-d percent` prints Derny's own table of changes. Either has Derny's verdict beside each
  figure: without one a difference is no finding. A line above them says whether both sides were measured together: `mix derny --
  --against BASE` measures the base again beside the new code, and comparing the two then compares pairs.
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

  @doc "Returns the run that a word names. A snapshot is first imported into the store."
  def stored("-") do
    # The engine cannot read this runtime's standard input. A folder that already exists is not
    # ours.
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
      nil -> Mix.raise("#{file}: derny import named no run")
    end
  end
end
