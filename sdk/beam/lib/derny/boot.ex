defmodule Derny.Boot do
  @moduledoc false
  # The program that the engine starts: it loads the project's code and settings, then one file of benchmarks.
  # It uses Mix's folder layout without starting Mix, which would double the start time of a process.

  def main(file, mark) do
    Derny.Program.take_charge()
    :derny_main.serve(:elixir, mark, fn -> load(file) end)
  end

  defp load(file) do
    if File.regular?("mix.exs"), do: project(System.get_env("MIX_ENV", "dev"))
    helpers = helpers(Path.expand(file))
    for helper <- helpers, do: Code.require_file(helper)
    # Definitions in a helper may affect how the file is compiled, so its compiled code is not reused.
    if helpers == [], do: Derny.Kept.require_file(file), else: Code.require_file(file)
  end

  @doc "Adds the compiled code and the settings of the Mix project in the working directory."
  def project(env) do
    top = top(env)
    build = System.get_env("MIX_BUILD_PATH") || Path.join(System.get_env("MIX_BUILD_ROOT", Path.join(top, "_build")), env)
    # This SDK takes precedence over a copy in the project, and over the library Benchfella.
    for folder <- Path.wildcard("#{build}/lib/*/ebin"), do: :code.add_pathz(String.to_charlist(Path.expand(folder)))
    for folder <- Path.wildcard("#{build}/lib/*/consolidated"), do: :code.add_patha(String.to_charlist(Path.expand(folder)))
    # Only the consolidated protocols at the top of an umbrella project contain the implementations of all
    # applications.
    if top == ".", do: :code.add_patha(String.to_charlist(Path.expand("#{build}/consolidated")))
    for name <- ["config.exs", "runtime.exs"], file = Path.join([top, "config", name]), File.regular?(file), do: configure(file, env)
  end

  # Returns the folder that contains `_build` and `config`. For an application of an umbrella project, that is
  # two folders higher.
  defp top(env) do
    if not File.dir?(Path.join("_build", env)) and File.regular?("../../mix.exs"), do: "../..", else: "."
  end

  defp configure(file, env) do
    # Older configuration files call `Mix.env()`.
    if File.read!(file) =~ "Mix." do
      Mix.start()
      Mix.env(String.to_atom(env))
    end

    Application.put_all_env(Config.Reader.read!(file, env: String.to_atom(env), target: :host), persistent: true)
  end

  # Returns the closest `bench_helper.exs`: beside the file, or in a parent folder within the working
  # directory.
  defp helpers(file) do
    root = File.cwd!()

    file
    |> Stream.iterate(&Path.dirname/1)
    |> Stream.drop(1)
    |> Enum.take_while(&(&1 == root or String.starts_with?(&1, root <> "/")))
    |> Enum.map(&Path.join(&1, "bench_helper.exs"))
    |> Enum.filter(&(File.regular?(&1) and &1 != file))
    |> Enum.take(1)
  end
end
