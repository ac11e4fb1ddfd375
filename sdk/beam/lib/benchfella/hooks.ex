defmodule Benchfella.Hooks do
  @moduledoc false
  # Three kinds of processes are used, as in Benchfella. One process per module runs setup_all and
  # teardown_all, and lives while the case is open. The process of the case runs before_each_bench, makes the
  # inputs, and runs after_each_bench. Each turn runs its bodies in a new process.

  @doc "Returns a bench as a map for derny_registry."
  def benchmark(module, name) do
    function = Benchfella.bench_func_name(name)
    group = inspect(module)

    %{
      name: "#{group}/#{name}",
      group: group,
      file: module.module_info(:compile)[:source] |> to_string(),
      process: :turn,
      setup: fn _ -> open(module, function) end,
      body: {:loop, fn n, {_, context, inputs} -> apply(module, function, [n, nil, context | inputs]) end},
      teardown: fn {owner, context, _}, _ -> close(module, owner, context) end
    }
  end

  defp open(module, function) do
    {owner, mod_context} = own(module)

    try do
      context = call(module, :before_each_bench, [mod_context], {:ok, mod_context})
      {owner, context, apply(module, function, [context])}
    rescue
      exception ->
        finish(owner)
        reraise exception, __STACKTRACE__
    catch
      thrown ->
        finish(owner)
        throw(thrown)
    end
  end

  # Starts the process of the module and waits until setup_all has returned.
  defp own(module) do
    parent = self()
    {owner, monitor} = spawn_monitor(fn -> run(module, parent) end)

    receive do
      {^owner, {:ok, context}} ->
        Process.demonitor(monitor, [:flush])
        {owner, context}

      {^owner, {:skip, _} = skip} ->
        Process.demonitor(monitor, [:flush])
        throw(skip)

      {:DOWN, ^monitor, _, _, {{kind, reason}, stack}} when kind in [:error, :exit, :throw] ->
        :erlang.raise(kind, reason, stack)

      {:DOWN, ^monitor, _, _, reason} ->
        exit(reason)
    end
  end

  defp run(module, parent) do
    case caught(fn -> call(module, :setup_all, [], {:ok, nil}) end) do
      {:ok, context} ->
        # Whatever setup_all has started may be linked to this process. If the case's process ends, this one
        # must live on until teardown_all has run, so it monitors that process instead of linking to it.
        monitor = Process.monitor(parent)
        send(parent, {self(), {:ok, context}})

        receive do
          {^parent, :teardown} ->
            told(fn -> call(module, :teardown_all, [context], nil) end)
            send(parent, {self(), :done})

          {:DOWN, ^monitor, _, _, _} ->
            told(fn -> call(module, :teardown_all, [context], nil) end)
        end

      {:skip, _} = skip ->
        send(parent, {self(), skip})

      {:failed, kind, reason, stack} ->
        exit({{kind, reason}, stack})
    end
  end

  defp caught(act) do
    {:ok, act.()}
  catch
    :throw, {:skip, _} = skip -> skip
    kind, reason -> {:failed, kind, reason, __STACKTRACE__}
  end

  defp close(module, owner, context) do
    told(fn -> call(module, :after_each_bench, [context], nil) end)
    finish(owner)
  end

  defp finish(owner) do
    monitor = Process.monitor(owner)
    send(owner, {self(), :teardown})

    receive do
      {^owner, :done} -> Process.demonitor(monitor, [:flush])
      {:DOWN, ^monitor, _, _, _} -> :ok
    end
  end

  # Errors after the measurement are printed and do not affect the result.
  defp told(act) do
    act.()
  catch
    kind, reason -> IO.puts(:stderr, Exception.format(kind, reason, __STACKTRACE__))
  end

  # Calls a hook of the module. If the hook is not defined, `otherwise` is used as its result. Returns the
  # context for setup_all and before_each_bench: any result other than {:ok, context} skips the case.
  defp call(module, hook, arguments, otherwise) do
    result = if function_exported?(module, hook, length(arguments)), do: apply(module, hook, arguments), else: otherwise

    case {hook, result} do
      {_, {:ok, context}} when hook in [:setup_all, :before_each_bench] -> context
      {_, other} when hook in [:setup_all, :before_each_bench] -> throw({:skip, "#{hook} returned #{inspect(other)}"})
      _ -> result
    end
  end
end
