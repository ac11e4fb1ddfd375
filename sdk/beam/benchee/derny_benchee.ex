defmodule Derny.Benchee do
  @moduledoc false
  # Runs a Benchee script and measures its jobs within the script's own calls of `Benchee.run`. The script
  # runs in a separate process. Our Benchee.Benchmark.Runner sends this module the scenarios of each call, and
  # waits. When cases are listed, every call returns at once, without measurements. When a case is opened, the
  # call that contains it does not return before the measurement ends, so that everything that the script has
  # set up still exists.
  #
  # This module runs in the process of the session, and keeps its state in the process dictionary.

  alias Derny.Benchee.{Script, Suite}

  @doc "Runs the session of a Benchee script. The engine starts the runtime with this function."
  def main(file, arguments, mark) do
    Derny.Program.take_charge()

    :derny_main.serve(:elixir, mark, fn ->
      Script.prepare(file)
      Process.put(__MODULE__, %{file: file, arguments: arguments, script: nil, held: nil, suites: []})
      :derny_registry.source(&prepare/1)
    end)
  end

  @doc """
  Runs the script and registers its benchmarks. With `:all`, the script runs to its end. With `{:case, name}`, it
  runs until the call of `Benchee.run` that contains the case. Returns remarks. Throws `{:failed, failure}`.
  """
  def prepare(:all) do
    begin()
    outcome = walk(fn _ -> false end)
    %{suites: suites} = Process.get(__MODULE__)
    # A case needs the state that the script has when it calls `Benchee.run`. Cases of different suites
    # therefore cannot share a process.
    replace(for suite <- suites, benchmark <- suite.benchmarks, do: Map.put(benchmark, :isolate, length(suites) > 1))

    case outcome do
      :ended ->
        []

      {_, failure} when suites == [] ->
        throw({:failed, failure})

      {:failed_after, {message, _}} ->
        ["after its last suite, the script failed: #{message}. Under Derny, Benchee.run returns no figures"]

      {:failed, {message, detail}} ->
        message = "the script failed after #{length(suites)} of its suites: #{message}. Under Derny, Benchee.run returns no figures"
        :derny_registry.add(%{name: "after run #{length(suites)}", body: fn -> nil end, failure: {message, detail}})
        []
    end
  end

  def prepare({:case, name}) do
    has = fn suite -> Enum.any?(suite.benchmarks, &(&1.name == name)) end
    held = Process.get(__MODULE__).held

    if held && has.(held.suite) do
      []
    else
      begin()

      case walk(has) do
        :held -> Process.get(__MODULE__).held.suite.remarks
        :ended -> []
        {_, failure} -> throw({:failed, failure})
      end
    end
  end

  defp replace(benchmarks) do
    :derny_registry.clear()
    for benchmark <- benchmarks, do: :derny_registry.add(benchmark)
  end

  # Starts the script from its beginning, after ending an earlier run of it.
  defp begin do
    state = Process.get(__MODULE__)
    with {pid, monitor} <- state.script do
      Process.demonitor(monitor, [:flush])
      Process.exit(pid, :kill)
    end

    :derny_registry.clear()
    session = self()
    script = spawn_monitor(fn -> Script.run(state.file, state.arguments, session) end)
    Process.put(__MODULE__, %{state | script: script, held: nil, suites: []})
  end

  # Lets the script run until it reaches a wanted suite, or ends.
  defp walk(wanted) do
    %{script: {pid, monitor}, suites: suites} = state = Process.get(__MODULE__)

    receive do
      {:derny_suite, caller, scenarios, context, configuration} ->
        suite = Suite.new(suites, {scenarios, context, configuration}, state.file, caller)
        state = %{state | suites: suites ++ [suite]}

        if wanted.(suite) do
          for benchmark <- suite.benchmarks, do: :derny_registry.add(benchmark)
          Process.put(__MODULE__, %{state | held: %{suite: suite}})
          :held
        else
          Process.put(__MODULE__, state)
          send(caller, :derny_pass)
          walk(wanted)
        end

      {:derny_ended, ^pid, outcome} ->
        outcome

      {:DOWN, ^monitor, :process, _, reason} ->
        {:failed, :derny_failure.ended(reason)}
    end
  end
end
