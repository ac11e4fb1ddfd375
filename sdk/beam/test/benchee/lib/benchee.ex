# A stand-in for Benchee 1.x: its public functions, and the structures that it passes to its runner. It
# contains none of Benchee's code. The functions that Derny replaces fail here, so that a test notices if they
# are not replaced.

defmodule Benchee.Configuration do
  defstruct parallel: 1, time: 5, warmup: 2, memory_time: 0.0, reduction_time: 0.0, pre_check: false, measure_function_call_overhead: true, inputs: nil, title: nil, save: false, load: false, formatters: [],
            before_each: nil, after_each: nil, before_scenario: nil, after_scenario: nil, profile_after: false, max_sample_size: 1_000_000, print: %{}
end

defmodule Benchee.Suite do
  defstruct configuration: nil, system: nil, scenarios: []
end

defmodule Benchee.Scenario do
  defstruct [:name, :job_name, :input_name, :function, :input, :tag, :before_each, :after_each, :before_scenario, :after_scenario, average: nil]
end

defmodule Benchee.Benchmark.ScenarioContext do
  defstruct [:config, :printer, :system, :scenario_input, num_iterations: 1]
end

defmodule Benchee.Benchmark.Hooks do
  def run_before_scenario(scenario, context), do: chain(scenario.input, [context.config.before_scenario, scenario.before_scenario])
  def run_before_each(scenario, context), do: chain(context.scenario_input, [context.config.before_each, scenario.before_each])
  def run_after_each(result, scenario, context), do: all(result, [scenario.after_each, context.config.after_each])
  def run_after_scenario(scenario, context), do: all(context.scenario_input, [scenario.after_scenario, context.config.after_scenario])

  defp chain(input, hooks), do: Enum.reduce(hooks, input, fn hook, value -> if(hook, do: hook.(value), else: value) end)
  defp all(value, hooks), do: for(hook <- hooks, hook, do: hook.(value))
end

defmodule Benchee.Benchmark do
  alias Benchee.Scenario

  def no_input, do: :__no_input

  def benchmark(suite, name, job) do
    {function, options} = with function when is_function(function) <- job, do: {function, []}
    inputs = suite.configuration.inputs || [{no_input(), no_input()}]

    scenarios =
      for {input_name, input} <- inputs do
        struct!(Scenario, [name: to_string(name), job_name: to_string(name), input_name: input_name, input: input, function: function] ++ options)
      end

    %{suite | scenarios: suite.scenarios ++ scenarios}
  end

  def collect(%{configuration: configuration} = suite) do
    printer = Benchee.Output.BenchmarkPrinter
    printer.configuration_information(suite)
    context = %Benchee.Benchmark.ScenarioContext{config: configuration, printer: printer}
    %{suite | scenarios: Benchee.Benchmark.Runner.run_scenarios(suite.scenarios, context)}
  end
end

for module <- [Benchee.Benchmark.Runner, Benchee.Formatter, Benchee.Output.BenchmarkPrinter, Benchee.Profile, Benchee.ScenarioLoader] do
  defmodule module do
    def run_scenarios(_, _), do: raise("Benchee's own loop")
    def output(_), do: raise("Benchee's own formatters")
    def configuration_information(_), do: raise("Benchee's own output")
    def profile(_), do: raise("Benchee's own profiler")
    def load(_), do: raise("Benchee's own files")
  end
end

defmodule Benchee do
  alias Benchee.{Benchmark, Configuration, Suite}

  def run(jobs, options \\ []) do
    suite = Enum.reduce(jobs, init(options), fn {name, job}, suite -> benchmark(suite, name, job) end)
    suite |> collect() |> Benchee.ScenarioLoader.load() |> Benchee.Formatter.output() |> Benchee.Profile.profile()
  end

  def init(options \\ []) do
    configuration = struct!(Configuration, options)
    inputs = configuration.inputs && for({name, input} <- configuration.inputs, do: {to_string(name), input})
    %Suite{configuration: %{configuration | inputs: inputs, time: configuration.time * 1.0e9, warmup: configuration.warmup * 1.0e9}}
  end

  defdelegate benchmark(suite, name, job), to: Benchmark
  defdelegate collect(suite), to: Benchmark
end
