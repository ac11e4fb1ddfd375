"""Tests whole runs of the engine (DERNY_BIN) on a project."""

import importlib.util
import json
import os
import subprocess
import sys
import unittest
from collections import Counter

from driver import SDK
from project import ENGINE, TINY, Project

SIZES = """
    import pytest

    @pytest.mark.parametrize("n", [1, 2], ids=["1", "a::b/c d=e"])
    def test_size(benchmark, n):
        assert benchmark(len, [n]) == 1
"""
SUITE = (
    SIZES
    + """
    def test_told(benchmark):
        benchmark.extra_info["kind"] = "a, b"
        benchmark(len, [])

    def test_once(benchmark):
        calls = []
        benchmark.pedantic(calls.append, args=(1,))
        assert calls == [1]

    def test_wrong(benchmark):
        assert benchmark(len, []) == 1
"""
)
GOOD = "from derny import bench\nbench('good', lambda: 1)\n"
SEED = """
    import os
    from derny import bench

    with open(os.environ["SEEN"], "a") as seen:
        seen.write(os.environ.get("PYTHONHASHSEED", "none") + "\\n")

    bench("sum", sum, inputs=[range(100)])
"""


@unittest.skipUnless(ENGINE, "there is no engine")
class Projects(Project, unittest.TestCase):
    def test_what_is_broken_is_named_and_all_others_are_measured(self):
        self.write(
            a_bench=GOOD,
            b_bench="from derny import bench\ndef (:\n",
            c_bench="from derny import bench\nimport derny_no_such_module\n",
            d_bench="""
                import os
                from derny import bench
                bench("sets up", lambda x: x, setup=lambda: 1 / 0)
                bench("ends", lambda: os._exit(5))
                bench("exits", lambda: exit(5))
                bench("last", lambda: 2)
            """,
            bench_asv="class Suite:\n    def time_x(self): pass\n",
        )
        done = self.derny("run", "--once")
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, 3, said)
        for words in (
            "SyntaxError",
            "b_bench.py",
            "derny_no_such_module",
            "pip install",
            "ZeroDivisionError",
            "exit 5",
            "SystemExit",
            "2 passed, 3 failed, 2 not listed",
            "a benchmark of asv",
        ):
            self.assertIn(words, said)
        found = self.derny("show", "-f", "json").stdout
        self.assertIn("last", found)
        self.assertIn("good", found)

    @unittest.skipUnless(importlib.util.find_spec("pytest"), f"{sys.executable} has no pytest")
    def test_a_suite_of_pytest_is_measured_and_selected_by_its_names(self):
        self.write(
            tests__test_a=SUITE,
            tests__deep__test_b=SIZES,
            tests__test_broken="import no_such_derny_module\ndef test(benchmark): pass\n",
        )
        listed = self.derny("list").stdout
        for name in ("test_a.py::test_size[1]", "deep/test_b.py::test_size[a::b/c d=e]"):
            self.assertIn(name, listed)
        done = self.derny("run", "--once")
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        said = done.stdout + done.stderr
        for words in ("no_such_derny_module", "tests/test_broken.py", "6 passed, 1 failed, 1 not listed"):
            self.assertIn(words, said)
        words = ("tests/test_a.py::test_size[a::b/c d=e]", "./tests/deep/test_b.py::test_size[1]", "test_a.py::test_told")
        done = self.derny("run", *TINY, *words, "-f", "json")
        self.assertIn(done.returncode, (0, 5), done.stdout + done.stderr)
        cases = [case for suite in json.loads(done.stdout)["suites"] for case in suite["cases"]]
        self.assertEqual(len(cases), len(words), done.stdout)
        found = {case["case"]["id"]["benchmark"]: case["variants"][0].get("texts") for case in cases}
        names = {word.partition("::")[2] for word in words}
        self.assertEqual({name.partition("::")[2] for name in found}, names, found)
        self.assertIn([["kind", "a, b"]], found.values())

    def test_scripts_of_pyperf_run_with_their_arguments(self):
        self.write(
            bm_shared="import pyperf\n",
            perf__bm_x="""
                import pyperf

                if __name__ == "__main__":
                    runner = pyperf.Runner(values=5)
                    runner.argparser.add_argument("which", choices=["loads", "dumps"])
                    args = runner.parse_args()
                    runner.bench_func(args.which, lambda: 1)
                    runner.timeit("x + 1", setup="x = 1")
            """,
        )
        done = self.derny("list")
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn("--args 'WORDS' (which: loads, dumps)", done.stderr)
        done = self.derny("run", *TINY, "dumps", "--args", "dumps --fast", "-f", "json")
        self.assertIn(done.returncode, (0, 5), done.stdout + done.stderr)
        (case,) = [case for suite in json.loads(done.stdout)["suites"] for case in suite["cases"]]
        self.assertEqual(case["case"]["id"]["benchmark"], "dumps")
        said = "Derny chooses the number and duration of measurements: Runner(values=…), --fast of pyperf"
        self.assertEqual(done.stderr.count(said), 1, done.stderr)

    def test_statements_of_the_command_line_are_measured(self):
        words = ("timeit", "--once", "-s", "x = 1", "x + 1")
        done = self.derny(*words, program=(sys.executable, "-m", "derny"), PYTHONPATH=SDK)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("x + 1  passed", done.stdout)

    def test_the_projects_environment_is_taken(self):
        subprocess.run(
            [sys.executable, "-m", "venv", "--without-pip", os.path.join(self.place, ".venv")],
            check=True,
        )
        prefix = os.path.realpath(os.path.join(self.place, ".venv"))
        self.write(x_bench=f"""
            import os, sys
            from derny import bench
            assert os.path.realpath(sys.prefix) == {prefix!r}, sys.prefix
            bench("good", lambda: 1)
        """)
        done = self.derny("run", "--once")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        other = os.path.join(self.place, "other")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", other], check=True)
        done = self.derny("run", "--once", VIRTUAL_ENV=other)
        self.assertIn("AssertionError", done.stdout + done.stderr)

    def test_both_sides_of_a_pair_have_one_seed_and_every_pair_another(self):
        self.write(x_bench=SEED)
        seen = os.path.join(self.place, "seen")
        done = self.derny("run", "-x", "a=python3", "-x", "b=python3", *TINY, SEEN=seen)
        self.assertIn(done.returncode, (0, 5), done.stdout + done.stderr)
        with open(seen) as lines:
            seeds = Counter(lines.read().split())
        seeds.pop("none", None)  # of the process that listed the cases
        self.assertGreaterEqual(len(seeds), 2, seeds)
        self.assertEqual(set(seeds.values()), {2}, seeds)

    def test_a_seed_of_the_users_stays(self):
        self.write(x_bench=SEED)
        seen = os.path.join(self.place, "seen")
        self.derny("run", *TINY, SEEN=seen, PYTHONHASHSEED="7")
        with open(seen) as lines:
            self.assertEqual(set(lines.read().split()), {"7"})

    def test_a_file_that_is_started_measures_itself(self):
        self.write(x_bench=GOOD)
        sdk = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        program = (sys.executable, os.path.join(self.place, "x_bench.py"))
        done = self.derny("--once", program=program, PYTHONPATH=sdk)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("passed", done.stdout)
        done = self.derny("-f", "json", *TINY, program=program, PYTHONPATH=sdk)
        self.assertIn(done.returncode, (0, 5), done.stdout + done.stderr)
        self.assertIn("good", json.dumps(json.loads(done.stdout)))

    def test_a_revision_is_measured_with_its_own_sources(self):
        self.write(
            part="SIZE = 1\n",
            benchmarks__x_bench="from derny import bench\nimport part\nbench('size', lambda: 1 / (part.SIZE - 1))\n",
        )
        for words in ("init -q", "add .", "-c user.name=a -c user.email=a@b commit -qm first"):
            subprocess.run(["git", *words.split()], cwd=self.place, check=True)
        self.write(part="SIZE = 2\n")
        now = self.derny("run", "--once")
        self.assertEqual(now.returncode, 0, now.stdout + now.stderr)
        then = self.derny("run", "--once", "-x", "then@HEAD")
        self.assertIn("ZeroDivisionError", then.stdout + then.stderr)


if __name__ == "__main__":
    unittest.main()
