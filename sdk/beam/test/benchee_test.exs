defmodule BencheeTest do
  # Tests Benchee scripts, started as the engine starts them. DERNY_BENCHEE may name folders with the compiled
  # code of Benchee and its dependencies, separated by colons. Otherwise a stand-in is used.
  use ExUnit.Case, async: true

  @sdk Path.dirname(__DIR__)

  setup_all do
    place = Path.join(System.tmp_dir!(), "derny-benchee-#{System.pid()}")
    File.mkdir_p!(place)
    on_exit(fn -> File.rm_rf!(place) end)
    {:ok, place: place, ebin: System.get_env("DERNY_BENCHEE") || stand_in(Path.join(place, "ebin"))}
  end

  defp stand_in(ebin) do
    File.mkdir_p!(ebin)
    {_, 0} = System.cmd("elixirc", ["-o", ebin, "#{@sdk}/test/benchee/lib/benchee.ex"], stderr_to_stdout: true)
    ebin
  end

  setup %{place: place} do
    folder = Path.join(place, "#{System.unique_integer([:positive])}")
    File.mkdir_p!(folder)
    {:ok, folder: folder}
  end

  defp write(folder, name, text) do
    path = Path.join(folder, name)
    File.mkdir_p!(Path.dirname(path))
    File.write!(path, text)
    path
  end

  # Starts a script with the launch command of sdk.toml. Returns the status and the lines of the replies after the
  # first. If the status is not 0, the last element is what the script has printed.
  defp talk(%{folder: folder, ebin: ebin}, text, commands, options \\ []) do
    script = write(folder, Keyword.get(options, :file, "bench.exs"), text)
    streams = [{"DERNY_COMMANDS", write(folder, "commands", Enum.map(commands ++ ["quit"], &[&1, "\n"]))}, {"DERNY_REPLIES", write(folder, "replies", "")}]
    env = [{"DERNY_CACHE", Path.join(Path.dirname(folder), "cache")}, {"MIX_ENV", nil} | streams] ++ Keyword.get(options, :env, [])
    paths = if Keyword.get(options, :paths, true), do: ebin |> String.split(":") |> Enum.flat_map(&["-pa", &1]), else: []
    arguments = ["#{@sdk}/boot.sh", "elixir"] ++ paths ++ ["#{@sdk}/boot.exs", "--benchee", script] ++ Keyword.get(options, :arguments, [])
    {printed, status} = System.cmd("sh", ["-c", Keyword.get(options, :limit, "") <> "exec sh \"$@\"", "sh" | arguments], cd: folder, env: env, stderr_to_stdout: true)
    [_ | lines] = String.split(File.read!(Path.join(folder, "replies")), "\n", trim: true) ++ if(status == 0, do: [], else: [printed])
    {status, lines}
  end

  defp listed(context, text, options \\ []) do
    {0, lines} = talk(context, text, ["list"], options)
    lines
  end

  defp names(lines), do: for("case " <> line <- lines, not (line =~ " error="), do: line |> String.replace(~r/ (file|isolate|max_iterations|group|metrics)=\S*/, "") |> URI.decode())

  @turn "measure iterations=1 batches=2 within=60000000000"

  test "cases are jobs with their inputs, named as Benchee names them, and nothing is printed or saved", context do
    text = """
    Benchee.run(%{"sort" => fn list -> Enum.sort(list) end, reverse: {fn list -> Enum.reverse(list) end, []}},
      inputs: %{"two 2" => [2, 1], small: [1]}, time: 1, save: [path: "saved.benchee", tag: "main"])
    Benchee.run([{"sort", fn -> 1 end}])
    Benchee.run(%{"sort" => fn -> 1 end}, title: "Plain")
    Benchee.init() |> Benchee.benchmark("last/one", fn -> 1 end) |> Benchee.collect()
    """

    lines = listed(context, text)

    assert names(lines) |> Enum.sort() ==
             ["benchmark=Plain/sort", "benchmark=last/one", "benchmark=reverse p.input=small", "benchmark=reverse p.input=two 2",
              "benchmark=run 2/sort", "benchmark=sort p.input=small", "benchmark=sort p.input=two 2"]

    assert Enum.all?(lines -- ["end"], &(&1 =~ "isolate=1"))
    assert Path.wildcard(Path.join(context.folder, "*.benchee")) == []
  end

  test "hooks run in the process of the scenario, in Benchee's order, and calls with hooks of their own are timed singly", context do
    text = """
    log = fn word, value -> File.write!("log", "\#{word} \#{inspect(value)} \#{inspect(self())}\\n", [:append]); value end
    job = {fn n -> log.("job", n) * 10 end,
      before_scenario: &log.("local before", &1 + 1), after_scenario: &log.("local after", &1),
      before_each: &log.("local each", &1 + 1), after_each: &log.("local result", &1)}
    Benchee.run(%{"a" => job, "b" => fn n -> n end}, inputs: %{"i" => 1},
      before_scenario: &log.("before", &1 + 1), after_scenario: &log.("after", &1), after_each: &log.("result", &1))
    """

    assert [_, _] = lines = Enum.filter(listed(context, text), &String.starts_with?(&1, "case "))
    assert Enum.all?(lines, &(&1 =~ "max_iterations=1" and not (&1 =~ "isolate")))
    File.rm(Path.join(context.folder, "log"))
    {0, replies} = talk(context, text, ["open benchmark=a p.input=i", @turn, "close"])
    assert Enum.map(replies, &hd(String.split(&1, " "))) == ~w[opened times end closed]
    logged = context.folder |> Path.join("log") |> File.read!() |> String.split("\n", trim: true) |> Enum.map(&String.split(&1, " #PID"))
    each = ["local each 4", "job 4", "local result 40", "result 40"]
    assert Enum.map(logged, &hd/1) == ["before 2", "local before 3"] ++ each ++ each ++ ["local after 3", "after 3"]
    assert [_] = logged |> Enum.map(&List.last/1) |> Enum.uniq()
  end

  test "a case has what the script had set up when Benchee ran it", context do
    text = """
    for round <- 1..2 do
      table = :ets.new(:derny_table, [:named_table, :public])
      :ets.insert(table, {:round, round})
      Benchee.run(%{"job \#{round}" => fn -> [round: ^round] = :ets.lookup(:derny_table, :round) end})
      :ets.delete(table)
    end
    """

    visit = fn name -> ["open benchmark=" <> name, "check", "close"] end
    for name <- ["job%201", "job%202"] do
      assert {0, ["opened", "checked" <> _, "closed"]} = talk(context, text, visit.(name))
    end

    # An earlier case that is opened in the same process is found by running the script again.
    assert {0, replies} = talk(context, text, ["list"] ++ visit.("job%202") ++ visit.("job%201"))
    assert Enum.count(replies, &String.starts_with?(&1, "checked")) == 2
    assert {0, ["error message=there%20is%20no%20benchmark" <> _]} = talk(context, text, ["open benchmark=job%203"])
  end

  test "options that Derny decides about are named once in a run", context do
    text = "Benchee.run(%{\"a\" => fn -> 1 end}, time: 1, memory_time: 2)"
    scratch = [env: [{"DERNY_SCRATCH", context.folder}]]
    assert {0, ["log message=time,%20memory_time:%20no%20effect" <> _, "opened", "closed"]} = talk(context, text, ["open benchmark=a", "close"], scratch)
    assert {0, ["opened", "closed"]} = talk(context, text, ["open benchmark=a", "close"], scratch)
  end

  test "parallel is refused by name, and a job that fails costs itself only", context do
    text = """
    Benchee.run(%{"many" => fn -> 1 end}, parallel: 4)
    Benchee.run(%{"one" => fn -> 1 end, "bad" => fn -> raise("no") end, "arity" => fn _ -> 1 end, "halts" => fn -> System.halt(2) end})
    """

    lines = listed(context, text)
    assert Enum.sort(names(lines)) == ["benchmark=arity", "benchmark=bad", "benchmark=halts", "benchmark=one"]
    assert [refused] = Enum.filter(lines, &(&1 =~ " error="))
    assert URI.decode(refused) =~ ~s("many": not measured, because Benchee.run has `parallel: 4`)
    commands = ["open benchmark=bad", @turn, "close", "open benchmark=arity", "open benchmark=one", @turn, "close"]
    assert {0, ["opened", "error message=RuntimeError:%20no" <> _, "closed", "error message=BadArityError" <> _, "opened", "times" <> _, "end" <> _, "closed"]} =
             talk(context, text, commands)
    assert {0, ["opened", "error message=RuntimeError:%20the%20job%20halts%20the%20runtime" <> _, "closed"]} = talk(context, text, ["open benchmark=halts", "check", "close"])
  end

  test "a script that fails, halts or calls nothing says so, and what it had before is measured", context do
    run = "Benchee.run(%{\"a\" => fn -> 1 end})\n"
    assert [log, "case benchmark=a " <> _, "end"] = listed(context, run <> "nil.average + 1\n")
    assert URI.decode(log) =~ "after its last suite, the script failed"
    for halt <- ["System.halt(0)", ":erlang.halt()", "System.stop()", "exit(:normal)"], do: assert(["case benchmark=a " <> _, "end"] = listed(context, run <> halt))
    assert ["case benchmark=a " <> _, "case benchmark=after%20run%201 error=the%20script%20failed%20after%201" <> _, "end"] = listed(context, run <> "raise \"no\"\n" <> run)
    assert ["error message=RuntimeError:%20no" <> _] = listed(context, "raise \"no\"\n" <> run)
    assert ["error message=RuntimeError:%20no" <> _] = listed(context, "raise \"no\"\nCode.require_file(\"suites.exs\")")
    assert ["error message=the%20script%20ended%20itself%20with%20status%203" <> _] = listed(context, "System.halt(3)\n" <> run)
    assert ["error message=KeyError:" <> unknown] = listed(context, "Benchee.run(%{\"a\" => fn -> 1 end}, tme: 3)")
    assert unknown =~ "tme"
    assert ["error message=TokenMissingError:" <> _] = listed(context, run <> "(")
    assert ["end"] = listed(context, "_ = fn -> Benchee.run(%{}) end")
  end

  test "without Benchee the error says how to get it", context do
    assert {1, ["error message=Benchee%20is%20not%20on%20the%20code%20path" <> _ | _]} = talk_fatal(context, "Benchee.run(%{})")
    write(context.folder, "mix.exs", "defmodule P.MixProject do\nuse Mix.Project\ndef project, do: [app: :p, version: \"1.0.0\"]\nend")
    assert {1, [error | _]} = talk_fatal(context, "Benchee.run(%{})")
    assert URI.decode(error) =~ "not among the compiled dependencies of this Mix project (MIX_ENV=dev). Run `mix deps.get`"
  end

  test "a version before 1.0 is refused by its number", context do
    write(context.folder, "old/benchee.app", "{application,benchee,[{vsn,\"0.14.0\"},{modules,[]},{registered,[]},{applications,[kernel]}]}.")
    assert {1, ["error message=Benchee%200.14.0%20is%20too%20old" <> _ | _]} = talk_fatal(context, "Benchee.run(%{})", ebin: "#{context.ebin}:#{context.folder}/old", paths: true)
  end

  test "a job that uses up the memory is reported, and leaves no crash dump", context do
    text = "grow = fn grow, list -> grow.(grow, [Enum.to_list(1..1000) | list]) end\nBenchee.run(%{\"a\" => fn -> grow.(grow, []) end})"
    {status, lines} = talk(context, text, ["open benchmark=a", "check"], limit: "ulimit -v 2500000 && ")
    assert status != 0
    assert List.last(lines) =~ "eheap_alloc: Cannot allocate"
    assert Path.wildcard(Path.join(context.folder, "*.dump")) == []
  end

  # Like `talk`, for a script whose error is sent instead of the first line.
  defp talk_fatal(context, text, options \\ [paths: false]) do
    {status, _} = talk(Map.put(context, :ebin, options[:ebin] || context.ebin), text, [], options)
    {status, String.split(File.read!(Path.join(context.folder, "replies")), "\n", trim: true)}
  end

  test "in a Mix project the application runs, and Mix and the script's arguments are there", context do
    write(context.folder, "mix.exs", "defmodule P.MixProject do\nuse Mix.Project\ndef project, do: [app: :p, version: \"1.0.0\"]\ndef application, do: [mod: {P, []}]\nend")
    write(context.folder, "lib/p.ex", "defmodule P do\nuse Application\ndef start(_, _), do: Agent.start_link(fn -> \"started\" end, name: P)\nend")
    {_, 0} = System.cmd("sh", [@sdk <> "/build.sh"], cd: context.folder, stderr_to_stdout: true)
    text = "Mix.Task.run(\"compile\")\nMix.Task.run(\"app.start\", [])\nBenchee.run(%{\"\#{Agent.get(P, & &1)} \#{Mix.env()} \#{inspect(System.argv())}\" => fn -> 1 end})"
    assert names(listed(context, text, file: "bench/a.exs", arguments: ["--fast"])) == ["benchmark=started dev [\"--fast\"]"]
  end

  test "Mix.install may bring Benchee", context do
    text = "Mix.install([{:benchee, path: #{inspect(@sdk <> "/test/benchee")}}])\nBenchee.run(%{\"a\" => fn -> 1 end})"
    env = [env: [{"MIX_INSTALL_DIR", Path.join(context.folder, "install")}], paths: false]
    # The first process compiles Benchee, and the second loads the compiled code.
    for _ <- 1..2, do: assert(names(listed(context, text, env)) == ["benchmark=a"])
  end
end
