defmodule Derny.Benchee.Suite do
  @moduledoc false
  # Makes benchmarks from the scenarios of one call of `Benchee.run`. Jobs and inputs have the names that
  # Benchee prints. Benchee's own code calls the hooks.

  alias Benchee.Benchmark.Hooks

  @compile {:no_warn_undefined, [Benchee, Benchee.Benchmark, Hooks]}

  # Settings that have no effect, because Derny chooses how long it measures and what it reports.
  @decided ~w[time warmup memory_time reduction_time pre_check max_sample_size measure_function_call_overhead
              exclude_outliers save load profile_after]a

  @doc """
  Returns the suite of one call of `Benchee.run`. `before` lists the earlier suites of the script `file`, and
  `script` is the process that runs it.
  """
  def new(before, {scenarios, context, configuration}, file, script) do
    jobs = Enum.chunk_by(scenarios, & &1.job_name)
    title = configuration[:title]
    names = prefixed(for([first | _] <- jobs, do: first.job_name), title, before)
    about = %{group: title, file: Path.expand(file), context: context, script: script}

    benchmarks =
      case context.config.parallel do
        1 -> for {name, scenarios} <- Enum.zip(names, jobs), do: benchmark(name, scenarios, about)
        parallel -> [refused(names, parallel)]
      end

    %{benchmarks: benchmarks, remarks: remarks(context.config, configuration)}
  end

  # Prefixes the names of jobs with the suite's title. If an earlier suite of the script has used a name, the
  # prefix contains the suite's number too.
  defp prefixed(jobs, title, before) do
    names = for job <- jobs, do: if(title, do: "#{title}/#{job}", else: job)
    used = for suite <- before, benchmark <- suite.benchmarks, do: benchmark.name
    if Enum.any?(names, &(&1 in used)), do: Enum.map(names, &"run #{length(before) + 1}/#{&1}"), else: names
  end

  defp refused(names, parallel) do
    why = "#{Enum.map_join(names, ", ", &inspect/1)}: not measured, because Benchee.run has `parallel: #{parallel}`. " <>
            "Derny measures one process at a time: set `parallel: 1`"

    %{name: hd(names), body: fn -> nil end, failure: {why, :undefined}}
  end

  defp benchmark(name, [%{function: function} = job | _] = scenarios, %{context: context} = about) do
    %{
      name: name,
      file: about.file,
      params: params(scenarios),
      body: function,
      setup: fn params -> open(scenario(scenarios, params), about) end,
      teardown: fn input, params -> Hooks.run_after_scenario(scenario(scenarios, params), with_input(context, input)) end
    }
    |> Map.merge(if about.group, do: %{group: about.group}, else: %{})
    |> Map.merge(if has_each?(job, context), do: each(job, context), else: %{})
  end

  # Returns the fields of a job with hooks around each call. A batch of such a job is a single call.
  defp each(job, context) do
    %{
      max_iterations: 1,
      before_batch: fn input, 1 -> job |> Hooks.run_before_each(with_input(context, input)) |> fitting(job.function) end,
      after_batch: fn _, 1, result -> Hooks.run_after_each(result, job, context) end
    }
  end

  defp has_each?(job, %{config: config}) do
    Enum.any?([job, config], &(&1.before_each || &1.after_each))
  end

  defp params(scenarios) do
    inputs = for %{input_name: name} <- scenarios, name != Benchee.Benchmark.no_input(), do: to_string(name)
    if inputs == [], do: [], else: [input: inputs]
  end

  defp scenario([first | _], params) when not is_map_key(params, :input), do: first

  defp scenario(scenarios, %{input: name}) do
    Enum.find(scenarios, &(to_string(&1.input_name) == name)) || raise ArgumentError, "there is no input #{inspect(name)}"
  end

  # Sets `$callers` to the script's process: Benchee runs a scenario in a task, which would set it.
  defp open(scenario, %{context: context, script: script}) do
    Process.put(:"$callers", [script])
    input = Hooks.run_before_scenario(scenario, context)
    if has_each?(scenario, context), do: input, else: fitting(input, scenario.function)
  end

  # Returns the input, or raises `BadArityError` if the function has the wrong arity. Benchee calls the function
  # with the input or, if there is no input, without arguments.
  defp fitting(input, function) do
    arguments = if input == Benchee.Benchmark.no_input(), do: [], else: [input]
    if is_function(function, length(arguments)), do: input, else: raise(BadArityError, function: function, args: arguments)
  end

  defp with_input(context, input), do: %{context | scenario_input: input}

  defp remarks(config, configuration) do
    given = Map.merge(configuration, Map.from_struct(config))
    # The defaults differ between versions of Benchee.
    default = Benchee.init().configuration

    case for key <- @decided, given[key] != Map.get(default, key), do: key do
      [] -> []
      keys -> Enum.filter(["#{Enum.join(keys, ", ")}: no effect, because Derny decides how long it measures and what it reports: `derny run --help`"], &new?/1)
    end
  end

  # Returns true if no process of this run has made this remark yet. A file in the run's folder records each
  # remark.
  defp new?(remark) do
    case System.get_env("DERNY_SCRATCH") do
      nil -> true
      folder -> File.open(Path.join(folder, "said-#{:erlang.phash2(remark)}"), [:write, :exclusive], fn _ -> :ok end) != {:error, :eexist}
    end
  end
end
