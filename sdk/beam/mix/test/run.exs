# Runs the tests that need no engine. The last line is `N passed, N failed`.
for file <- Path.wildcard(Path.join(__DIR__, "../lib/derny_mix/*.ex")), do: Code.require_file(file)
ExUnit.start(autorun: false)

defmodule DernyMixTest do
  use ExUnit.Case, async: true
  alias DernyMix.{Comparison, Words}

  test "Benchfella's options" do
    assert {[format: "plain"], [], []} = Words.run_options([])

    {options, paths, more} =
      Words.run_options(["-d", "1.5", "-q", "-f", "markdown", "-o", "out", "--no-compile", "a", "b", "--", "--quick"])

    assert paths == ["a", "b"]
    assert more == ["--quick"]
    assert options[:compile] == false and options[:output] == "out"
    assert Words.run(["a"], options, more) == ["run", "a", "--budget", "6000ms", "--format", "markdown", "--quiet", "--quick"]
    assert Words.run(["a"], [format: "plain"], []) == ["run", "a"]
  end

  test "what means nothing is refused" do
    for args <- [["-d", "abc"], ["-f", "html"], ["--none"], ["-d", "-1"]],
        do: assert_raise(Mix.Error, fn -> Words.run_options(args) end)

    assert_raise Mix.Error, fn -> Words.compare_options(["-d", "times"]) end
    assert_raise Mix.Error, fn -> Words.graph_options(["-n", "0"]) end
  end

  test "sides of a comparison" do
    assert {"ratio", [], []} = Words.compare_options([])

    assert {"percent", ["a", "b"], ["--margin", "2%"]} =
             Words.compare_options(["-d", "percent", "a", "b", "--", "--margin", "2%"])

    assert Words.sides([]) == {:compare, "last~1", "last"}
    assert Words.sides(["a"]) == {:show, "a"}
    assert Words.sides(["a", "b", "c"]) == {:compare, "a", "c"}
  end

  test "the number of runs of a graph" do
    assert {2, "bench/graphs/index.svg", [], []} = Words.graph_options([])

    assert {5, "x.png", ["a.snapshot"], ["--log"]} =
             Words.graph_options(["-n", "5", "-o", "x.png", "--no-js", "a.snapshot", "--", "--log"])
  end

  test "ratios of a comparison's CSV" do
    csv = """
    suite,benchmark,p.n,base,side,control,metric,statistic,unit,better,base_value,side_value,change,change_lo,change_hi,exact,verdict
    bench/a,"one, ""two\""",,old,new,false,time,typical,ns,less,10,9,-0.1,-0.12,-0.08,false,better
    bench/a,b,1,old,new,false,time,typical,ns,less,10,12,0.2,,,false,unclear
    bench/a,b,1,old,new,false,allocated,,B,less,10,12,0.2,,,true,unclear
    """

    assert Comparison.ratios(Comparison.rows(csv)) == """
           ## bench/a
           one, "two"  0.900 (0.880 … 0.920) better
           b n=1       1.200 unclear
           """
  end

  test "what is said of how it was measured" do
    rows = fn pairing, because ->
      csv =
        "statistic,verdict,pairing,because\ntypical,unclear,#{pairing},#{because}\ntypical,unclear,#{pairing},#{because}\nmean,unclear,,no\n"

      Comparison.rows(csv)
    end

    assert Comparison.together(rows.("paired", ""), "main") == "both sides were measured in pairs, in one run with main\n"
    assert Comparison.together(rows.("unpaired", ""), "main") =~ "compared with the stored run main"
    assert Comparison.together([], "main") == ""
    assert Comparison.reasons(rows.("unpaired", "no history")) == "unclear: no history\n"
    assert Comparison.reasons(rows.("paired", "")) == ""
  end
end

%{total: total, failures: failures} = ExUnit.run()
IO.puts("#{total - failures} passed, #{failures} failed")
if failures > 0, do: System.halt(1)
