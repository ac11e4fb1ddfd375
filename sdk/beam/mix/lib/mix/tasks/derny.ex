defmodule Mix.Tasks.Derny do
  @shortdoc "Runs benchmarks with Derny"
  @moduledoc """
  Runs the benchmarks of a project: by default `bench/**/*_bench.exs`, and those of all applications of an umbrella project.

      mix derny [OPTIONS] [PATH or WILDCARD]... [-- WORDS FOR derny run]

    * `-d`, `--duration SECONDS`: as in Benchfella, which takes some four times that for each benchmark, and so does this
      (default: what derny.toml says, else ten seconds in all)
    * `-f`, `--format plain|markdown|raw`: a table, a Markdown table, or the text of a snapshot of Benchfella
    * `-q`, `--quiet`: no progress and no hints
    * `-o`, `--output FOLDER`: write a snapshot of Benchfella there too
    * `--no-compile`: do not compile the project first

  To have it as `mix bench`, put `aliases: [bench: "derny", "bench.cmp": "derny.cmp", "bench.graph": "derny.graph"]` into mix.exs.
  """
  use Mix.Task
  alias DernyMix.{Engine, Words}

  @default ["bench/**/*_bench.exs", "apps/**/bench/**/*_bench.exs"]

  @impl true
  def run(args) do
    {options, paths, more} = Words.run_options(args)
    if Keyword.get(options, :compile, true), do: Mix.Task.run("compile")
    files = files(paths)
    words = Words.run(files, options, more)

    case options[:format] do
      "raw" ->
        Engine.capture(words, env())
        IO.write(Engine.capture(["export", "--format", "benchfella"]))

      _ ->
        Engine.show(words, env())
    end

    snapshot(Keyword.get(options, :output, ""))
  end

  defp files(paths) do
    wildcards = if paths == [], do: @default, else: paths
    found = wildcards |> Enum.flat_map(&Path.wildcard/1) |> Enum.uniq()
    if found == [], do: Mix.raise("there is no benchmark file: nothing matches #{Enum.join(wildcards, ", ")}")
    found
  end

  # The environment that Mix has just compiled, and no other.
  defp env do
    own = Path.join(Mix.Project.build_path(), "lib")
    [{"ERL_LIBS", Enum.join([own | List.wrap(System.get_env("ERL_LIBS"))], ":")}]
  end

  defp snapshot(""), do: :ok

  defp snapshot(folder) do
    File.mkdir_p!(folder)
    now = NaiveDateTime.local_now() |> Calendar.strftime("%Y-%m-%d_%H-%M-%S")
    Engine.show(["export", "--format", "benchfella", "--output", Path.join(folder, "#{now}.snapshot")])
  end
end
