defmodule BenchfellaTest do
  # Tests the behaviour that files for Benchfella rely on. If Derny behaves differently, the name of the test
  # says so.
  use ExUnit.Case
  import Derny.Conversation
  import ExUnit.CaptureIO

  @measured ~w[opened times end times end closed]

  setup do
    Process.register(self(), :test_case)
    :ok
  end

  defp module(name, body), do: "defmodule #{name} do\nuse Benchfella\n#{body}\nend\n"

  test "a bench without inputs, with a module attribute, in one line" do
    lines = talk(module("Basic", "@list [3, 1, 2]\nbench \"a b\" do\n send(:test_case, Enum.reverse(@list))\nend\nbench \"c\", do: 1"), ["list" | visit("Basic/a%20b")])
    assert [~s(case benchmark=Basic/a%20b group=Basic) <> _, ~s(case benchmark=Basic/c group=Basic) <> _, "end" | _] = lines
    assert Enum.take(verbs(lines), -6) == @measured
    assert_received [2, 1, 3]
  end

  test "benches are told in the order of their names" do
    lines = talk(module("Order", ~s(bench "b", do: 1\nbench "a", do: 1\nbench "C", do: 1)), ["list"])
    assert Enum.map(Enum.drop(lines, -1), &(Regex.run(~r{Order/(\S+)}, &1) |> List.last())) == ~w[C a b]
  end

  test "names made in comprehensions and from attributes" do
    text = module("Dynamic", ~S"""
    @prefix "made"
    for n <- 1..2 do
      bench "#{@prefix} #{n}", do: send(:test_case, :called)
    end
    Enum.each(["x"], fn name -> bench name, do: send(:test_case, :x) end)
    """)
    assert verbs(talk(text, visit("Dynamic/made%202") ++ visit("Dynamic/x"))) == @measured ++ @measured
    assert_received :called
    assert_received :x
  end

  test "inputs are made once for a case, the last one first, from the context; literals are inputs too" do
    text = module("Inputs", """
    before_each_bench _, do: {:ok, :context}
    bench "a", [one: made(1, bench_context), two: made(2, bench_context), n: 10, l: [1, 2]] do
      send(:test_case, {:body, one, two, n, l, bench_context})
    end
    def made(n, context), do: (send(:test_case, {:made, n, context}); n)
    """)
    assert verbs(talk(text, visit("Inputs/a"))) == @measured
    assert {:messages, [{:made, 2, :context}, {:made, 1, :context} | bodies]} = Process.info(self(), :messages)
    assert Enum.uniq(bodies) == [{:body, 1, 2, 10, [1, 2], :context}] and length(bodies) == 8
  end

  test "hooks, as macros" do
    text = module("Macros", """
    setup_all do
      send(:test_case, {:setup_all, self()})
      {:ok, :module}
    end
    teardown_all context do
      send(:test_case, {:teardown_all, context, self()})
    end
    before_each_bench context do
      send(:test_case, {:before_each, context, self()})
      {:ok, {context, :bench}}
    end
    after_each_bench context do
      send(:test_case, {:after_each, context, self()})
    end
    bench "a", [x: send(:test_case, {:inputs, self()})], do: send(:test_case, {:body, bench_context, self()})
    """)
    assert verbs(talk(text, visit("Macros/a"))) == @measured
    {:messages, messages} = Process.info(self(), :messages)
    [{:setup_all, owner} | _] = messages
    assert [{:setup_all, ^owner}, {:before_each, :module, each}, {:inputs, each}, {:body, {:module, :bench}, body} | rest] = messages
    assert [{:after_each, {:module, :bench}, ^each}, {:teardown_all, :module, ^owner}] = Enum.take(rest, -2)
    # Each turn has its own process, and so have the bench and the module.
    others = for {:body, _, pid} <- rest, uniq: true, do: pid
    assert length(Enum.uniq([owner, each, body | others])) == 4
  end

  test "hooks, as plain functions" do
    text = module("Plain", """
    def setup_all, do: Application.ensure_all_started(:crypto)
    def teardown_all(list), do: send(:test_case, {:teardown_all, is_list(list)})
    def before_each_bench(list), do: {:ok, is_list(list)}
    def after_each_bench(context), do: send(:test_case, {:after_each, context})
    bench "a", do: bench_context
    """)
    assert verbs(talk(text, visit("Plain/a"))) == @measured
    assert_received {:after_each, true}
    assert_received {:teardown_all, true}
  end

  test "without hooks the context is nil" do
    talk(module("None", "bench \"a\", do: send(:test_case, {:context, bench_context})"), visit("None/a"))
    assert_received {:context, nil}
  end

  test "the body is not in the process that owns what the hooks made: a private table cannot be reached" do
    text = module("Private", """
    before_each_bench _, do: {:ok, :ets.new(:t, [:private])}
    bench "private", do: :ets.insert(bench_context, {1})
    """)
    lines = talk(text, visit("Private/private"))
    assert verbs(lines) == ~w[opened error error closed]
    assert said(Enum.at(lines, 1)) =~ "ArgumentError"
  end

  test "a public table can be reached, and a process linked to the body ends with the turn that killed it, not the case" do
    text = module("Linked", """
    setup_all, do: {:ok, :ets.new(:shared, [:public])}
    bench "public", do: :ets.insert(bench_context, {1})
    bench "linked" do
      pid = spawn_link(fn -> receive do: (:never -> :ok) end)
      send(:test_case, {:started, pid})
      :ok
    end
    """) |> String.replace("setup_all, do:", "def setup_all, do:")
    assert verbs(talk(text, visit("Linked/public") ++ visit("Linked/linked"))) == @measured ++ @measured
    assert_received {:started, _}
  end

  test "setup_all and before_each_bench that do not return {:ok, _}: skipped with the reason" do
    text = module("Skipped", "def setup_all, do: {:error, :nothing_here}\nbench \"a\", do: 1") <>
             module("SkippedOne", "def before_each_bench(_), do: nil\nbench \"a\", do: 1\n")
    lines = talk(text, ["open benchmark=Skipped/a", "open benchmark=SkippedOne/a"])
    assert Enum.map(lines, &said/1) == ["skip reason=setup_all returned {:error, :nothing_here}", "skip reason=before_each_bench returned nil"]
  end

  test "hooks and inputs that raise are errors, unlike there; the module is torn down" do
    text = module("Raising", "def setup_all, do: raise(\"no\")\nbench \"a\", do: 1") <>
             module("RaisingLater", """
             def before_each_bench(_), do: raise("later")
             def teardown_all(_), do: send(:test_case, :torn_down)
             bench "a", do: 1
             """)
    lines = talk(text, ["open benchmark=Raising/a", "open benchmark=RaisingLater/a"])
    assert verbs(lines) == ~w[error error]
    assert said(hd(lines)) =~ "RuntimeError: no"
    assert_received :torn_down
  end

  test "a body that raises costs its case only; after_each_bench is called, unlike there" do
    text = module("Crash", """
    after_each_bench _, do: send(:test_case, :after_each)
    bench "bad", do: raise("bad")
    bench "good", do: :ok
    """)
    assert verbs(talk(text, visit("Crash/bad") ++ visit("Crash/good"))) == ~w[opened error error closed] ++ @measured
    assert_received :after_each
  end

  test "hooks that fail afterwards are shown and cost no result" do
    text = module("Late", "teardown_all _, do: raise(\"late\")\nbench \"a\", do: :ok")
    shown = capture_io(:stderr, fn -> assert verbs(talk(text, visit("Late/a"))) == @measured end)
    assert shown =~ "late"
  end

  test "different return values are measured, unlike there, and have different hashes" do
    lines = talk(module("Different", "bench \"ref\", do: make_ref()\nbench \"same\", do: :ok"),
      Enum.flat_map(["ref", "same"], &["open benchmark=Different/#{&1}", turn() <> " hash=1", turn() <> " hash=1", "close"]))
    hashes = for "end " <> _ = line <- lines, do: Regex.run(~r/hash=(\w+)/, line, capture: :all_but_first)
    assert [[a], [b], [c], [c]] = hashes
    assert a != b
  end

  test "a name that appears twice: the first bench is kept, and that is said" do
    text = module("Twice", "bench \"a\", do: send(:test_case, :first)\nbench \"a\", do: send(:test_case, :second)")
    assert capture_io(:stderr, fn -> assert length(talk(text, ["list" | visit("Twice/a")])) == 8 end) =~ "defined twice"
    assert_received :first
    refute_received :second
  end

  test "names with a tab or a new line are names, unlike there" do
    lines = talk(module("Odd", ~S(bench "a\tb\n", do: 1)), ["list" | visit("Odd/a%09b%0A")])
    assert Enum.take(verbs(lines), -6) == @measured
  end

  test "equal names in two modules are two benches" do
    text = module("One", "bench \"a\", do: 1") <> module("Two", "bench \"a\", do: 2")
    assert length(talk(text, ["list"])) == 3
  end

  test "start may be called anywhere and as often as one likes" do
    text = "Benchfella.start()\nBenchfella.start(duration: 5.0)\n" <> module("Started", "Benchfella.start(mem_stats: true)\nbench \"a\", do: 1") <> "Benchfella.start()"
    assert length(talk(text, ["list"])) == 2
  end

  test "add_bench takes functions that a module has made itself" do
    text = """
    defmodule Own do
      def unquote(:"bench: own")(_), do: []
      def unquote(:"bench: own")(0, last, _), do: last
      def unquote(:"bench: own")(n, _, context), do: unquote(:"bench: own")(n - 1, send(:test_case, :own), context)
    end
    Benchfella.add_bench(Own, :own)
    """
    assert verbs(talk(text, visit("Own/own"))) == @measured
    assert_received :own
    assert Benchfella.bench_func_name("own") == :"bench: own"
  end

  test "what a body allocates is told to the word" do
    text = module("Words", "bench \"list\", [n: 10, m: 1], do: {bench_context, :lists.seq(m, n)}")
    lines = talk(text, ["open benchmark=Words/list", "measure iterations=1 batches=3", "measure iterations=100 batches=40", "close"])
    # The result is ten list cells of two words, and a tuple of two with its header.
    assert for("end " <> rest <- lines, do: String.split(rest, " ") |> Enum.at(2)) == for(n <- [3, 4000], do: "#{n * 23 * 8}")
  end

  @snapshot "duration:1.0;mem stats:false;sys mem stats:false\nmodule;test;tags;iterations;elapsed\nA\ta <b>\"\tx, y\t1000\t2000\nA\tc\t\t10\t0\nB\td\t\t4\t1\n"

  test "snapshots are parsed, compared, printed and made into JSON by programs" do
    alias Benchfella.Snapshot
    first = Snapshot.parse(@snapshot)
    assert %Snapshot{options: %{"duration" => 1.0, "mem stats" => false}, tests: [{"A", "a <b>\"", ["x", "y"], 1000, 2000}, {"A", "c", [], 10, 0}, _]} = first
    assert Snapshot.parse(IO.iodata_to_binary(Snapshot.prepare(1.0, false, false, [{{A, "x\ty"}, {3, 4, nil}}, {{A, :bad}, :error}]))).tests ==
             [{"A", "x y", [], 3, 4}]
    second = %Snapshot{first | tests: [{"A", "a <b>\"", [], 1000, 2500}, {"A", "c", [], 10, 5}, {"B", "e", [], 1, 1}]}
    assert {%{"A" => %{"a <b>\"" => 1.25, "c" => huge}} = by_module, one} = Snapshot.compare(first, second)
    assert huge > 1.0e300 and map_size(by_module) == 1 and Enum.sort(one) == [{"B", "d"}, {"B", "e"}]
    assert {%{"A" => %{"a <b>\"" => 25.0, "c" => same}}, _} = Snapshot.compare(first, %{second | tests: [hd(second.tests) | tl(first.tests)]}, :percent)
    assert {Snapshot.format_percent(25.0), Snapshot.format_percent(-0.5), Snapshot.format_percent(same)} == {"+25.00%", "-0.50%", "--"}
    assert capture_io(fn -> Snapshot.print(first, :plain) end) =~ ~r"## A\nbenchmark name +iterations +average time \nc +10 +0.00 µs/op\na <b>\" +1000 +2.00 µs/op\n## B\n"
    assert capture_io(fn -> Snapshot.print(first, :markdown) end) =~ "* B\n\n```\n"
    assert Snapshot.snapshots_to_json([{"one", first}]) =~ ~S|"test":"a \u003Cb\u003E\u0022"|
    assert Snapshot.bench_name("A", "a") == "[A] a"
    assert_raise ArgumentError, fn -> Snapshot.parse("hello\n") end
    assert_raise ArgumentError, fn -> Snapshot.parse(@snapshot <> "A\tb\n") end
  end
end
