defmodule Benchfella do
  @moduledoc """
  Runs files written for the library Benchfella, unmodified: `use Benchfella`, `bench` with and without
  inputs, `setup_all`, `teardown_all`, `before_each_bench` and `after_each_bench` as macros or functions,
  `bench_context`, and `start`.

  As in Benchfella, a bench becomes two functions named `:"bench: NAME"`. The one of arity 1 makes the inputs
  from the context. The other is a loop, whose body is an argument of the recursive call.

  There are three differences. Inputs may be literals. A body that returns different values causes a warning,
  but is still measured. No error ends the runtime.
  """

  alias Benchfella.Hooks

  defmacro __using__(_) do
    quote do
      import Benchfella, only: :macros
      @before_compile Benchfella
      @after_compile Benchfella
      Module.register_attribute(__MODULE__, :benchfella_benches, accumulate: true)
      Derny.Program.at_end(__ENV__)

      def before_each_bench(mod_context), do: {:ok, mod_context}
      defoverridable before_each_bench: 1
    end
  end

  @doc """
  Makes the script run the defined benchmarks once when it ends, however often this function is called.
  Options are ignored: use those of the command line.
  """
  def start(_options \\ []) do
    Derny.Program.at_end()
    :ok
  end

  @doc "Adds a bench whose two functions the module defines itself; see the module documentation."
  def add_bench(module, name), do: Derny.Program.register(Hooks.benchmark(module, to_string(name)))

  @doc false
  def bench_func_name(name), do: :"bench: #{name}"

  defmacro bench(name, options) do
    {[do: body], inputs} = Keyword.split(options, [:do])
    defined(name, inputs, body)
  end

  defmacro bench(name, inputs, do: body), do: defined(name, inputs, body)

  defp defined(name, inputs, body) do
    quote do
      Benchfella.define(
        __ENV__,
        unquote(name),
        unquote(Macro.escape(inputs, unquote: true)),
        unquote(Macro.escape(body, unquote: true))
      )
    end
  end

  @doc false
  def define(env, name, inputs, body) do
    if name in Module.get_attribute(env.module, :benchfella_benches) do
      IO.warn("#{inspect(env.module)}: the bench #{inspect(name)} is defined twice; the first one is kept", Macro.Env.stacktrace(env))
    else
      Module.put_attribute(env.module, :benchfella_benches, name)
      Code.eval_quoted(functions(bench_func_name(name), inputs, body), [], env)
    end
  end

  # Inputs are made in reverse order, as in Benchfella.
  defp functions(function, inputs, body) do
    {names, values} = inputs |> Enum.reverse() |> Enum.unzip()
    variables = for name <- names, do: Macro.var(name, nil)
    context = Macro.var(:bench_context, nil)

    quote do
      def unquote(function)(unquote(context)) do
        _ = unquote(context)
        [unquote_splicing(values)]
      end

      def unquote(function)(0, result, _, unquote_splicing(for _ <- names, do: quote(do: _))), do: result

      def unquote(function)(n, _, unquote(context), unquote_splicing(variables)) do
        unquote_splicing(for variable <- variables, do: quote(do: _ = unquote(variable)))
        unquote(function)(n - 1, unquote(body), unquote(context), unquote_splicing(variables))
      end
    end
  end

  defmacro setup_all(do: body), do: quote(do: def(setup_all, do: unquote(body)))

  for hook <- [:teardown_all, :before_each_bench, :after_each_bench] do
    defmacro unquote(hook)(context, do: body) do
      hook = unquote(hook)
      quote do: def(unquote(hook)(unquote(context)), do: unquote(body))
    end
  end

  @doc false
  defmacro __before_compile__(env) do
    names = env.module |> Module.get_attribute(:benchfella_benches) |> Enum.sort()

    quote do
      @doc false
      def __benchfella__, do: unquote(names)
    end
  end

  @doc false
  def __after_compile__(env, _binary), do: registered(env.module)

  @doc false
  def registered(module), do: for(name <- module.__benchfella__(), do: add_bench(module, name))
end
