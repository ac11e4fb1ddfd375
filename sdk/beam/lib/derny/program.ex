defmodule Derny.Program do
  @moduledoc false
  # A file of benchmarks as a program: its behaviour once it has been loaded. Independent of how benchmarks
  # are written.

  @doc "Registers a benchmark: the map that derny_registry.erl describes."
  def register(benchmark) do
    {schedulers, benchmark} = Map.pop(benchmark, :schedulers)
    args = if schedulers, do: ["--erl", "+S #{schedulers}:#{schedulers}"], else: []
    benchmark = Map.update(benchmark, :args, args, &(args ++ &1))
    # In a shell a module may be redefined.
    if in_shell?(), do: :derny_registry.replace(benchmark), else: :derny_registry.add(benchmark)
  catch
    :throw, sentence -> raise ArgumentError, IO.chardata_to_string(sentence)
  end

  @doc "The values of a parameter."
  def values(name, values) do
    case Enumerable.impl_for(values) && Enum.to_list(values) do
      [_ | _] = list -> list
      _ -> raise ArgumentError, "#{name}: is neither an option of bench, nor a parameter with a list of values: #{inspect(values)}"
    end
  end

  @doc "The names of inputs, which are a map or a list of pairs."
  def names(inputs), do: for({name, _} <- inputs, do: to_string(name))

  @doc "The input of that name."
  def input(inputs, name) do
    case Enum.find(inputs, fn {own, _} -> to_string(own) == name end) do
      {_, value} -> value
      nil -> raise ArgumentError, "there is no input #{inspect(name)}"
    end
  end

  @doc """
  In a script, makes sure that after its end the benchmarks are run: by the engine that started it, or by one that is started now.
  Does nothing where somebody else sees to that, in a shell, and for modules of a project that is being compiled.
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

  @doc "Makes the calling program the one that runs the benchmarks."
  def take_charge, do: :persistent_term.put(__MODULE__, true)

  defp in_charge?, do: :persistent_term.get(__MODULE__, false)

  defp in_shell?, do: Code.ensure_loaded?(IEx) and IEx.started?()
end
