defmodule Derny.Definition do
  @moduledoc false
  # Expands `bench` to two functions in the user's module: the loop, and a function that describes the benchmark
  # to the registry. Does not depend on how benchmarks are run.

  @hooks [:setup, :teardown, :before_batch, :after_batch]
  @of_params [:filter, :skip, :ops, :bytes, :items]
  @plain [:unit, :tags, :args, :env, :isolate, :max_iterations, :priority, :heap]
  @options [:params, :inputs, :metrics, :schedulers | @hooks ++ @of_params ++ @plain]

  @doc "Stores a hook that applies to the rest of the module."
  def hook(module, key, expression) do
    Module.put_attribute(module, :derny_hooks, Module.get_attribute(module, :derny_hooks) ++ [{key, expression}])
  end

  @doc "Defines a benchmark in the module of `env` from quoted options and body."
  def define(env, name, options, body) do
    {own, params} = Keyword.split(options, @options)
    params = Keyword.get(own, :params, []) ++ params
    hooks = Module.get_attribute(env.module, :derny_hooks)
    steps = for hook <- @hooks, into: %{}, do: {hook, Keyword.get_values(hooks, hook) ++ Keyword.get_values(own, hook)}
    # Tear-down expressions run in the reverse order of their definition.
    steps = Map.update!(steps, :teardown, &Enum.reverse/1)

    names =
      Keyword.keys(params) ++
        if(own[:inputs], do: [:input], else: []) ++ Enum.flat_map(steps.setup ++ steps.before_batch, &bound/1)

    index = length(Module.get_attribute(env.module, :derny_benches))
    about = %{
      name: Enum.join(List.wrap(Module.get_attribute(env.module, :derny_group)) ++ [name], "/"),
      group: Module.get_attribute(env.module, :derny_group),
      index: index, params: params, names: Enum.uniq(names), steps: steps, own: own, body: body, file: env.file, line: env.line
    }

    Code.eval_quoted(quoted(about), [], env)
    Module.put_attribute(env.module, :derny_benches, function(index))
  end

  defp function(index), do: :"derny bench #{index}"

  defp quoted(%{index: index, names: names, body: body} = about) do
    loop = :"derny loop #{index}"
    variables = Enum.map(names, &variable/1)

    quote do
      def unquote(loop)(0, last, unquote_splicing(Enum.map(names, fn _ -> quote(do: _) end))), do: last

      def unquote(loop)(n, _, unquote_splicing(variables)) do
        unquote_splicing(used(variables))
        unquote(loop)(n - 1, unquote(body), unquote_splicing(variables))
      end

      @doc false
      def unquote(function(index))() do
        unquote(description(about, loop, variables))
      end
    end
  end

  # Prevents warnings about unused variables.
  defp used(variables), do: for(variable <- variables, do: quote(do: _ = unquote(variable)))

  defp variable(name), do: Macro.var(name, nil)

  defp description(%{own: own, steps: steps} = about, loop, variables) do
    input = {:{}, [], variables}

    [
      {:name, about.name},
      {:group, about.group},
      {:file, about.file},
      {:line, about.line},
      {:body, {:loop, quote(do: fn n, unquote(input) -> unquote(loop)(n, nil, unquote_splicing(variables)) end)}},
      {:params, params(about)},
      {:setup, setup(about, input)},
      {:teardown, steps.teardown != [] && quote(do: fn unquote(input), _ -> unquote(block(variables, steps.teardown, :ok)) end)},
      {:before_batch, steps.before_batch != [] && quote(do: fn unquote(input), _ -> unquote(block(variables, steps.before_batch, input)) end)},
      {:after_batch, steps.after_batch != [] && quote(do: fn unquote(input), _ -> unquote(block(variables, steps.after_batch, :ok)) end)},
      {:metrics, Enum.map(own[:metrics] || [], &metric(&1, input, variables))},
      {:schedulers, own[:schedulers]}
    ]
    |> Kernel.++(for key <- @of_params, Keyword.has_key?(own, key), do: {key, of_params(own[key], about)})
    |> Kernel.++(Keyword.take(own, @plain))
    |> Enum.reject(fn {_, value} -> value in [nil, false, []] end)
    |> then(&{:%{}, [], &1})
  end

  defp params(%{params: params, own: own}) do
    listed = for {name, values} <- params, do: {name, quote(do: Derny.Program.values(unquote(name), unquote(values)))}
    listed ++ if own[:inputs], do: [input: quote(do: Derny.Program.names(unquote(own[:inputs])))], else: []
  end

  # Returns code that runs the set-up and returns all variables as a tuple, the input of the loop.
  defp setup(%{steps: steps, names: names} = about, input) do
    given = Keyword.keys(about.params) ++ if about.own[:inputs], do: [:input], else: []
    # Variables that only before_batch binds are nil until the first batch.
    later = for name <- names -- (given ++ Enum.flat_map(steps.setup, &bound/1)), do: quote(do: unquote(variable(name)) = nil)
    chosen = if about.own[:inputs], do: [quote(do: unquote(variable(:input)) = Derny.Program.input(unquote(about.own[:inputs]), unquote(variable(:input))))], else: []
    quote do
      fn unquote(map_of(given)) ->
        unquote_splicing(used(Enum.map(given, &variable/1)))
        unquote_splicing(chosen ++ later)
        unquote_splicing(Enum.flat_map(steps.setup, &step/1))
        unquote(input)
      end
    end
  end

  defp map_of(names), do: {:%{}, [], for(name <- names, do: {name, variable(name)})}

  defp of_params(expression, about) do
    names = Keyword.keys(about.params)
    quote do
      fn unquote(map_of(names)) ->
        unquote_splicing(used(Enum.map(names, &variable/1)))
        unquote(expression)
      end
    end
  end

  defp metric({name, options}, input, variables) do
    read = quote(do: fn unquote(input) -> unquote(block(variables, [], Keyword.fetch!(options, :read))) end)
    {name, {:%{}, [], Keyword.put(options, :read, read)}}
  end

  defp block(variables, steps, result) do
    quote do
      unquote_splicing(used(variables))
      unquote_splicing(Enum.flat_map(steps, &step/1))
      unquote(result)
    end
  end

  # Converts a step: `[name: expression]` binds variables. Any other expression is only evaluated.
  defp step(step) do
    case bound(step) do
      [] -> [step]
      _ -> for {name, expression} <- step, do: quote(do: unquote(variable(name)) = unquote(expression))
    end
  end

  defp bound(step), do: if(is_list(step) and step != [] and Keyword.keyword?(step), do: Keyword.keys(step), else: [])
end
