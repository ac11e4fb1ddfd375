defmodule Mix.Tasks.Derny.Graph do
  @shortdoc "Plots recent benchmark runs"
  @moduledoc """
  Draws how long each benchmark took in the last runs.

      mix derny.graph [-n COUNT] [-o FILE] [SNAPSHOT]... [-- WORDS FOR derny plot]

  `-n` is the number of runs (default 2). The picture is written to `bench/graphs/index.svg`; it needs no network and no script.
  Snapshots of Benchfella that are named are taken into the store first.
  """
  use Mix.Task
  alias DernyMix.{Engine, Words}

  @impl true
  def run(args) do
    {count, output, files, more} = Words.graph_options(args)
    Enum.each(files, &Mix.Tasks.Derny.Cmp.stored/1)
    File.mkdir_p!(Path.dirname(output))
    runs = Integer.to_string(max(count, length(files)))
    Engine.show(["plot", "last", "--kind", "history", "--runs", runs, "--output", output | more])
    Mix.shell().info("Wrote #{output}")
  end
end
