defmodule ProgramTest do
  # Tests files that run as programs, started by a user or by the engine.
  use ExUnit.Case, async: true

  @sdk Path.dirname(__DIR__)

  setup do
    place = Path.join(System.tmp_dir!(), "derny-program-#{System.unique_integer([:positive])}-#{System.pid()}")
    File.mkdir_p!(place)
    on_exit(fn -> File.rm_rf!(place) end)
    {:ok, place: place}
  end

  defp write(place, name, text) do
    path = Path.join(place, name)
    File.mkdir_p!(Path.dirname(path))
    File.write!(path, text)
    path
  end

  # Starts a process that compiles the SDK into the cache. Returns the flags that add the compiled code to the
  # code path.
  defp paths do
    write(System.tmp_dir!(), "derny-none-#{System.pid()}.exs", ":ok")
    |> then(&run(System.tmp_dir!(), [@sdk <> "/boot.exs", &1], []))
    Enum.flat_map(Path.wildcard(Path.join(cache(), "beam/*/ebin")), &["-pa", &1])
  end

  defp cache, do: Path.join(System.tmp_dir!(), "derny-cache-#{System.pid()}")

  defp run(place, arguments, env, program \\ "elixir") do
    env = [{"DERNY_CACHE", cache()}, {"DERNY_COMMANDS", nil}, {"DERNY_REPLIES", nil} | env]
    System.cmd(program, arguments, cd: place, env: env, stderr_to_stdout: true)
  end

  defp talk(place, arguments, commands, program \\ "elixir") do
    files = %{"DERNY_COMMANDS" => write(place, "commands", Enum.map(commands, &[&1, "\n"])), "DERNY_REPLIES" => write(place, "replies", "")}
    {printed, status} = run(place, arguments, Map.to_list(files), program)
    {status, String.split(File.read!(files["DERNY_REPLIES"]), "\n", trim: true), printed}
  end

  # Starts a file with the launch command of sdk.toml.
  defp launch(place, file, commands, flags \\ []) do
    talk(place, ["#{@sdk}/boot.sh", "elixir"] ++ flags ++ [@sdk <> "/boot.exs", file], commands, "sh")
  end

  test "a user's program starts the engine on its own command line and ends with its status", %{place: place} do
    paths = paths()
    engine = write(place, "engine", "#!/bin/sh\necho \"$@\" $ERL_AFLAGS\nexit 7\n")
    File.chmod!(engine, 0o755)
    file = write(place, "a.exs", "Benchfella.start()\ndefmodule A do\nuse Benchfella\nbench \"a\", do: 1\nend")
    arguments = paths ++ [file, "more"]
    assert {printed, 7} = run(place, arguments, [{"DERNY_BIN", engine}])
    assert printed =~ "run -- elixir #{Enum.join(arguments, " ")} +S 1:1 +sbwt none"
    assert {printed, 2} = run(place, arguments, [{"DERNY_BIN", "/nowhere/derny"}])
    assert printed =~ "DERNY_BIN"
    assert {_, 2} = run(place, arguments, [{"DERNY_COMMANDS", "/dev/null"}])
    # With an engine, the program serves it.
    assert {0, ["derny 1 language=elixir" <> _, "case benchmark=A/a" <> _, "end"], _} = talk(place, arguments, ["list", "quit"])
    # A script that fails does not run its benchmarks.
    assert {_, 1} = run(place, paths ++ [write(place, "b.exs", "defmodule B do\nuse Derny\nbench \"a\", do: 1\nend\nraise \"no\"")], [{"DERNY_BIN", engine}])
  end

  test "the nearest bench_helper.exs comes first, in an umbrella too, and may start what it likes", %{place: place} do
    write(place, "bench_helper.exs", "raise \"too far\"")
    write(place, "apps/one/bench/bench_helper.exs", "Benchfella.start()\ndefmodule Helper do\ndef value, do: 42\nend")
    file = write(place, "apps/one/bench/deep/a_bench.exs", "defmodule A do\nuse Benchfella\nbench \"a \#{Helper.value()}\", do: 1\nend")
    assert {0, [_, "case benchmark=A/a%2042" <> _, "end"], _} = launch(place, file, ["list", "quit"])
  end

  test "a Mix project's code, protocols and settings are there, without Mix", %{place: place} do
    write(place, "mix.exs", "defmodule P.MixProject do\nuse Mix.Project\ndef project, do: [app: :p, version: \"1.0.0\"]\nend")
    write(place, "config/config.exs", "import Config\nconfig :p, level: Mix.env()")
    write(place, "lib/p.ex", "defmodule P do\ndef level, do: Application.fetch_env!(:p, :level)\nend")
    file = write(place, "bench/p_bench.exs", "defmodule PBench do\nuse Derny\nbench \"level \#{P.level()}\", do: P.level()\nend")
    assert {_, 0} = System.cmd("sh", [@sdk <> "/build.sh"], cd: place, stderr_to_stdout: true)
    assert {0, [_, "case benchmark=level%20dev" <> _, "end"], _} = launch(place, file, ["list", "quit"])
    File.write!(Path.join(place, "lib/p.ex"), "oops (")
    assert {printed, 1} = System.cmd("sh", [@sdk <> "/build.sh"], cd: place, stderr_to_stdout: true)
    assert printed =~ "lib/p.ex"
  end

  test "an umbrella project's code is there, from its top and from the application's folder", %{place: place} do
    write(place, "mix.exs", "defmodule U.MixProject do\nuse Mix.Project\ndef project, do: [apps_path: \"apps\", version: \"1.0.0\"]\nend")
    write(place, "config/config.exs", "import Config\nconfig :one, level: 7")
    for {app, deps, text} <- [{"one", "", "def level, do: Application.fetch_env!(:one, :level)"}, {"two", "{:one, in_umbrella: true}", "def twice, do: 2 * One.level()"}] do
      above = for {key, folder} <- [build_path: "_build", config_path: "config/config.exs", deps_path: "deps", lockfile: "mix.lock"], do: "#{key}: \"../../#{folder}\", "
      write(place, "apps/#{app}/mix.exs", "defmodule #{String.capitalize(app)}.MixProject do\nuse Mix.Project\ndef project, do: [app: :#{app}, version: \"1.0.0\", #{above}deps: [#{deps}]]\nend")
      write(place, "apps/#{app}/lib/#{app}.ex", "defmodule #{String.capitalize(app)} do\n#{text}\nend")
    end
    file = write(place, "apps/two/bench/two_bench.exs", "defmodule TwoBench do\nuse Benchfella\nbench \"twice \#{Two.twice()}\", do: Two.twice()\nend")
    assert {_, 0} = System.cmd("sh", [@sdk <> "/build.sh"], cd: place, stderr_to_stdout: true)
    for below <- [place, Path.join(place, "apps/two")] do
      assert {0, [_, "case benchmark=TwoBench/twice%2014" <> _, "end"], _} = launch(below, file, ["list", "quit"])
    end
  end

  defp umbrella(place, options) do
    write(place, "mix.exs", "defmodule U.MixProject do\nuse Mix.Project\ndef project, do: [apps_path: \"apps\", version: \"1.0.0\"#{options}]\nend")
    above = for {key, folder} <- [build_path: "_build", deps_path: "deps", lockfile: "mix.lock"], do: "#{key}: \"../../#{folder}\", "
    write(place, "apps/one/mix.exs", "defmodule One.MixProject do\nuse Mix.Project\ndef project, do: [app: :one, version: \"1.0.0\", #{above}deps: []]\nend")
    write(place, "apps/one/lib/one.ex", "defprotocol One do\n@fallback_to_any true\ndef size(it)\nend\ndefimpl One, for: Any do\ndef size(_), do: 1\nend")
    write(place, "bench/one_bench.exs", "defmodule OneBench do\nuse Derny\nbench \"is \#{One.__protocol__(:consolidated?)}\", do: One.size(1)\nend")
  end

  test "at an umbrella's top protocols are consolidated, and the build says where they are not", %{place: place} do
    file = umbrella(place, "")
    assert {printed, 0} = System.cmd("sh", [@sdk <> "/build.sh"], cd: place, stderr_to_stdout: true)
    refute printed =~ "derny: "
    assert {0, [_, "case benchmark=is%20true" <> _, "end"], _} = launch(place, file, ["list", "quit"])
    File.rm_rf!(Path.join(place, "_build"))
    umbrella(place, ", consolidate_protocols: false")
    app = Path.join(place, "apps/one/mix.exs")
    File.write!(app, String.replace(File.read!(app), "deps: []", "deps: [], consolidate_protocols: false"))
    assert {printed, 0} = System.cmd("sh", [@sdk <> "/build.sh"], cd: place, stderr_to_stdout: true)
    assert [_] = Regex.scan(~r/^derny: protocols are not consolidated/m, printed)
    assert {0, [_, "case benchmark=is%20false" <> _, "end"], _} = launch(place, file, ["list", "quit"])
  end

  test "dependencies that are not as mix.exs wants them are told once", %{place: place} do
    write(place, "mix.exs", "defmodule P.MixProject do\nuse Mix.Project\ndef project, do: [app: :p, version: \"1.0.0\", deps: [{:q, \"~> 2.0\", path: \"q\"}]]\nend")
    write(place, "lib/p.ex", "defmodule P do\nend")
    write(place, "q/mix.exs", "defmodule Q.MixProject do\nuse Mix.Project\ndef project, do: [app: :q, version: \"1.0.0\"]\nend")
    write(place, "q/lib/q.ex", "defmodule Q do\nend")
    assert {printed, 0} = System.cmd("sh", [@sdk <> "/build.sh"], cd: place, stderr_to_stdout: true)
    assert [_] = Regex.scan(~r/^derny: `mix compile` fails \(q: the dependency does not match/m, printed)
  end

  # A parameter that shows whether Elixir's compiler was loaded when the file was
  # listed.
  @loaded "compiles: [:code.is_loaded(:elixir_parser) != false]"

  test "a file that depends on its text alone is compiled once, and has the same benchmarks", %{place: place} do
    text = """
    Benchfella.start()
    defmodule Old do
      use Benchfella
      setup_all do: {:ok, %{at: System.pid()}}
      bench "of \#{Enum.count([1, 2])}", [list: gen(bench_context)], do: length(list)
      def gen(%{at: at}), do: [at, 2, 3]
    end
    defmodule Outer do
      use Derny, group: "g"
      @list Enum.to_list(1..3)
      defmodule Inner do
        def gen(at), do: Old.gen(%{at: at})
      end
      bench "plain \#{length(@list)}", n: [1, 2], #{@loaded} do
        Enum.map(@list, & &1 + n)
      end
    end
    defmodule Other do
      use Derny
      bench "other", do: Outer.Inner.gen(1)
    end
    """

    file = write(place, "kept_bench.exs", text)
    visit = ["list", "open benchmark=Old/of%202", "check", "close", "quit"]
    loaded = fn lines, truth -> Enum.count(lines, &(&1 =~ "p.compiles=#{truth}")) end
    assert {0, [_ | said], _} = launch(place, file, visit)
    assert loaded.(said, true) == 2
    # If another process is compiling the harness for the first time, nothing is cached
    # yet.
    again = Enum.find_value(1..5, fn _ ->
      assert {0, [_ | lines], _} = launch(place, file, visit)
      loaded.(lines, false) == 2 && lines
    end)
    assert again, "the file is compiled in each process"
    assert Enum.map(said, &String.replace(&1, "p.compiles=true", "p.compiles=false")) == again
    assert Enum.count(again, &String.starts_with?(&1, "case ")) == 4
    # A changed file is compiled again instead of taken from the cache.
    File.write!(file, String.replace(text, "\"other\"", "\"changed\""))
    assert {0, [_ | changed], _} = launch(place, file, ["list", "quit"])
    assert Enum.any?(changed, &(&1 =~ "benchmark=changed"))
    assert loaded.(changed, true) == 2
  end

  test "a file that reads something while it is compiled is compiled in each process", %{place: place} do
    file = write(place, "reads_bench.exs", "defmodule Reads do\nuse Derny\n@own System.pid()\nbench \"of \#{@own}\", #{@loaded}, do: @own\nend")
    names = for _ <- 1..2 do
      assert {0, [_, "case benchmark=of%20" <> rest, "end"], _} = launch(place, file, ["list", "quit"])
      assert rest =~ "p.compiles=true"
      rest
    end
    assert Enum.uniq(names) == names
    helped = write(place, "helped_bench.exs", "defmodule Helped do\nuse Derny\nbench \"helped\", #{@loaded}, do: 1\nend")
    write(place, "bench_helper.exs", ":ok")
    for _ <- 1..2 do
      assert {0, [_, "case benchmark=helped" <> rest, "end"], _} = launch(place, helped, ["list", "quit"])
      assert rest =~ "p.compiles=true"
    end
  end

  test "flags of Elixir before the file are Elixir's", %{place: place} do
    write(place, "first.exs", "System.put_env(\"FROM_FLAG\", \"yes\")")
    file = write(place, "flag_bench.exs", "defmodule Flag do\nuse Derny\nbench \"flag\", env: [A: System.get_env(\"FROM_FLAG\", \"no\")], args: System.argv(), do: 1\nend")
    for {flags, wanted} <- [{[], "A%3Dno"}, {["-r", "first.exs"], "A%3Dyes"}], _ <- 1..2 do
      assert {0, [_, said, "end"], _} = launch(place, file, ["list", "quit"], flags)
      assert said =~ wanted and said =~ "args=#{file}"
    end
  end

  test "what cannot be loaded is a fatal error", %{place: place} do
    file = write(place, "a_bench.exs", "defmodule A do\nuse Derny\nbench \"a\", do: nowhere()\nend")
    assert {1, ["error message=CompileError" <> rest], _} = launch(place, file, ["list"])
    assert rest =~ "fatal=1"
    assert {2, [], printed} = {elem(run(place, [@sdk <> "/boot.exs", file], []), 1), [], elem(run(place, [@sdk <> "/boot.exs", file], []), 0)}
    assert printed =~ "derny run FILE"
  end

  test "commands may come from standard input, also where the runtime was told that there is none, and both streams may be named pipes", %{place: place} do
    write(place, "typed_bench.erl", "-module(typed_bench).\n-export([benchmarks/0]).\nbenchmarks() -> [{\"a\", fun erlang:node/0}].\n")
    eval = "{ok, Mark} = file:script(\"#{@sdk}/boot.script\", [{'Sdk', \"#{@sdk}\"}]), derny_main:erlang_file(\"typed_bench.erl\", Mark)."
    write(place, "eval", eval)
    typed = "printf 'list\\nopen benchmark=a\\nclose\\nquit\\n'"
    heads = fn text -> text |> String.split("\n", trim: true) |> Enum.map(&hd(String.split(&1, " "))) end
    expected = ~w[derny case end opened closed]

    for flags <- ["-noinput", "-noshell"], commands <- ["/dev/stdin", "/dev/fd/0"] do
      script = "#{typed} | DERNY_COMMANDS=#{commands} DERNY_REPLIES=/dev/stdout erl #{flags} -eval \"$(cat eval)\""
      assert {text, 0} = System.cmd("sh", ["-c", script], cd: place, env: [{"DERNY_CACHE", cache()}])
      assert {flags, commands, heads.(text)} == {flags, commands, expected}
    end

    script = "mkfifo c r; #{typed} >c & cat r >said & DERNY_COMMANDS=c DERNY_REPLIES=r erl -noinput -eval \"$(cat eval)\" </dev/null; status=$?; wait; exit $status"
    assert {_, 0} = System.cmd("sh", ["-c", script], cd: place, env: [{"DERNY_CACHE", cache()}])
    assert heads.(File.read!(Path.join(place, "said"))) == expected
  end
end
