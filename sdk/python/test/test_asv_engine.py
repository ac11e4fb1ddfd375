"""Tests whole runs of the engine (DERNY_BIN) on asv suites."""

import json
import os
import shutil
import signal
import subprocess
import time
import unittest

import driver  # noqa: F401  (puts the package on the path)
from project import ENGINE, TINY, Project

CONF = {"version": 1, "project": "shop", "repo": ".", "benchmark_dir": "benchmarks"}
BENCH = """
    import shop

    class Suite:
        params = [[1, 2]]
        param_names = ["n"]
        def time_x(self, n): shop.work(n)

    def track_size(): return shop.SIZE
"""
# Installs by copying, so that no test needs the network.
COPY = (
    "python -c \"import shutil, sysconfig; shutil.copytree('{build_dir}/shop', "
    "sysconfig.get_paths()['purelib'] + '/shop')\""
)
SHOP = "SIZE = {}\ndef work(n): return sum(range(n * 50))\n"


@unittest.skipUnless(ENGINE, "there is no engine")
class Suites(Project, unittest.TestCase):
    def suite(self, source=BENCH, **conf):
        with open(os.path.join(self.place, "asv.conf.json"), "w") as file:
            file.write("// asv's own\n" + json.dumps({**CONF, **conf}))
        self.write(benchmarks____init__="", benchmarks__b=source)

    def environment(self, name, size=None):
        """Make an environment. If a size is given, install the package. Return the interpreter."""
        program, packages = self.interpreter(name)
        if size is not None:
            self.package(size, packages)
        return program

    def package(self, size, folder):
        os.makedirs(os.path.join(folder, "shop"), exist_ok=True)
        with open(os.path.join(folder, "shop", "__init__.py"), "w") as file:
            file.write(SHOP.format(size))

    def tracked(self, found):
        """Return direction and value of the metric `track` for each side."""
        cases = found["suites"][0]["cases"]
        (case,) = (case for case in cases if case["case"]["id"]["benchmark"] == "b.track_size")
        metrics = [one for side in case["variants"] for one in side["metrics"]]
        own = [one for one in metrics if one["metric"]["name"] == "track"]
        return [(one["metric"]["direction"], one["estimate"]["value"]) for one in own]

    def git(self, words):
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *who, *words.split()], cwd=self.place, check=True)

    def test_a_suite_runs_as_it_is_and_what_is_broken_is_named(self):
        self.suite("""
            class Suite:
                params = [[1, 2], ["a"]]
                param_names = ["n", "kind"]
                def setup(self, n, kind): assert n == 1
                def time_x(self, n, kind): pass
            class Elsewhere:
                def setup(self): raise NotImplementedError("not here")
                def time_e(self): pass
            class Cached:
                def setup_cache(self): return 1
                def time_c(self, cache): assert cache == 1
            class Raises:
                def setup(self): raise OSError("no disk")
                def time_r(self): pass
            def time_ends(): __import__("os")._exit(4)
            def track_t(): return 3
            def peakmem_p(): return [0] * 100
            def timeraw_i(): return "pass"
        """)
        self.write(benchmarks__broken="import derny_no_such_module\n")
        done = self.derny("run", "--once")
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, 3, said)
        for words in ("derny_no_such_module", "pip install", "no disk", "exit 4", "not here", "AssertionError"):
            self.assertIn(words, said)
        self.assertIn("5 passed", said)
        listed = self.derny("list", "asv", "!broken")
        self.assertIn("b.Suite.time_x", listed.stdout + listed.stderr)
        one = self.derny("run", "--once", "benchmarks/b.py", "b.Suite.time_x", "n=1")
        self.assertIn("1 passed", one.stdout + one.stderr, "a file of the suite selects its cases")

    def test_a_changed_benchmark_is_listed_anew(self):
        self.suite("def time_first(): pass")
        self.assertIn("time_first", self.derny("list").stdout)
        self.suite("def time_second(): pass")
        self.assertIn("time_second", self.derny("list").stdout)

    def test_what_asv_has_made_is_no_part_of_the_project(self):
        self.suite("def time_first(): pass")
        copy = os.path.join(self.place, "env", "1a2b3c", "project")
        shutil.copytree(os.path.join(self.place, "benchmarks"), os.path.join(copy, "benchmarks"))
        shutil.copy(os.path.join(self.place, "asv.conf.json"), copy)
        self.assertEqual(self.derny("list", "-f", "plain").stdout.count("time_first"), 1)

    def test_files_like_asvs_without_a_configuration_are_named_with_what_to_type(self):
        self.write(benchmarks__b="def time_x(): pass")
        done = self.derny("run")
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, 2 if "error" not in said else done.returncode, said)
        self.assertIn("benchmarks/b.py", said)
        self.assertIn("asv.conf.json", said)

    def test_sides_are_interpreters_and_say_what_they_measure(self):
        self.suite()
        one, two = self.environment("one", 1), self.environment("two", 2)
        copy = self.environment("copy", 1)
        # The source tree must not be measured instead of the installed versions.
        self.package(77, self.place)
        done = self.derny("run", "-x", f"a={one}", "-x", f"b={two}", "track_size", *TINY)
        said = done.stdout + done.stderr
        self.assertIn("a imports shop from", said)
        self.assertIn(os.path.join(".venvs", "two"), said)
        self.assertNotIn("byte for byte", said)
        found = json.loads(self.derny("show", "-f", "json").stdout)
        self.assertIn(".venvs/one", found["run"]["variants"][0]["packages"][0]["from"])
        self.assertEqual(self.tracked(found), [("less", 1.0), ("less", 2.0)])
        done = self.derny("run", "--once", "-x", f"a={one}", "-x", f"b={copy}")
        self.assertIn("byte for byte", done.stdout + done.stderr)

    def test_sides_that_are_the_same_by_accident_are_refused(self):
        self.suite()
        one, two = self.environment("one"), self.environment("two")
        self.package(1, os.path.join(self.place, "own"))
        words = ("run", "--once", "-x", f"a={one}", "-x", f"b={two}")
        done = self.derny(*words, PYTHONPATH=os.path.join(self.place, "own"))
        said = done.stdout + done.stderr
        self.assertNotEqual(done.returncode, 0, said)
        for words in ("the same files of shop", os.path.join("own", "shop"), "PYTHONPATH"):
            self.assertIn(words, said)
        done = self.derny("run", "--once", "-x", f"a={one}", "-x", "b=.venvs/mistyped/bin/python")
        said = done.stdout + done.stderr
        self.assertNotEqual(done.returncode, 0, said)
        self.assertIn(".venvs/mistyped/bin/python", said)

    def test_revisions_are_built_by_the_projects_commands(self):
        self.suite(
            build_command=[],
            install_command=["in-dir={build_dir} NAME=x " + COPY],
            matrix={"env": {"SHOP": ["first", "second"]}},
        )
        self.package(1, self.place)
        self.git("init -q")
        self.git("add .")
        self.git("commit -qm first")
        self.package(2, self.place)
        self.suite(
            BENCH + "    def time_new(): assert __import__('os').environ['SHOP'] == 'first'\n",
            build_command=[],
            install_command=["in-dir={build_dir} NAME=x " + COPY],
            matrix={"env": {"SHOP": ["first", "second"]}},
        )
        self.git("commit -qam second")
        words = ("run", "-x", "old@HEAD~1", "-x", "new@HEAD")
        done = self.derny(*words, "track_size", "time_new", *TINY)
        said = done.stdout + done.stderr
        self.assertIn("SHOP first of 2", said)
        self.assertIn("old imports shop from", said)
        found = json.loads(self.derny("show", "-f", "json").stdout)
        self.assertEqual(self.tracked(found), [("less", 1.0), ("less", 2.0)])
        names = [case["case"]["id"]["benchmark"] for case in found["suites"][0]["cases"]]
        self.assertIn("b.time_new", names, "the benchmarks are the working tree's")
        self.assertEqual(found["failures"], [], "they see the variables of the matrix")
        other = self.derny("run", "--once", "-x", "new@HEAD", "--build-args", "SHOP=second", "time_new")
        self.assertIn("AssertionError", other.stdout + other.stderr, "the variable is the chosen one")
        plain = self.derny("run", "--once", "--build-args", "SHOP=second", PYTHONPATH=self.place)
        self.assertIn("has no effect", plain.stderr, "nothing is built for the working tree")
        self.derny(*words, "track_size", *TINY, "--args", "--more=b.track_*")
        found = json.loads(self.derny("show", "-f", "json").stdout)
        self.assertEqual(self.tracked(found), [("more", 1.0), ("more", 2.0)])
        wrong = self.derny("run", "--once", "--args", "--mroe=x", PYTHONPATH=self.place)
        self.assertIn("--more=PATTERN", wrong.stdout + wrong.stderr)
        again = self.derny(*words, "--once")
        self.assertNotIn("building", again.stderr, "an environment is kept")

    def test_thousands_of_cases_say_what_they_will_take_and_can_be_stopped_with_what_there_is(self):
        seen = os.path.join(self.place, "seen")
        os.mkdir(seen)
        self.suite(f"""
            class Many:
                params = [list(range(3000))]
                param_names = ["n"]
                def setup(self, n): pass
                def teardown(self, n):
                    open(f"{seen}/{{n}}", "w").close()
                def time_x(self, n): pass
        """)
        running = subprocess.Popen(
            [ENGINE, "run", "--set", "warmup=0", "--set", "rounds=2"], cwd=self.place, text=True, env=self.environ(),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        end = time.monotonic() + 60
        # Several processes run at the same time, each with one case.
        while running.poll() is None and time.monotonic() < end:
            if len(os.listdir(seen)) > 12:
                break
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        said, told = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 130, told)
        self.assertRegex(told, r"3000 cases.*about \d")
        self.assertRegex(said, r"n=\d+ .*\d ns")
        self.assertRegex(said, r"\n2\d\d\d cases not run\n")
        self.assertLess(len(said.splitlines()), 1000)
        found = json.loads(self.derny("show", "-f", "json").stdout)
        self.assertEqual(found["run"]["status"], "partial")
        measured = [one for one in found["suites"][0]["cases"] if one["variants"]]
        self.assertTrue(0 < len(measured) < 3000, len(measured))

    def test_a_build_that_fails_says_which_command(self):
        self.suite(build_command=["python -c 'raise SystemExit(\"no compiler\")'"], install_command=[])
        self.package(1, self.place)
        self.git("init -q")
        self.git("add .")
        self.git("commit -qm first")
        done = self.derny("run", "--once", "-x", "old@HEAD")
        said = done.stdout + done.stderr
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no compiler", said)


class Choices(unittest.TestCase):
    def test_the_first_value_of_everything_is_taken_and_named(self):
        from derny.suites.asv import config
        from derny.suites.asv.environment import chosen, wishes

        def of(wanted=None, **conf):
            return chosen({**config.DEFAULTS, **conf}, wanted)

        python, parts, remarks = of(pythons=["3.12", "3.13"], matrix={"numpy": ["1.26", "2.0"], "six": []})
        self.assertEqual((python, parts["req"]), ("3.12", {"numpy": "1.26", "six": ""}))
        self.assertEqual(remarks, ["python 3.12 of 2", "numpy 1.26 of 2"])
        matrix = {"req": {"numpy": ["1", "2"]}, "env": {"A": ["x", None]}, "env_nobuild": {"B": "y"}}
        _, parts, _ = of(matrix=matrix)
        self.assertEqual(parts, {"req": {"numpy": "1"}, "env": {"A": "x"}, "env_nobuild": {"B": "y"}})
        _, parts, _ = of(matrix=matrix, exclude=[{"req": {"numpy": "1"}}])
        self.assertEqual(parts["req"], {"numpy": "2"})
        _, parts, _ = of({"numpy": "2", "A": "z"}, matrix=matrix)
        self.assertEqual((parts["req"], parts["env"]), ({"numpy": "2"}, {"A": "z"}))
        with self.assertRaises(ValueError):
            of({"numpi": "2"}, matrix=matrix)
        wanted, unwanted = wishes(["A=z", "numpy!=1", "B=a=b"])
        self.assertEqual((wanted, unwanted), ({"A": "z", "B": "a=b"}, {"numpy": ["1"]}))
        _, parts, _ = chosen({**config.DEFAULTS, "matrix": matrix}, wanted, unwanted)
        self.assertEqual((parts["req"], parts["env"]), ({"numpy": "2"}, {"A": "z"}))
        for words in (["numpy"], ["!=1"]):
            with self.assertRaises(ValueError):
                wishes(words)
        with self.assertRaisesRegex(ValueError, "excludes all values of numpy"):
            chosen({**config.DEFAULTS, "matrix": {"numpy": ["1"]}}, {}, {"numpy": ["1"]})


if __name__ == "__main__":
    unittest.main()
