defmodule Derny.Benchee.Script do
  @moduledoc false
  # Runs a script as `mix run` or `elixir` would, in a process of its own.

  # The modules that replace Benchee's. They are loaded before the script can load Benchee's own.
  @replaced [Benchee.Benchmark.Runner, Benchee.Formatter, Benchee.Output.BenchmarkPrinter, Benchee.Profile, Benchee.ScenarioLoader]

  # Calls that would end the runtime, and with it the conversation.
  @halts [{[:System], :halt}, {[:System], :stop}, {:erlang, :halt}, {:init, :stop}]

  # Tasks that `mix run` runs before the script. If the script calls one of them, nothing happens: Derny's build
  # has already run them, and the Mix project is not loaded.
  @run_before ["app.config", "app.start", "compile", "deps.loadpaths", "loadpaths"]

  @doc "Loads the project, and replaces modules of Benchee. Throws a message if Benchee is missing or too old."
  def prepare(file) do
    keep()
    env = System.get_env("MIX_ENV", "dev")
    is_project = File.regular?("mix.exs")

    if is_project do
      Mix.start()
      Mix.env(String.to_atom(env))
      Derny.Boot.project(env)
    end

    unless Code.ensure_loaded?(Benchee) or File.read!(file) =~ ~r/Mix\.install|Code\.(append|prepend)_path|:code\.add_path/ do
      throw(missing(is_project, env))
    end

    refuse_old()
    replace()
    if is_project, do: start_applications()
  end

  # Throws a message if Benchee is older than 1.0, because older versions pass other structures to their runner.
  # 0.99 was the release candidate of 1.0.
  defp refuse_old do
    _ = Application.load(:benchee)

    with {:ok, version} <- Version.parse(to_string(Application.spec(:benchee, :vsn))), :lt <- Version.compare(version, "0.99.0") do
      throw("Benchee #{version} is too old: Derny measures scripts of Benchee 1.0 or later. Set `{:benchee, \"~> 1.0\"}` in mix.exs and run `mix deps.get`")
    end
  end

  defp missing(true, env) do
    "Benchee is not among the compiled dependencies of this Mix project (MIX_ENV=#{env}). Run `mix deps.get`, " <>
      "or set MIX_ENV to an environment that has it"
  end

  defp missing(false, _) do
    "Benchee is not on the code path. Run Derny in the Mix project that has it, name its compiled code in ERL_LIBS, " <>
      "or use Mix.install"
  end

  @doc "Replaces modules of Benchee with ours."
  def replace do
    for {module, binary, path} <- :persistent_term.get(@replaced) do
      :code.purge(module)
      {:module, ^module} = :code.load_binary(module, path, binary)
    end
  end

  # Stores the code of our modules. At this point they still come first on the code path, before those of
  # Benchee. Modules without a file are skipped, because they are loaded already.
  defp keep, do: :persistent_term.put(@replaced, for({_, _, _} = code <- Enum.map(@replaced, &:code.get_object_code/1), do: code))

  # Starts the applications of the project, as `mix run` does.
  defp start_applications do
    for file <- ["mix.exs" | Path.wildcard("apps/*/mix.exs")], [_, name] <- [Regex.run(~r/\bapp:\s*:(\w+)/, File.read!(file))] do
      start(String.to_atom(name))
    end
  end

  defp start(app) do
    case Application.ensure_all_started(app) do
      {:ok, _} -> :ok
      {:error, {^app, {~c"no such file or directory", _}}} -> :ok
      {:error, {absent, {~c"no such file or directory", _}}} -> without(absent, app)
      {:error, {failed, reason}} -> throw("the application #{failed} did not start: #{Application.format_error(reason)}")
    end
  end

  # Starts an application without a missing dependency, such as one for documentation. The build has already
  # reported it.
  defp without(absent, app) do
    :ok = :application.load({:application, absent, vsn: ~c"0", modules: [], registered: [], applications: []})
    start(app)
  end

  @doc "Runs the script, and sends its outcome to the process `session`. Does not return."
  def run(file, arguments, session) do
    System.argv(arguments)
    :persistent_term.put(__MODULE__, {session, self()})
    outcome = outcome(file)
    send(session, {:derny_ended, self(), outcome})
    # Processes that the script has started are linked to this one and would end with it.
    Process.sleep(:infinity)
  end

  @doc "Returns the process of the session."
  def session, do: elem(:persistent_term.get(__MODULE__), 0)

  defp outcome(file) do
    code = Code.string_to_quoted!(File.read!(file), file: file)

    try do
      code |> Macro.postwalk(&redirected/1) |> Code.compile_quoted(file)
      :ended
    catch
      :exit, {:shutdown, {:derny_halted, 0}} -> :ended
      :exit, {:shutdown, {:derny_halted, status}} -> {:failed, {"the script ended itself with status #{status}", :undefined}}
      :exit, reason when reason in [:normal, :shutdown, {:shutdown, 0}] -> :ended
      kind, reason -> {if(calls_no_more?(code, __STACKTRACE__, file), do: :failed_after, else: :failed), :derny_failure.caught(kind, reason, __STACKTRACE__)}
    end
  catch
    kind, reason -> {:failed, :derny_failure.caught(kind, reason, __STACKTRACE__)}
  end

  # Returns true if the script failed after its last mention of Benchee. Code there works with the results of
  # suites, which Derny does not return.
  defp calls_no_more?({:__block__, _, forms}, stack, file) do
    own = file |> Path.relative_to_cwd() |> String.to_charlist()
    lines = for {module, _, _, at} <- stack, String.starts_with?(inspect(module), ":elixir_compiler_"), at[:file] == own, do: at[:line]
    lines != [] and not (forms |> from(List.last(lines)) |> names_benchee?())
  end

  defp calls_no_more?(_, _, _), do: false

  # Returns the form that contains a line, and those after it.
  defp from(forms, line) do
    after_it = Enum.drop_while(forms, &(first_line(&1) <= line))
    Enum.drop(forms, max(0, length(forms) - length(after_it) - 1))
  end

  defp first_line(form) do
    {_, lines} = Macro.prewalk(form, [], fn
      {_, at, _} = form, lines when is_list(at) -> {form, List.wrap(at[:line]) ++ lines}
      form, lines -> {form, lines}
    end)

    Enum.min(lines, fn -> 0 end)
  end

  defp names_benchee?(forms) do
    {_, found} = Macro.prewalk(forms, false, fn form, found -> {form, found or match?({:__aliases__, _, [:Benchee | _]}, form)} end)
    found
  end

  # Changes three kinds of calls in the script: calls that would end the runtime, tasks that `mix run` runs
  # before the script, and `Mix.install`. The latter loads Benchee's own modules, so ours are loaded again.
  defp redirected({{:., at, [{:__aliases__, _, module}, name]}, call, arguments}) when {module, name} in @halts do
    {{:., at, [__MODULE__, :halt]}, call, Enum.take(arguments, 1)}
  end

  defp redirected({{:., at, [module, name]}, call, arguments}) when {module, name} in @halts do
    {{:., at, [__MODULE__, :halt]}, call, Enum.take(arguments, 1)}
  end

  defp redirected({{:., _, [{:__aliases__, _, [:Mix]}, :install]}, _, [_ | _]} = install) do
    {:__block__, [], [install, {{:., [], [__MODULE__, :replace]}, [], []}]}
  end

  defp redirected({{:., at, [{:__aliases__, _, [:Mix, :Task]}, :run]}, call, [name | _]}) when name in @run_before do
    {{:., at, [__MODULE__, :run_before]}, call, []}
  end

  defp redirected(form), do: form

  @doc "Returns what Mix returns for a task that was run already."
  def run_before, do: :noop

  @doc """
  Replaces calls that would end the runtime. In the script's own process, ends only the script. In any other
  process, such as that of a job, raises an error.
  """
  def halt(status \\ 0) do
    {_, script} = :persistent_term.get(__MODULE__)
    if self() == script, do: exit({:shutdown, {:derny_halted, status}}), else: raise("the job halts the runtime, with status #{inspect(status)}")
  end
end
