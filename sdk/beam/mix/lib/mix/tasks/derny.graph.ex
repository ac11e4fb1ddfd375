defmodule Mix.Tasks.Derny.Graph do
  @shortdoc "Plots recent benchmark runs"
  @moduledoc """
  Plots the time of each benchmark over the last runs.

      mix derny.graph [-n COUNT] [-o FILE] [SNAPSHOT]... [-- OPTIONS OF derny plot]

  `-n` is the number of runs (default 2). The plot is an SVG file without scripts, by default `bench/graphs/index.svg`. Benchfella
  snapshots that are given as arguments are imported into the store first.
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
