"""Tests listing, serving and rejecting pyperf scripts."""

import os
import unittest
from urllib.parse import unquote

from driver import SDK, Harness

WORDS = [os.path.join(SDK, "run.py"), "--suite", "pyperf"]

SCRIPT = """
    import os, sys, time
    import pyperf

    calls = []

    def body(*args):
        calls.append(args)
        return args

    def seconds(loops, scale):
        return loops * scale

    async def waits():
        return 7

    def ends():
        sys.exit(3)

    def main():
        runner = pyperf.Runner()
        runner.metadata["description"] = "all that there is"
        runner.argparser.add_argument("--size", type=int, default=1)
        args = runner.parse_args()
        assert runner.is_worker() and runner.args is args
        assert pyperf.perf_counter is time.perf_counter
        for call in (
            lambda: runner.bench_func("func", body, 1, 2),
            lambda: runner.bench_func("inner", body, inner_loops=10),
            lambda: runner.bench_time_func("time func", seconds, 0.001 * args.size),
            lambda: runner.bench_async_func("async", waits),
            lambda: runner.timeit("statement", "made.append(1); assert len(made) <= 4", setup="made = []"),
            lambda: runner.timeit("x + 1", setup="x = 1", duplicate=5),
            lambda: runner.bench_command("command", [sys.executable, "-c", "pass"]),
            lambda: runner.bench_command("failing", [sys.executable, "-c", "import sys; sys.exit('gone')"]),
            lambda: runner.bench_func("exits", ends),
            lambda: runner.bench_func("prints", print, "x" * 2_000_000),
            lambda: runner.bench_func("moves", os.chdir, "/"),
            lambda: runner.bench_time_func("no time", lambda loops: None),
        ):
            assert call() is None
        print("the end, after", len(calls))

    if __name__ == "__main__":
        main()
"""


class Scripts(unittest.TestCase):
    def harness(self, source=SCRIPT, words=(), flags=(), **more):
        """Start a harness on a script with these arguments."""
        launch = [*flags, *WORDS]
        harness = Harness(source, name="bm_x.py", words=launch, arguments=words, **more)
        harness.__enter__()
        self.addCleanup(lambda: harness.process.poll() is None and harness.__exit__())
        return harness

    def test_the_list_calls_no_body(self):
        harness = self.harness()
        lines = harness.ask("list")
        self.assertEqual(lines[-1], "end")
        fields = [dict(field.split("=", 1) for field in line.split(" ")[1:]) for line in lines[:-1]]
        self.assertEqual(
            [unquote(field["benchmark"]) for field in fields],
            ["func", "inner", "time func", "async", "statement", "x + 1"]
            + ["command", "failing", "exits", "prints", "moves", "no time"],
        )
        self.assertEqual([field.get("ops") for field in fields[:6]], [None, "10", None, None, None, "5"])
        self.assertEqual(fields[0]["file"], harness.file)
        with open(harness.file) as source:
            line = source.read().split("\n")[int(fields[0]["line"]) - 1]
        self.assertIn('"func"', line)
        harness.__exit__()
        self.assertEqual(harness.out, b"the end, after 0\n")

    def test_functions_are_served_from_inside_of_the_script(self):
        harness = self.harness()
        self.assertEqual(harness.one("open benchmark=func"), "opened")
        times, _ = harness.measured(5, 3)
        self.assertEqual(len(times), 3)
        self.assertTrue(harness.one("check").startswith("checked hash="))
        self.assertEqual(harness.one("close"), "closed")
        for name in ("inner", "async"):
            self.assertEqual(harness.one(f"open benchmark={name}"), "opened")
            self.assertTrue(harness.one("check").startswith("checked"), name)
            self.assertEqual(harness.one("close"), "closed")
        harness.__exit__()
        self.assertEqual(harness.out.split(b"\n")[0], b"the end, after 16")

    def test_a_function_that_times_itself_is_believed(self):
        harness = self.harness(words=["--size", "2"])
        self.assertEqual(harness.one("open benchmark=time%20func"), "opened")
        times, _ = harness.measured(3, 2)
        self.assertEqual(times, [6_000_000, 6_000_000])
        overhead, *_ = harness.ask("overhead iterations=1000 batches=2")
        self.assertTrue(all(int(time) < 1_000_000 for time in overhead.split(" ")[1:]), overhead)
        self.assertEqual(harness.one("close"), "closed")
        self.assertEqual(harness.one("open benchmark=no%20time"), "opened")
        self.assertIn("must%20return%20seconds", harness.one("check"))

    def test_statements_keep_their_state_from_turn_to_turn(self):
        harness = self.harness()
        self.assertEqual(harness.one("open benchmark=statement"), "opened")
        harness.measured(1, 2)
        harness.measured(2, 1)
        failed = harness.one("measure iterations=1 batches=1")
        self.assertIn("AssertionError", failed)
        harness.measured(4, 1)  # after a failure, the set-up runs again
        self.assertEqual(harness.one("close"), "closed")
        self.assertTrue(harness.check("x%20+%201").startswith("checked"))

    def test_commands_are_started_and_must_succeed(self):
        harness = self.harness()
        self.assertEqual(harness.one("open benchmark=command"), "opened")
        times, _ = harness.measured(1, 2)
        self.assertTrue(all(time > 1_000_000 for time in times), times)
        self.assertEqual(harness.one("close"), "closed")
        self.assertEqual(harness.one("open benchmark=failing"), "opened")
        self.assertIn("status 1: gone", unquote(harness.one("check")))

    def test_what_goes_wrong_is_that_cases_error_alone(self):
        harness = self.harness()
        self.assertEqual(harness.one("open benchmark=exits"), "opened")
        self.assertIn("status 3", unquote(harness.one("check")))
        self.assertEqual(harness.one("close"), "closed")
        self.assertTrue(harness.check("moves").startswith("checked"))
        self.assertTrue(harness.check("func").startswith("checked"))
        self.assertIn("made no bench_* call", unquote(harness.one("open benchmark=nowhere")))

    def test_options_of_pyperf_are_accepted_and_named_once(self):
        harness = self.harness(words=["--fast", "-p", "7", "-o", "x.json", "-q", "--size", "3"])
        log, _ = harness.ask("open benchmark=func")
        self.assertTrue(log.startswith("log message="), log)
        for name in ("--fast", "--processes", "--output"):
            self.assertIn(name, log)
        self.assertNotIn("quiet", log)
        for words, told in (
            (["--compare-to", "python3.9"], "-x a=PYTHON -x b=PYTHON"),
            (["--tracemalloc"], "--set modes=heap"),
            (["--sise", "3"], "unrecognized arguments: --sise"),
        ):
            answer = unquote(self.harness(words=words).one("list"))
            self.assertTrue(answer.startswith("error ") and told in answer, answer)

    def test_a_script_that_needs_an_argument_says_so(self):
        source = """
            import pyperf
            runner = pyperf.Runner(values=2)
            runner.argparser.add_argument("which", choices=["dumps", "loads"])
            args = runner.parse_args()
            runner.bench_func(args.which, lambda: 1)
        """
        answer = unquote(self.harness(source).one("list"))
        for part in ("required: which", "--args 'WORDS'", "which: dumps, loads"):
            self.assertIn(part, answer)
        harness = self.harness(source, ["loads"])
        case, _ = harness.ask("list")
        log, _ = harness.ask("open benchmark=loads")
        self.assertIn("Runner(values=", unquote(log))
        self.assertTrue(case.startswith("case benchmark=loads "), case)

    def test_a_script_without_cases_and_a_broken_one_are_errors(self):
        for source, told in (
            ("import pyperf\npyperf.Runner()\n", "no bench_* call"),
            ("import pyperf\ndef f(:\n", "SyntaxError"),
            ("import pyperf, derny_no_such\n", "pip install derny_no_such"),
            ("import sys, pyperf\nsys.exit('it is not for this machine')\n", "not for this machine"),
            ("import pyperf\nr = pyperf.Runner()\nr.bench_func('a', int)\nr.bench_func('a', int)\n", "duplicated"),
            ("import pyperf\npyperf.Runner()\npyperf.Runner()\n", "only one Runner can be created"),
        ):
            answer = unquote(self.harness(source).one("list"))
            self.assertTrue(answer.startswith("error ") and told in answer, answer)

    def test_a_module_that_scripts_share_has_no_cases(self):
        source = "import pyperf\ndef shared(runner):\n    runner.bench_func('x', int)\n"
        self.assertEqual(self.harness(source).one("list"), "end")

    def test_names_that_ours_lacks_are_the_installed_ones(self):
        source = "import pyperf\nfrom pyperf._extra import deep\nr = pyperf.Runner()\nr.bench_func(pyperf.Extra.name + deep(), int)\nassert pyperf.__version__\n"
        answer = unquote(self.harness(source).one("list"))
        self.assertIn("pyperf", answer)
        self.assertTrue(answer.startswith("error "), answer)
        answer = unquote(self.harness("import pyperf\npyperf.Benchmark\n", flags=["-S"]).one("list"))
        self.assertIn("pip install pyperf", answer)
        files = {
            "pyperf/__init__.py": "from pyperf._extra import Extra\n__version__ = '0'\n",
            "pyperf/_extra.py": "import pyperf\nassert pyperf.python_implementation()\nclass Extra:\n    name = 'extra'\ndef deep():\n    return ' deep'\n",
        }
        case, _ = self.harness(source, files=files).ask("list")
        self.assertTrue(case.startswith("case benchmark=extra%20deep "), case)
        missing = unquote(self.harness("import pyperf\npyperf.nothing\n", files=files).one("list"))
        self.assertIn("has the name 'nothing'", missing)

    def test_the_end_of_the_commands_ends_the_script_too(self):
        harness = self.harness()
        self.assertEqual(harness.one("open benchmark=func"), "opened")
        harness.__exit__()
        self.assertEqual(harness.process.returncode, 0)


if __name__ == "__main__":
    unittest.main()
