# Modules that replace those of Benchee 1.x while a script is measured. The runner is replaced because it
# contains Benchee's measurement loop. The others would print, save, load or profile results, which Derny does
# itself.

defmodule Benchee.Benchmark.Runner do
  @moduledoc false

  @doc """
  Sends the scenarios of a suite to the session, and waits until the session lets the script continue. Returns the
  scenarios without measurements.
  """
  def run_scenarios(scenarios, context) do
    configuration = Process.delete(Benchee.Output.BenchmarkPrinter) || %{}
    send(Derny.Benchee.Script.session(), {:derny_suite, self(), scenarios, context, configuration})

    receive do
      :derny_pass -> scenarios
    end
  end
end

defmodule Benchee.Output.BenchmarkPrinter do
  @moduledoc false

  @doc "Keeps the configuration of a suite, which Benchee prints right before it runs the suite."
  def configuration_information(%{configuration: configuration}) do
    Process.put(__MODULE__, configuration |> Map.from_struct() |> Map.delete(:inputs))
  end

  def duplicate_benchmark_warning(name), do: IO.puts(:stderr, "Benchee: the job #{inspect(name)} is defined twice; the first one is kept")

  # Ignores calls of all other functions that print. They differ between versions of Benchee.
  def unquote(:"$handle_undefined_function")(_, _), do: :ok
end

defmodule Benchee.Formatter do
  @moduledoc false
  @callback format(map, term) :: term
  @callback write(term, term) :: :ok | {:error, String.t()}

  def output(suite), do: suite
  def output(suite, _formatter, _options \\ %{}), do: suite
end

defmodule Benchee.Profile do
  @moduledoc false
  def profile(suite, _printer \\ nil), do: suite
end

defmodule Benchee.ScenarioLoader do
  @moduledoc false
  def load(suite), do: suite
end
