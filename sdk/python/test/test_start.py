"""Tests how a file starts: as a program, as a command of the engine, as a module, and
when imported.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from driver import SDK, Harness

FILE = """
    import sys
    sys.path.insert(0, {sdk!r})
    from derny import bench
    bench("one", lambda: tuple(sys.argv[1:]))
"""


class Start(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.engine = self.write("engine", '#!/bin/sh\nfor word; do echo "$word"; done\nexit 7\n')
        os.chmod(self.engine, 0o755)

    def write(self, name, text):
        path = os.path.join(self.place.name, name)
        with open(path, "w") as out:
            out.write(text)
        return path

    def run_python(self, *words, **env):
        env = {
            **{k: v for k, v in os.environ.items() if not k.startswith("DERNY_")},
            "PYTHONPATH": SDK,
            **env,
        }
        done = subprocess.run(
            [sys.executable, *words], env=env, cwd=self.place.name, capture_output=True, text=True
        )
        return done.returncode, done.stdout.split("\n")[:-1], done.stderr

    def test_a_file_starts_the_engine_on_itself(self):
        file = self.write(
            "x_bench.py", "from derny import bench\nprint('loaded')\nbench('one', lambda: 1)\n"
        )
        status, out, _ = self.run_python(
            "-B", file, "--quick", "one", "--", "own", DERNY_BIN=self.engine
        )
        self.assertEqual(status, 7)
        self.assertEqual(
            out, ["loaded", "run", "--quick", "one", "--", sys.executable, "-B", file, "own"]
        )
        status, out, _ = self.run_python("-m", "x_bench", DERNY_BIN=self.engine)
        self.assertEqual(out[-2:], ["-m", "x_bench"])

    def test_a_file_that_fails_or_is_imported_starts_nothing(self):
        self.write("x_bench.py", "from derny import bench\nbench('one', lambda: 1)\n")
        failing = self.write(
            "y_bench.py", "from derny import bench\nbench('one', lambda: 1)\n1 / 0\n"
        )
        status, out, err = self.run_python(failing, DERNY_BIN=self.engine)
        self.assertEqual((status, out), (1, []))
        self.assertIn("ZeroDivisionError", err)
        for words in (["-c", "import x_bench"], [self.write("z.py", "import x_bench\n")]):
            self.assertEqual(self.run_python(*words, DERNY_BIN=self.engine), (0, [], ""))

    def test_without_an_engine_it_says_how_to_get_one(self):
        file = self.write("x_bench.py", "from derny import bench\nbench('one', lambda: 1)\n")
        status, _, err = self.run_python(file, PATH="/nonexistent")
        self.assertEqual(status, 2)
        self.assertIn("DERNY_BIN", err)
        status, _, err = self.run_python(file, DERNY_BIN="/nonexistent/derny")
        self.assertEqual(status, 2)
        self.assertIn("cannot start", err)
        status, _, err = self.run_python(file, DERNY_COMMANDS="/dev/null")
        self.assertEqual(status, 2)
        self.assertIn("only one of", err)

    def test_the_package_is_the_engines_command(self):
        status, out, _ = self.run_python("-m", "derny", "run", "x y", DERNY_BIN=self.engine)
        self.assertEqual((status, out), (7, ["run", "x y"]))

    def test_an_engine_may_start_the_file_itself(self):
        with Harness(FILE.format(sdk=SDK), words=["-B"]) as harness:
            self.assertTrue(harness.hello.startswith("derny 1 language=python"), harness.hello)
            self.assertIn(f" pid={harness.process.pid} ", harness.hello)
            self.assertTrue(harness.check("one").startswith("checked"))

    def test_the_end_of_the_commands_ends_it(self):
        with Harness(
            "from derny import bench\nimport threading\nbench('x', lambda: 0)\nthreading.Thread(target=threading.Event().wait).start()"
        ) as harness:
            self.assertEqual(harness.one("open benchmark=x"), "opened")
        self.assertEqual(harness.process.returncode, 0)

    def test_handlers_at_exit_are_called(self):
        source = "import atexit\nfrom derny import bench\natexit.register(print, 'gone')\nbench('x', lambda: 0)\n"
        with Harness(source) as harness:
            harness.check("x")
        self.assertEqual(harness.out, b"gone\n")

    def test_a_process_loads_no_module_for_programs_or_hashes_unless_its_file_does(self):
        source = """
            import sys
            from derny import bench
            bench("loaded", lambda: 1, params={"name": sorted(
                {"hashlib", "shutil", "subprocess"} & set(sys.modules)) or ["nothing"]})
            """
        words = ["-S", os.path.join(SDK, "run.py"), "--root", self.place.name]
        with Harness(source, words=words) as harness:
            case, end = harness.ask("list")
            self.assertIn("p.name=nothing", case)
            self.assertEqual(end, "end")
            self.assertIn("hash=", harness.check("loaded p.name=nothing"))


class Compiled(unittest.TestCase):
    """Compiling a copy of the package at each start would double the start time."""

    def test_a_copy_is_compiled_once_where_python_writes_nothing_of_the_project(self):
        with tempfile.TemporaryDirectory() as place:
            copy = os.path.join(place, "copy")
            shutil.copytree(
                os.path.join(SDK, "derny"),
                os.path.join(copy, "derny"),
                ignore=shutil.ignore_patterns("__pycache__"),
            )
            shutil.copy(os.path.join(SDK, "run.py"), copy)
            for name, text in (("commands", "quit\n"), ("own.py", ""), ("x_bench.py", "import own")):
                with open(os.path.join(place, name), "w") as file:
                    file.write(text)
            env = {
                **os.environ,
                "PYTHONDONTWRITEBYTECODE": "1",
                "DERNY_COMMANDS": os.path.join(place, "commands"),
                "DERNY_REPLIES": os.devnull,
            }
            words = [sys.executable, os.path.join(copy, "run.py"), os.path.join(place, "x_bench.py")]
            subprocess.run(words, env=env, check=True)
            kept = os.listdir(os.path.join(copy, "derny", "__pycache__"))
            self.assertTrue(any(name.startswith("wire.") for name in kept), kept)
            self.assertNotIn("__pycache__", os.listdir(place))


if __name__ == "__main__":
    unittest.main()
