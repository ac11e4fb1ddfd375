defmodule Derny.Program do
  @moduledoc false
  # Runs a file of benchmarks as a program once it has been loaded. Does not depend on how benchmarks are
  # written.

  @doc "Registers a benchmark, given as a map as described in derny_registry.erl."
  def register(benchmark) do
    {schedulers, benchmark} = Map.pop(benchmark, :schedulers)
    args = if schedulers, do: ["--erl", "+S #{schedulers}:#{schedulers}"], else: []
    benchmark = Map.update(benchmark, :args, args, &(args ++ &1))
    # In a shell, a module may be defined again.
    if in_shell?(), do: :derny_registry.replace(benchmark), else: :derny_registry.add(benchmark)
  catch
    :throw, sentence -> raise ArgumentError, IO.chardata_to_string(sentence)
  end

  @doc "Returns the values of a parameter as a list. Raises `ArgumentError` if there are none."
  def values(name, values) do
    case Enumerable.impl_for(values) && Enum.to_list(values) do
      [_ | _] = list -> list
      _ -> raise ArgumentError, "#{name}: not an option of bench; a parameter needs a list of at least one value, not #{inspect(values)}"
    end
  end

  @doc "Returns the names of inputs, given as a map or a list of pairs."
  def names(inputs), do: for({name, _} <- inputs, do: to_string(name))

  @doc "Returns the input with the given name. Raises `ArgumentError` if there is none."
  def input(inputs, name) do
    case Enum.find(inputs, fn {own, _} -> to_string(own) == name end) do
      {_, value} -> value
      nil -> raise ArgumentError, "there is no input #{inspect(name)}"
    end
  end

  @doc """
  Makes a script run its benchmarks when it ends. They are measured by the engine that started the script or, if
  none did, by one that the script starts. Does nothing in a shell, in files other than `.exs`, and after
  `take_charge/0`.
  """
  def at_end(%Macro.Env{file: file}) do
    if Path.extname(file) == ".exs", do: at_end()
  end

  def at_end do
    unless in_charge?() or in_shell?() do
      take_charge()
      mark = :derny_clock.mark()

      System.at_exit(fn
        0 -> :derny_main.program(:elixir, {[~c"elixir" | :init.get_plain_arguments()], mark})
        status -> status
      end)
    end
  end

  @doc "Declares that the calling program runs the benchmarks itself, so that `at_end` does nothing."
  def take_charge, do: :persistent_term.put(__MODULE__, true)

  defp in_charge?, do: :persistent_term.get(__MODULE__, false)

  defp in_shell?, do: Code.ensure_loaded?(IEx) and IEx.started?()
end
