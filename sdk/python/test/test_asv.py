"""Tests the layer for asv suites: cases, names, and how bodies are called."""

import os
import sys
import unittest
from urllib.parse import unquote

from driver import SDK, Harness

CONF = """
    {
        // A comment, /* another
        "version": 1, "project": "shop", /* one */ 'repo': '..',
        benchmark_dir: "benchmarks", // no "end": [here,]
    }
"""


class Suite(Harness):
    """An asv suite, given as the files of its benchmark folder by name."""

    def __init__(self, source="", env=None, conf=CONF, **files):
        files = {f"benchmarks/{name}.py": text for name, text in files.items()}
        files = {"benchmarks/__init__.py": "", "benchmarks/b.py": source, **files}
        words = [os.path.join(SDK, "run.py"), "--suite", "asv"]
        super().__init__(conf, env, "asv.conf.json", words, files)

    def cases(self, command="list"):
        """Return the fields of all cases. Store the log lines in `told`."""
        *lines, end = self.ask(command)
        assert end == "end", end
        self.told = [line for line in lines if line.startswith("log ")]
        return [_fields(line) for line in lines if line not in self.told]

    def names(self):
        return [_name(case) for case in self.cases()]

    def opened(self, case):
        """Open a case as the engine does, with the listed fields."""
        return self.one(_open(case))


def _fields(line):
    parts = (word.split("=", 1) for word in line.split(" ")[1:] if "=" in word)
    return {unquote(key): unquote(value) for key, value in parts}


def _name(case):
    values = [value for key, value in case.items() if key.startswith("p.")]
    return case["benchmark"] + (f"({', '.join(values)})" if values else "")


def _quoted(text):
    return text.replace("%", "%25").replace(" ", "%20").replace("=", "%3D")


def _open(case):
    own = {key: value for key, value in case.items() if key.startswith("p.") or key == "at"}
    words = [f"{key}={_quoted(value)}" for key, value in own.items()]
    return " ".join(["open", f"benchmark={case['benchmark']}", *words])


KINDS = """
    import abc

    def time_f(): pass
    def timeraw_f(): return ""
    def track_f(): return 1
    def TimeCamel(): pass
    def peakmem_f(): return []
    def mem_f(): return []
    def timeless(): pass
    def Timely(): pass
    def setup_f(): pass
    def _time_hidden(): pass

    class Suite:
        params = [[1, 2], ["a", 'it"s', None]]
        param_names = ["n"]
        def setup(self, n, kind): raise AssertionError("listing sets nothing up")
        def time_x(self, n, kind): pass
        def TrackYes(self, n, kind): return n

    class Lower(Suite):
        params = [1.5, 2]
        param_names = []

    class Abstract(abc.ABC):
        @abc.abstractmethod
        def time_z(self): pass

    class _Private:
        def time_p(self): pass

    def time_named(): pass
    time_named.benchmark_name = "other.place.time_renamed"
"""


class Cases(unittest.TestCase):
    def test_functions_and_methods_of_all_kinds_are_cases_with_asvs_names(self):
        with Suite(KINDS, **{"part/__init__": "", "part/deep": "def time_deep(): pass"}) as suite:
            names = suite.names()
        own = [f"({n}, {kind})" for n in (1, 2) for kind in ("'a'", "'it\"s'", "None")]
        expected = [
            *("b.time_f", "b.timeraw_f", "b.track_f", "b.TimeCamel", "b.peakmem_f", "b.mem_f"),
            *(f"b.Suite.TrackYes{values}" for values in own),
            *(f"b.Suite.time_x{values}" for values in own),
            *(f"b.Lower.{name}({n})" for name in ("TrackYes", "time_x") for n in (1.5, 2)),
            "other.place.time_renamed",
            "part.deep.time_deep",
        ]
        self.assertEqual(names, expected)

    def test_values_that_print_an_address_have_names_and_equal_ones_are_numbered(self):
        source = """
            class Thing: pass
            def f(): pass
            def time_x(x): pass
            time_x.params = [f, Thing(), Thing(), Thing, lambda: 1, 1, 1]
        """
        with Suite(source) as suite:
            names = suite.names()
        thing = "<benchmarks.b.Thing object> ({})"
        values = ["<function f>", thing.format(0), thing.format(1), "<class 'benchmarks.b.Thing'>"]
        values += ["<function <lambda>>", "1 (0)", "1 (1)"]
        self.assertEqual(names, [f"b.time_x({value})" for value in values])

    def test_cases_are_found_by_name_then_by_place(self):
        source = """
            import os
            class Odd:
                def __repr__(self): return f"odd of {os.getpid()}"
            def track_x(x): return SET.get(x, 7)
            SET = {"a": 1, "b": 2, "c": 3}
            track_x.params = set(SET)
            def track_odd(x): return ODD.index(x)
            ODD = track_odd.params = [Odd(), Odd()]
            def track_lost(x): return 0
            track_lost.params = {Odd(), Odd()}
        """
        with Suite(source, {"PYTHONHASHSEED": "1"}) as suite:
            cases = suite.cases()
        for seed in "2", "3":
            with Suite(source, {"PYTHONHASHSEED": seed}) as suite:
                values = []
                for case in cases:
                    answer = suite.opened(case)
                    if case["benchmark"] == "b.track_lost":
                        self.assertIn("between%20processes", answer)
                        continue
                    self.assertEqual(answer, "opened")
                    suite_times, end = suite.ask("measure iterations=1 batches=1 within=1")
                    self.assertEqual(suite_times, "times -")
                    values.append(float(end.split(" ")[-1]))
                    self.assertEqual(suite.one("close"), "closed")
                self.assertEqual(values, [1, 2, 3, 0, 1])

    def test_a_file_that_cannot_be_read_is_a_parent_with_its_error(self):
        source = "class Broken:\n    def __init__(self): raise KeyError('made')\n    def time_x(self): pass"
        files = {"syntax": "def (:", "missing": "import derny_no_such", "good": "def time_g(): pass"}
        with Suite(source, **files) as suite:
            cases = suite.cases()
            broken = [case["benchmark"] for case in cases if "parent" in case]
            self.assertEqual(broken, ["b.Broken.time_x", "missing", "syntax"])
            for name, words in zip(broken, ("KeyError", "pip%20install%20derny_no_such", "SyntaxError")):
                self.assertIn(words, suite.one(f"expand benchmark={name}"))
            self.assertEqual(suite.one("open benchmark=good.time_g"), "opened")

    def test_a_process_loads_what_its_case_needs(self):
        with Suite("def time_x(): pass", other="raise SystemExit(9)") as suite:
            self.assertEqual(suite.one("open benchmark=b.time_x"), "opened")

    def test_what_asv_skips_is_skipped(self):
        source = """
            from asv_runner.benchmarks.mark import (
                SkipNotImplemented, parameterize, skip_benchmark, skip_for_params, timeout_at)
            @skip_benchmark
            def time_never(): pass
            @parameterize({"n": [1, 2]})
            @skip_for_params([(2,)])
            def time_some(n): pass
            @timeout_at(90)
            class Late:
                def setup(self): raise NotImplementedError("not on this machine")
                def time_x(self): pass
            class Marked:
                def setup(self): raise SkipNotImplemented("marked")
                def time_x(self): pass
        """
        with Suite(source) as suite:
            one, two, late, marked = suite.cases()
            self.assertNotIn("skip", one)
            self.assertIn("skip_params", two["skip"])
            self.assertEqual(late["timeout_ns"], "90000000000")
            self.assertIn("not%20on%20this%20machine", suite.opened(late))
            self.assertIn("skip", suite.opened(marked))
            self.assertEqual(suite.opened(one), "opened")

    def test_a_configuration_that_is_wrong_names_its_file(self):
        for conf, words in (("{,", "asv.conf.json"), ('{"benchmark_dir": "nowhere"}', "nowhere")):
            with Suite(conf=conf) as suite:
                self.assertIn(words, suite.hello)
                self.assertIn("fatal=1", suite.hello)


class Bodies(unittest.TestCase):
    def counted(self, source, case, iterations, batches):
        """Return the content of a source's log after one turn."""
        with Suite(source) as suite:
            log = os.path.join(suite.place.name, "log")
            self.assertEqual(suite.one(f"open benchmark={case}"), "opened")
            opened = os.path.getsize(log) if os.path.exists(log) else 0
            suite.measured(iterations, batches)
            suite.one("close")
            with open(log) as file:
                return file.read()[opened:]

    LOG = """
        LOG = __file__.replace("benchmarks/b.py", "log")
        def say(what):
            with open(LOG, "a") as log: log.write(what)
    """

    def test_number_is_obeyed_and_set_up_comes_before_every_call(self):
        source = self.LOG + """
        class Fixed:
            number = 2
            def setup(self): say("s")
            def teardown(self): say("t")
            def time_x(self): say("c")
        """
        with Suite(source) as suite:
            (case,) = suite.cases()
        self.assertEqual(case["max_iterations"], "2")
        self.assertEqual(self.counted(source, "b.Fixed.time_x", 2, 2), "tsc" * 4 + "t")

    def test_what_asv_calls_once_in_a_process_is_called_once(self):
        source = self.LOG + """
        class Import:
            number, repeat, warmup_time = 1, 1, 0
            def setup(self): say("s")
            def time_import(self): say("c")
        """
        with Suite(source) as suite:
            (case,) = suite.cases()
            self.assertEqual((case["timing"], case["isolate"]), ("self", "1"))
            (told,) = suite.told
            self.assertTrue("repeat" in told and "warmup_time" in told, told)
            self.assertEqual(suite.opened(case), "opened")
            times, ops, _ = suite.ask("measure iterations=1 batches=1 within=1000")
            self.assertEqual((len(times.split(" ")), ops), (2, "ops 1"))
            self.assertEqual(suite.one("close"), "closed")
            with open(os.path.join(suite.place.name, "log")) as log:
                self.assertEqual(log.read(), "sc")

    def test_a_body_that_wears_out_is_set_up_before_every_call(self):
        source = """
        class Sort:
            def setup(self):
                import random
                self.list = [random.random() for _ in range(2000)]
            def time_sort(self): self.list.sort()
        class Queue:
            def setup(self): self.queue = [1]
            def time_pop(self): self.queue.pop()
        class Same:
            def setup(self): self.items = list(range(20000))
            def time_sum(self): sum(self.items)
        """
        with Suite(source) as suite:
            for name, once in (("Sort.time_sort", True), ("Queue.time_pop", True)):
                self.assertEqual(suite.one(f"open benchmark=b.{name}"), "opened")
                _, end = suite.measured(3, 2)
                self.assertEqual(end[0], "-", "the counters would be those of the set-up")
                self.assertEqual("set-up" in suite.one("close"), once)
            self.assertEqual(suite.one("open benchmark=b.Same.time_sum"), "opened")
            suite.measured(3, 2)

    def test_both_sides_call_alike(self):
        source = """
        import os
        class Odd:
            def setup(self): self.calls = 0
            def time_x(self):
                self.calls += 1
                if self.calls > 1 and os.environ["SIDE"] == "a": raise IndexError
        """
        with Suite() as place:
            root = place.place.name
            for side in "a", "b":
                scratch = os.path.join(root, side)
                os.mkdir(scratch)
                with Suite(source, {"SIDE": side, "DERNY_SCRATCH": scratch}) as suite:
                    self.assertEqual(suite.one("open benchmark=b.Odd.time_x"), "opened")
                    suite.measured(3, 2)
                    self.assertIn("set-up", suite.one("close"))

    def test_a_set_up_is_not_repeated_where_it_is_known_how_calls_are_counted(self):
        source = """
        import os
        class Alike:
            def setup(self):
                with open(os.environ["DERNY_SCRATCH"] + "/log", "a") as log: log.write("x")
            def time_x(self): pass
        """
        with Suite() as own:
            scratch = os.path.join(own.place.name, "a")
            os.mkdir(scratch)
            # Another process has decided that calls need no separate set-up.
            with open(os.path.join(own.place.name, "calls-b-Alike-time_x"), "w") as known:
                known.write("0")
            with Suite(source, {"DERNY_SCRATCH": scratch}) as suite:
                self.assertEqual(suite.one("open benchmark=b.Alike.time_x"), "opened")
                suite.measured(3, 2)
                suite.one("close")
            with open(os.path.join(scratch, "log")) as log:
                self.assertEqual(log.read(), "x")

    def test_long_set_ups_end_a_turn(self):
        source = """
        import time
        class Long:
            number = 1000
            def setup(self): time.sleep(0.02)
            def time_x(self): pass
        """
        with Suite(source) as suite:
            self.assertEqual(suite.one("open benchmark=b.Long.time_x"), "opened")
            times, _ = suite.ask("measure iterations=1000 batches=50 within=1000000")
            self.assertEqual(len(times.split(" ")), 2)

    def test_a_cache_is_set_up_once_and_found_with_its_files(self):
        source = self.LOG + """
        class Cached:
            params = [1, 2]
            def setup_cache(self):
                say("cache")
                with open("made.txt", "w") as made: made.write("file")
                return {"key": 5}
            setup_cache.timeout = 90
            def track_x(self, cache, n):
                return cache["key"] * n + len(open("made.txt").read())
        """
        with Suite(source) as scratch:
            env = {"DERNY_SCRATCH": scratch.place.name}
            with Suite(source, env) as suite:
                cases = suite.cases()
                keys = {case["prepared"] for case in cases}
                self.assertEqual(len(keys), 1)
                suite.ask(f"list prepare={keys.pop()}")
                log = os.path.join(suite.place.name, "log")
                self.assertEqual(open(log).read(), "cache")
            with Suite(source, env) as suite:
                for case, expected in zip(cases, (9, 14)):
                    self.assertEqual(suite.opened(case), "opened")
                    self.assertEqual(suite.ask("measure iterations=1 batches=1 within=1")[1].split(" ")[-1],
                                     f"{expected}.0")
                    suite.one("close")

    def test_values_are_taken_once_in_a_process(self):
        source = """
        CALLS = []
        def track_x():
            CALLS.append(1)
            return len(CALLS)
        track_x.unit = "MB/s"
        def track_word(): return "word"
        def peakmem_x(): return [0] * 1000
        """
        with Suite(source) as suite:
            track, _word, peak = suite.cases()
            self.assertEqual(track["metrics"], "track:MB/s:level:less")
            self.assertEqual(peak["isolate"], "1")
            self.assertEqual(suite.opened(track), "opened")
            for _ in range(3):
                times, end = suite.ask("measure iterations=1 batches=4 within=1000")
                self.assertEqual((times, end.split(" ")[-1]), ("times -", "1.0"))
            suite.one("close")
            suite.one("open benchmark=b.track_word")
            self.assertIn("must%20return%20a%20number", suite.one("measure iterations=1 batches=1 within=1"))
            suite.one("close")
            self.assertEqual(suite.opened(peak), "opened")
            _, end = suite.ask("measure iterations=1 batches=1 within=1")
            self.assertGreater(float(end.split(" ")[-1]), 1e6)

    def test_programs_are_timed_in_processes_of_their_own(self):
        source = """
        import os
        def timeraw_sleep(): return "import time; time.sleep(0.05)"
        def timeraw_setup(): return "assert x == 1", "x = 1"
        def timeraw_env(): return "import os; assert os.environ['OWN'] == 'yes'"
        timeraw_env.env = {"OWN": "yes"}
        def timeraw_bad(): return "nothing_of_that_name"
        """
        with Suite(source) as suite:
            for name in "sleep", "setup", "env":
                self.assertEqual(suite.one(f"open benchmark=b.timeraw_{name}"), "opened")
                times, _ = suite.measured(1, 1)
                if name == "sleep":
                    self.assertGreaterEqual(times[0], 50_000_000)
                suite.one("close")
            suite.one("open benchmark=b.timeraw_bad")
            self.assertIn("NameError", suite.one("measure iterations=1 batches=1 within=1"))

    def test_the_benchmarks_own_timer_is_read(self):
        source = """
        import itertools
        def time_x(): pass
        time_x.timer = lambda ticks=itertools.count(): next(ticks)
        """
        with Suite(source) as suite:
            self.assertEqual(suite.one("open benchmark=b.time_x"), "opened")
            times, _ = suite.measured(10, 2)
            self.assertEqual(times, [1_000_000_000, 1_000_000_000])

    def test_a_body_that_misbehaves_leaves_the_others_alone(self):
        source = """
        import os, random, sys
        def time_exit(): sys.exit(3)
        class Fork:
            def setup(self):
                if os.fork() == 0: os._exit(0)
            def time_x(self): pass
        def time_print(): print("end 1 2 3\\n" * 100)
        class Moves:
            def setup(self): os.chdir("/"); random.seed(1)
            def time_x(self): pass
        class Raises:
            def setup(self): raise OSError("no disk")
            def time_x(self): pass
        def track_folder(): return len(os.getcwd())
        """
        with Suite(source, {"PYTHONHASHSEED": "5"}) as suite:
            suite.one("open benchmark=b.time_exit")
            self.assertIn("SystemExit", suite.one("measure iterations=1 batches=1 within=1"))
            suite.one("close")
            self.assertIn("no%20disk", suite.one("open benchmark=b.Raises.time_x"))
            for name in "Fork.time_x", "time_print", "Moves.time_x":
                self.assertEqual(suite.one(f"open benchmark=b.{name}"), "opened")
                suite.measured(2, 2)
                self.assertTrue(suite.one("close").startswith("closed"))
            self.assertEqual(suite.one("open benchmark=b.track_folder"), "opened")
            _, end = suite.ask("measure iterations=1 batches=1 within=1")
            self.assertGreater(float(end.split(" ")[-1]), 1)

    def test_ten_thousand_cases_are_listed_quickly(self):
        source = """
        class Many:
            params = [list(range(100)), list(range(100))]
            def setup(self, a, b): raise AssertionError
            def time_x(self, a, b): pass
        """
        with Suite(source) as suite:
            self.assertEqual(len(suite.cases()), 10_000)
            with open(f"/proc/{suite.process.pid}/status") as status:
                peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
            self.assertLess(peak, 300_000)


class Package(unittest.TestCase):
    def test_where_the_package_is_loaded_from_is_told_when_it_is_asked_for(self):
        with Suite() as place:
            root = place.place.name
            for side, text in (("one", "x = 1"), ("two", "x = 2"), ("copy", "x = 1")):
                os.makedirs(os.path.join(root, side, "shop"))
                with open(os.path.join(root, side, "shop", "__init__.py"), "w") as file:
                    file.write(text)
            told = {}
            for side in "one", "two", "copy":
                folder = os.path.join(root, side)
                with Suite(env={"DERNY_PACKAGE": "1", "PYTHONPATH": folder}) as suite:
                    name, version, place_of, made = _fields(suite.hello)["package"].split(",")[:4]
                    self.assertEqual((name, version), ("shop", ""))
                    self.assertEqual(place_of, os.path.realpath(os.path.join(folder, "shop")))
                    told[side] = made
            self.assertEqual(told["one"], told["copy"])
            self.assertNotEqual(told["one"], told["two"])
            with Suite(env={"PYTHONPATH": os.path.join(root, "one")}) as suite:
                self.assertNotIn("package", _fields(suite.hello))


if __name__ == "__main__":
    sys.exit(unittest.main())
