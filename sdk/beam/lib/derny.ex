defmodule Derny do
  @moduledoc """
  Benchmarks in Elixir.

      defmodule ListBench do
        use Derny

        bench "reverse", n: [10, 1000], setup: [list: Enum.to_list(1..n)] do
          Enum.reverse(list)
        end
      end

  Every combination of parameter values is a case. In all expressions, the parameters and the names that `setup` binds are
  variables. The body is compiled into its own loop in the module, as an argument of the recursive call. It costs no additional
  function call, and the compiler cannot remove it. The README lists all options.

  `use Derny, group: "list"` prepends `list/` to the names.
  """

  alias Derny.{Definition, Program}

  defmacro __using__(options) do
    quote do
      import Derny, only: [bench: 2, bench: 3, setup: 1, teardown: 1, before_batch: 1, after_batch: 1]
      Module.register_attribute(__MODULE__, :derny_benches, accumulate: true)
      Module.put_attribute(__MODULE__, :derny_group, unquote(options)[:group])
      Module.put_attribute(__MODULE__, :derny_hooks, [])
      @before_compile Derny
      @after_compile Derny
      Derny.Program.at_end(__ENV__)
    end
  end

  @doc """
  Defines a benchmark: `bench "name" do … end`, with parameters and options before the `do`. Every key that is
  not an option is a parameter; its value is a list or another enumerable of values.
  """
  defmacro bench(name, options) do
    {[do: body], options} = Keyword.split(options, [:do])
    defined(name, options, body)
  end

  defmacro bench(name, options, do: body), do: defined(name, options, body)

  defp defined(name, options, body) do
    quote do
      Definition.define(
        __ENV__,
        unquote(name),
        unquote(Macro.escape(options, unquote: true)),
        unquote(Macro.escape(body, unquote: true))
      )
    end
  end

  for hook <- [:setup, :teardown, :before_batch, :after_batch] do
    @doc """
    Sets the option `#{hook}:` of every benchmark that follows in the module. It is evaluated before the
    benchmark's own option, except `teardown`, which is evaluated after it.
    """
    defmacro unquote(hook)(expression) do
      hook = unquote(hook)
      quote do: Definition.hook(__MODULE__, unquote(hook), unquote(Macro.escape(expression, unquote: true)))
    end
  end

  @doc """
  Registers a benchmark given as a function, such as one defined in a shell. `options` are those of `bench`,
  but with functions of the parameters (a map) instead of expressions. The result of `setup` is passed to the
  function.
  """
  @spec add(String.t(), (() -> term) | (term -> term), keyword) :: :ok
  def add(name, fun, options \\ []) when is_function(fun, 0) or is_function(fun, 1) do
    options |> Map.new() |> Map.merge(%{name: name, body: fun}) |> Program.register()
  end

  @doc """
  Measures the benchmarks defined in a shell (IEx, Livebook) and prints the result. `flags` are those of
  `derny dev attach`, such as `["--quick"]` or `["list/reverse", "-p", "n=10"]`. Raises if the engine is not
  installed or fails.
  """
  @spec run([String.t()]) :: :ok
  def run(flags \\ []) do
    {report, _} = attach(flags)
    IO.puts(report)
  end

  @doc """
  Like `run/1`, but returns the report and the result in JSON, which is the document of `derny show -f json`.
  """
  @spec attach([String.t()]) :: {report :: String.t(), json :: String.t()}
  def attach(flags \\ []) do
    case :derny_main.attach(:elixir, Enum.map(flags, &String.to_charlist/1), :derny_clock.mark()) do
      {:ok, report, json} -> {report, json}
      {:error, sentence} -> raise to_string(sentence)
    end
  end

  @doc false
  defmacro __before_compile__(env) do
    functions = env.module |> Module.get_attribute(:derny_benches) |> Enum.reverse()

    quote do
      @doc false
      def __derny__, do: unquote(functions)
    end
  end

  @doc false
  def __after_compile__(env, _binary), do: registered(env.module)

  @doc false
  def registered(module), do: for(function <- module.__derny__(), do: Program.register(apply(module, function, [])))
end
