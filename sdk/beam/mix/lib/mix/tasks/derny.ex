defmodule Mix.Tasks.Derny do
  @shortdoc "Runs benchmarks with Derny"
  @moduledoc """
  Runs the benchmarks of a project. By default, these are the files `bench/**/*_bench.exs`, in an umbrella project those of
  every application.

      mix derny [OPTIONS] [PATH or WILDCARD]... [-- OPTIONS OF derny run]

    * `-d`, `--duration SECONDS`: as in Benchfella; each benchmark takes about four times as long
      (default: set in derny.toml, or ten seconds in total)
    * `-f`, `--format plain|markdown|raw`: print a table, a Markdown table, or a Benchfella snapshot
    * `-q`, `--quiet`: print neither progress nor hints
    * `-o`, `--output FOLDER`: also write a Benchfella snapshot into this folder
    * `--no-compile`: do not compile the project first

  To run this task as `mix bench`, put `aliases: [bench: "derny", "bench.cmp": "derny.cmp", "bench.graph": "derny.graph"]` into mix.exs.
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
    if found == [], do: Mix.raise("no benchmark file matches #{Enum.join(wildcards, ", ")}")
    found
  end

  # Returns the engine's environment variables. ERL_LIBS names the code that Mix has just compiled.
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
