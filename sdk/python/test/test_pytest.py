"""Tests of the pytest layer: the fixture and marker of pytest-benchmark and
pytest-codspeed.
"""

import importlib.util
import os
import subprocess
import sys
import unittest

from driver import SDK, Harness
from derny.wire import decode, encode

HAS_PYTEST = importlib.util.find_spec("pytest") is not None
needs_pytest = unittest.skipUnless(HAS_PYTEST, f"{sys.executable} has no pytest")


class Suite(Harness):
    """A harness for tests/test_a.py and additional files."""

    def __init__(self, source, files=None, env=None, args=(), more=()):
        super().__init__(source, env=env, name="tests/test_a.py", files=files)
        place = self.place.name
        where = ["--root", place, "--below", os.path.join(place, "tests")]
        more = [os.path.join(place, "tests", name) for name in more]
        run = os.path.join(SDK, "run.py")
        self.words = [run, "--suite", "pytest", *where, *args, "--files", *more]

    def told(self, command):
        """Return the last line of an answer, decoded. Ignore log lines."""
        return " ".join(map(decode, self.ask(command)[-1].split(" ")))

    def names(self):
        """Return the names of all listed cases."""
        lines = [line.split(" ") for line in self.ask("list")[:-1]]
        return [decode(words[1].split("=")[1]) for words in lines]

    def visit(self, name, *commands):
        """Open a case, send commands and close it. Return the answers."""
        said = [self.told(f"open benchmark={name}")]
        assert said[0].startswith("opened"), said
        return [*said, *map(self.told, commands), self.told("close")]


TURN = "measure iterations=10 batches=3 within=10000000000"
ONE = "measure iterations=1 batches=1 within=10000000000"

CASES = """
    import pytest

    @pytest.fixture
    def own(benchmark):
        return benchmark

    @pytest.mark.parametrize("n", [1, 2], ids=["a b/c", "x::y"])
    def test_id(benchmark, n):
        benchmark(len, [n])

    class TestClass:
        @pytest.mark.parametrize("n", [0.5])
        def test_method(self, own, n):
            own(len, [])

    @pytest.mark.benchmark(group="g", min_rounds=3)
    def test_marked(): pass

    @pytest.mark.codspeed_benchmark
    def test_codspeed(): pass

    def test_none(): pass
"""

FIXTURE = """
    import sys, time
    import pytest
    from pytest_benchmark.fixture import BenchmarkFixture
    from pytest_codspeed import BenchmarkFixture as Other

    built = []

    @pytest.fixture(scope="module")
    def data():
        built.append(1)
        yield list(range(10))
        built.clear()

    @pytest.fixture
    def slow():
        time.sleep(0.05)

    def test_first(benchmark: BenchmarkFixture, data, slow):
        assert isinstance(benchmark, (BenchmarkFixture, Other))
        assert benchmark.stats is None and benchmark.enabled and not benchmark.disabled
        assert benchmark(sorted, data, reverse=True)[0] == 9
        benchmark.extra_info.update(size=10, words="text", ratio=0.5)
        assert 0 < benchmark.stats.stats.min <= benchmark.stats.stats.mean == benchmark.stats["mean"]
        assert benchmark.stats["rounds"] and benchmark.stats.stats.median and benchmark.stats.stats.ops
        assert benchmark.stats.stats.stddev >= 0 and benchmark.stats.stats.iqr >= 0

    @pytest.mark.parametrize("n", [3])
    def test_second(benchmark, data, n):
        assert len(built) == 1
        assert benchmark(lambda: sum(data)) == 45
        assert (benchmark.name, benchmark.param, benchmark.params) == ("test_second[3]", "3", {"n": 3})
        assert benchmark.fullname.endswith("tests/test_a.py::test_second[3]")

    def test_wrong(benchmark):
        assert benchmark(lambda: 1) == 2

    def test_twice(benchmark):
        benchmark(len, [])
        benchmark(len, [])

    def test_raises(benchmark):
        with pytest.raises(ZeroDivisionError):
            benchmark(lambda: 1 / 0)

    def test_exits(benchmark):
        benchmark(sys.exit, 3)

    def test_unused(benchmark): pass

    @pytest.mark.skip(reason="not here")
    def test_skipped(benchmark): pass

    def test_skips(benchmark):
        pytest.skip("not now")

    @pytest.mark.xfail(reason="a known bug")
    def test_xfails(benchmark):
        raise ValueError

    def test_setup_fails(benchmark, nosuchfixture):
        benchmark(len, [])

    def test_weave(benchmark_weave):
        import string
        benchmark_weave(string.capwords)
        assert string.capwords("a b") == "A B"

    def test_traced(benchmark):
        seen = []
        sys.settrace(lambda *_: None)
        sys.setprofile(lambda *_: None)
        try:
            benchmark(lambda: seen.append((sys.gettrace(), sys.getprofile())))
        finally:
            sys.settrace(None)
            sys.setprofile(None)
        assert len(seen) > 1 and set(seen[:-1]) == {(None, None)} and None not in seen[-1]

    calls = []

    @pytest.mark.benchmark
    def test_marked(data):
        calls.append("marked")
        assert built

    def test_long(benchmark):
        def body():
            calls.append("long")
            time.sleep(0.02)
            return len(calls)
        assert benchmark(body) == len(calls)

    def test_called(benchmark):
        benchmark(len, [])
        assert calls == ["marked", "long", "long"]
"""


@needs_pytest
class Cases(unittest.TestCase):
    def test_names_are_those_of_pytest(self):
        with Suite(CASES) as suite:
            self.assertEqual(
                suite.names(),
                [
                    "test_a.py::test_id[a b/c]",
                    "test_a.py::test_id[x::y]",
                    "test_a.py::TestClass::test_method[0.5]",
                    "test_a.py::test_marked",
                    "test_a.py::test_codspeed",
                ],
            )
            lines = "\n".join(suite.ask("list"))
            self.assertIn("group=g", lines)
            self.assertIn("line=8", lines)
            for name in ("test_a.py::test_id[x::y]", "test_a.py::test_marked"):
                self.assertEqual(suite.visit(name, TURN)[-1], "closed")

    def test_a_broken_file_is_an_error_of_its_own(self):
        files = {
            "tests/test_b.py": "import derny_no_such_module\ndef test(benchmark): benchmark(len, [])\n",
            "tests/test_c.py": "def test(benchmark: (): pass\n",
            "tests/test_d.py": "def test(benchmark): benchmark(len, [])\n",
        }
        with Suite(CASES, files, more=[f"test_{c}.py" for c in "bcd"]) as suite:
            lines = [decode(line) for line in suite.ask("list")]
            errors = [line for line in lines if " error=" in line]
            self.assertEqual(len(errors), 2, lines)
            self.assertIn("benchmark=test_b.py", errors[0])
            self.assertIn("ModuleNotFoundError: No module named 'derny_no_such_module'", errors[0])
            self.assertIn("-m pip install", errors[0])
            self.assertIn("SyntaxError", errors[1])
            self.assertEqual(suite.visit("test_d.py::test", TURN)[-1], "closed")
            self.assertIn("ModuleNotFoundError", suite.told("open benchmark=test_b.py::test"))
            self.assertIn("no benchmark", suite.told("open benchmark=test_d.py::other"))

    def test_an_address_is_no_part_of_a_name(self):
        source = """
            import pytest

            class Thing: pass

            @pytest.mark.parametrize("thing", [Thing(), Thing()], ids=object.__repr__)
            @pytest.mark.parametrize("n", [1])
            def test_of(benchmark, thing, n):
                benchmark(len, [])
        """
        with Suite(source) as suite:
            first = "test_a.py::test_of[1-<test_a.Thing object>]"
            self.assertEqual(suite.names(), [first, f"{first} #2"])
            for name in (first, f"{first} #2"):
                asked = encode(name)
                self.assertEqual(suite.visit(asked, TURN)[-1], "closed")

    def test_a_suite_that_does_not_start_says_why(self):
        broken = {"tests/conftest.py": "import derny_no_such_module\n"}
        for files, args, sentence in (
            (broken, (), "derny_no_such_module"),
            ({}, ("--no-such-option",), "--no-such-option"),
        ):
            with Suite(CASES, files, args=args) as suite:
                self.assertTrue(suite.hello.startswith("error "), suite.hello)
                self.assertIn("fatal=1", suite.hello)
                self.assertIn(sentence, decode(suite.hello))


@needs_pytest
class Turns(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.suite = Suite(FIXTURE).__enter__()
        cls.addClassCleanup(cls.suite.__exit__, None, None, None)

    def visit(self, name, *commands):
        return self.suite.visit(f"test_a.py::{name}", *commands)

    def test_turns_are_served_from_inside_of_the_call(self):
        closed = self.visit("test_first", TURN, "overhead iterations=10 batches=2", TURN, "collect")[-1]
        values = "v.size:value:level:none=10.0 v.ratio:value:level:none=0.5"
        self.assertEqual(closed, f"closed {values} texts=words=text")
        self.suite.told("open benchmark=test_a.py::test_first")
        times, _ = self.suite.measured()
        self.assertLess(times[0], 50_000_000, "a fixture's cost is not timed")
        self.suite.told("close")
        self.assertEqual(self.visit("test_second[3]", "check", TURN)[-1], "closed")
        self.assertEqual(self.visit("test_marked", TURN)[-1], "closed")
        self.assertEqual(self.visit("test_weave", TURN)[-1], "closed")

    def test_a_long_call_is_not_repeated_for_its_result(self):
        with Suite(FIXTURE) as suite:
            suite.visit("test_a.py::test_marked", ONE)
            suite.visit("test_a.py::test_long", ONE, ONE)
            self.assertEqual(suite.visit("test_a.py::test_called")[-1], "closed")

    def test_a_case_may_be_opened_again_and_without_a_turn(self):
        self.assertEqual(self.visit("test_weave", "check")[-1], "closed")
        self.assertEqual(self.visit("test_weave", "check")[-1], "closed")

    def test_what_goes_wrong_after_the_call_fails_the_case(self):
        self.assertIn("AssertionError: assert 1 == 2", self.visit("test_wrong", TURN)[-1])
        self.assertIn("FixtureAlreadyUsed", self.visit("test_twice", TURN)[-1])

    def test_what_the_body_raises_is_told_once(self):
        for name, sentence in (("test_raises", "ZeroDivisionError"), ("test_exits", "SystemExit")):
            opened, turn, closed = self.visit(name, ONE)
            self.assertIn(sentence, turn)
            self.assertEqual(closed, "closed")

    def test_what_does_not_open_says_why(self):
        for name, sentence in (
            ("test_unused", "did not call `benchmark`"),
            ("test_skipped", "skip reason=not here"),
            ("test_skips", "skip reason=not now"),
            ("test_xfails", "skip reason=a known bug"),
            ("test_setup_fails", "nosuchfixture"),
        ):
            self.assertIn(sentence, self.suite.told(f"open benchmark=test_a.py::{name}"))

    def test_nothing_traces_what_is_timed(self):
        self.assertEqual(self.visit("test_traced", TURN)[-1], "closed")


OUTCOMES = """
    import unittest
    import pytest

    def raising(error):
        raise error

    def test_xfail(benchmark):
        benchmark(pytest.xfail, "not yet right")

    def test_skip(benchmark):
        benchmark(pytest.skip, "too old")

    def test_import(benchmark):
        benchmark(lambda: pytest.importorskip("no_such_module"))

    def test_unittest(benchmark):
        benchmark(raising, unittest.SkipTest("no network"))

    def test_pedantic(benchmark):
        benchmark.pedantic(pytest.skip, ("not so",), setup=lambda: None)

    @pytest.mark.xfail(reason="off by one", raises=ValueError)
    def test_marked(benchmark):
        benchmark(raising, ValueError("1"))

    @pytest.mark.benchmark
    def test_whole():
        pytest.xfail("as a whole")

    @pytest.mark.xfail(raises=KeyError)
    def test_other(benchmark):
        benchmark(raising, ValueError("2"))

    @pytest.mark.xfail(False, reason="elsewhere")
    def test_elsewhere(benchmark):
        benchmark(raising, ValueError("3"))

    def test_fails(benchmark):
        benchmark(pytest.fail, "wrong")

    @pytest.fixture
    def missing():
        pytest.skip("nothing there")

    def test_fixture(benchmark, missing):
        benchmark(len, [])

    def test_good(benchmark):
        benchmark(len, [])
"""


@needs_pytest
class Outcomes(unittest.TestCase):
    """An exception of a body has the same effect as in pytest."""

    SKIPS = {
        "test_xfail": "not yet right",
        "test_skip": "too old",
        "test_import": "could not import 'no_such_module'",
        "test_unittest": "no network",
        "test_pedantic": "not so",
        "test_marked": "off by one",
        "test_whole": "as a whole",
    }
    FAILS = {"test_other": "ValueError: 2", "test_elsewhere": "ValueError: 3", "test_fails": "wrong"}

    def test_a_body_that_skips_or_fails_as_expected_is_skipped(self):
        with Suite(OUTCOMES) as suite:
            for command in (ONE, "check"):
                for name, why in self.SKIPS.items():
                    _, turn, closed = suite.visit(f"test_a.py::{name}", command)
                    self.assertTrue(turn.startswith(f"skip reason={why}"), f"{name}: {turn}")
                    self.assertEqual(closed, "closed", name)
                for name, why in self.FAILS.items():
                    _, turn, closed = suite.visit(f"test_a.py::{name}", command)
                    self.assertTrue(turn.startswith("error ") and why in turn, f"{name}: {turn}")
            self.assertEqual(
                suite.told("open benchmark=test_a.py::test_fixture"), "skip reason=nothing there"
            )
            self.assertEqual(suite.visit("test_a.py::test_good", TURN)[-1], "closed")

    def test_runxfail_makes_failures_of_them(self):
        with Suite(OUTCOMES, args=["--runxfail"]) as suite:
            self.assertIn("ValueError: 1", suite.visit("test_a.py::test_marked", ONE)[1])
            # With this option, `pytest.xfail` does nothing.
            self.assertFalse(suite.visit("test_a.py::test_xfail", ONE)[1].startswith("skip"))


PEDANTIC = """
    import pytest

    log = []

    def test_setup(benchmark):
        log.clear()
        def setup():
            log.append("setup")
            return (["x"],), {}
        def target(given):
            log.append(given.pop())
            return len(log)
        def teardown(given):
            log.append("down")
        result = benchmark.pedantic(target, setup=setup, teardown=teardown, rounds=3)
        assert log == ["setup", "x", "down"] * (len(log) // 3)
        assert result == len(log) - 1

    def test_once(benchmark):
        log.clear()
        assert benchmark.pedantic(lambda: log.append(1) or len(log)) == len(log) == 1

    def test_loops(benchmark):
        log.clear()
        assert benchmark.pedantic(log.append, args=(1,), rounds=2, iterations=5) is None
        assert len(log) > 1

    @pytest.mark.parametrize("words", [{"iterations": 0}, {"rounds": 0}, {"warmup_rounds": -1},
                                       {"iterations": 2, "setup": list}], ids=list("abcd"))
    def test_refused(benchmark, words):
        benchmark.pedantic(len, args=([],), **words)
"""


@needs_pytest
class Pedantic(unittest.TestCase):
    def test_counts_and_hooks_hold(self):
        with Suite(PEDANTIC) as suite:
            opened, turn, overhead, closed = suite.visit(
                "test_a.py::test_setup", TURN, "overhead iterations=10 batches=2"
            )
            self.assertEqual((opened, closed), ("opened", "closed"))
            self.assertEqual(suite.visit("test_a.py::test_once", ONE), ["opened once=1", turn_of(suite), "closed"])
            self.assertEqual(suite.visit("test_a.py::test_once")[-1], "closed")
            self.assertEqual(suite.visit("test_a.py::test_loops", TURN)[-1], "closed")
            for name in "abcd":
                self.assertIn("ValueError", suite.told(f"open benchmark=test_a.py::test_refused[{name}]"))


class turn_of:
    """Equal to the line that closes any turn."""

    def __init__(self, _):
        pass

    def __eq__(self, other):
        return other.startswith("end ")


OPTIONS = "--benchmark-disable --benchmark-skip --benchmark-min-rounds=7 --benchmark-columns=min,max -x"
HOOKS = """
    def pytest_benchmark_update_json(config, benchmarks, output_json): pass
    def pytest_benchmark_generate_machine_info(config): return {}
    def pytest_collection_modifyitems(config):
        assert config.getoption("--benchmark-only") and config.getoption("--codspeed")
        assert not config.getoption("--benchmark-disable") and not config.getoption("benchmark_skip")
        assert config.getoption("benchmark_min_rounds") == 7
        import sys
        assert "--codspeed" in sys.argv
"""


@needs_pytest
class Projects(unittest.TestCase):
    def test_options_and_hooks_of_projects_are_accepted_and_named_once(self):
        files = {
            "pytest.ini": "[pytest]\naddopts = --strict-markers -W error\nmarkers = slow\n"
            "required_plugins = pytest-benchmark\n",
            "tests/conftest.py": HOOKS,
        }
        # Plug-ins of this environment may print warnings.
        env = {"PYTEST_ADDOPTS": OPTIONS, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        with Suite(CASES, files, env=env) as suite:
            self.assertEqual(len(suite.names()), 5)
            for times in (1, 0):
                lines = suite.ask("open benchmark=test_a.py::test_marked")
                said = decode(" ".join(lines[:-1]))
                self.assertEqual(said.count("--benchmark-disable"), times, said)
                self.assertEqual(said.count("min_rounds="), times, said)
                self.assertEqual(said.count("pytest_benchmark_update_json"), times, said)
                self.assertNotIn("--benchmark-columns=", said)
                self.assertEqual(suite.told("close"), "closed")

    def test_scopes_end_where_they_end(self):
        source = """
            import pytest
            from pathlib import Path
            @pytest.fixture(scope="module")
            def named():
                assert not Path("{0}.begun").exists()
                Path("{0}.begun").touch()
                yield
                Path("{0}.ended").touch()
            def test_1(benchmark, named): benchmark(len, [])
            def test_2(benchmark, named): benchmark(len, [])
        """
        files = {"tests/test_b.py": source.format("b")}
        with Suite(source.format("a"), files, more=["test_b.py"]) as suite:
            there = lambda name: os.path.exists(os.path.join(suite.place.name, name))
            suite.visit("test_a.py::test_1")
            suite.visit("test_a.py::test_2")
            self.assertFalse(there("a.ended"))
            suite.visit("test_b.py::test_1")
            self.assertTrue(there("a.ended") and not there("b.ended"))
            os.write(suite.to, b"quit\n")
            suite.process.wait(20)
            self.assertEqual(suite.process.returncode, 0)
            self.assertTrue(there("b.ended"))

    def test_an_engine_that_goes_ends_the_test_quietly(self):
        with Suite(FIXTURE) as suite:
            suite.told("open benchmark=test_a.py::test_wrong")
            os.write(suite.to, b"quit\n")
            suite.process.wait(20)
            self.assertEqual(suite.lines.read(), "")
            self.assertEqual(suite.process.returncode, 0)


class NoPytest(unittest.TestCase):
    def test_an_environment_without_pytest_says_what_to_type(self):
        import tempfile

        with tempfile.TemporaryDirectory() as place:
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
            python = os.path.join(place, "bin", "python")
            words = "--suite pytest --root . --below . --files x.py".split()
            env = {**os.environ, "DERNY_COMMANDS": "/dev/stdin", "DERNY_REPLIES": "/dev/stdout"}
            done = subprocess.run(
                [python, os.path.join(SDK, "run.py"), *words],
                env=env,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
            )
        self.assertIn(f"{python} -m pip install pytest", decode(done.stdout.strip()))
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
