"""Tests files and bodies that misbehave. Each causes one clear error, and all others
are measured.
"""

import unittest

from driver import Harness
from derny.wire import decode

BODIES = """
    import os, random, sys, threading
    from derny import bench

    bench("good", lambda: 1)
    bench("exits", lambda: sys.exit(3))
    bench("raises", lambda: {}["key"])
    bench("setup raises", lambda x: x, setup=lambda: 1 / 0)
    bench("prints", lambda: print("x" * 3_000_000))
    bench("moves", lambda: os.chdir("/"))
    bench("where", lambda: os.getcwd())
    bench("seeds", lambda: random.seed(1))
    bench("draws", lambda x: x, setup=lambda: random.random())
    bench("interrupts", lambda: (_ for _ in ()).throw(KeyboardInterrupt))
    bench("deep", lambda: deep())
    bench("closes", lambda: (sys.stdout.close(), sys.stderr.close()))
    bench("thread", lambda: threading.Thread(target=threading.Event().wait).start())

    def deep():
        return deep()

    @bench
    def forks():
        if os.fork() == 0:
            return "child"
        os.wait()

    @bench
    def traces():
        sys.settrace(None)
"""


class Bodies(unittest.TestCase):
    def setUp(self):
        self.harness = Harness(BODIES, env={"PYTHONHASHSEED": "5"}).__enter__()
        self.addCleanup(self.harness.__exit__, None, None, None)

    def fails(self, name, sentence):
        self.assertEqual(self.harness.one(f"open benchmark={name}"), "opened")
        answer = self.harness.one("check")
        self.assertTrue(answer.startswith("error "), answer)
        self.assertIn(sentence, decode_line(answer))
        self.assertEqual(self.harness.one("close"), "closed")
        self.harness.check("good")

    def test_what_is_raised_is_told_and_the_next_case_is_measured(self):
        self.fails("exits", "SystemExit: the code tried to end the process with status 3")
        self.fails("raises", "KeyError: 'key'")
        self.fails("interrupts", "KeyboardInterrupt")
        self.fails("deep", "RecursionError")
        self.assertIn("ZeroDivisionError", self.harness.one("open benchmark=setup%20raises"))
        self.harness.check("good")

    def test_a_traceback_begins_in_the_users_file(self):
        self.assertEqual(self.harness.one("open benchmark=raises"), "opened")
        detail = decode_line(self.harness.one("measure iterations=1 batches=1")).split("detail=")[1]
        self.assertEqual(detail.split("\n")[1].split(",")[0].strip().split("/")[-1], 'x_bench.py"')

    def test_what_a_case_leaves_behind_is_put_back(self):
        where = self.harness.check("where")
        self.harness.check("moves")
        self.assertEqual(self.harness.check("where"), where)
        drawn = self.harness.check("draws")
        self.harness.check("seeds")
        self.assertEqual(self.harness.check("draws"), drawn)

    def test_a_fork_speaks_to_nobody(self):
        self.assertEqual(self.harness.one("open benchmark=forks"), "opened")
        for _ in range(3):
            times, _ = self.harness.measured()
            self.assertEqual(len(times), 1)

    def test_closed_streams_and_threads_do_not_hold_it_up(self):
        self.harness.check("thread")
        self.harness.check("closes")
        self.assertTrue(self.harness.check("good").startswith("checked"))


class Output(unittest.TestCase):
    def test_megabytes_of_output_do_not_reach_the_replies(self):
        import threading

        with Harness(BODIES) as harness:
            out = []
            threading.Thread(
                target=lambda: out.append(harness.process.stdout.read()), daemon=True
            ).start()
            self.assertTrue(harness.check("prints").startswith("checked"))
            self.assertTrue(harness.check("good").startswith("checked"))


class Files(unittest.TestCase):
    def told(self, source, **more):
        with Harness(source, **more) as harness:
            self.assertTrue(harness.hello.startswith("error "), harness.hello)
            self.assertIn("fatal=1", harness.hello)
            return decode_line(harness.hello)

    def test_a_file_that_cannot_be_loaded_says_why(self):
        self.assertIn("SyntaxError", self.told("from derny import bench\ndef (:\n"))
        self.assertIn("x_bench.py", self.told("from derny import bench\ndef (:\n"))
        missing = self.told("import derny_no_such_package.part\n")
        self.assertIn("ModuleNotFoundError: No module named 'derny_no_such_package'", missing)
        self.assertIn("-m pip install derny_no_such_package", missing)
        self.assertIn(
            "SystemExit: the code tried to end the process with status 4",
            self.told("import sys; sys.exit(4)\n"),
        )
        self.assertIn(
            "UnicodeDecodeError", self.told("open(__file__, 'rb').read().decode('ascii')  # é\n")
        )

    def test_a_project_whose_environment_is_not_active_is_told_how_to_use_it(self):
        env = {"VIRTUAL_ENV": "", "CONDA_PREFIX": ""}
        for file, command in (("poetry.lock", "poetry run derny"), ("Pipfile", "pipenv run derny")):
            missing = self.told("import derny_no_such_package\n", env=env, files={file: ""})
            self.assertIn(f"try: `{command}`, because the project has a {file}", missing)

    def test_a_file_may_be_called_like_a_module(self):
        source = "import random\nfrom derny import bench\nbench('draw', random.random)\n"
        with Harness(source, name="statistics.py", files={"own_part.py": ""}) as harness:
            self.assertTrue(harness.check("draw").startswith("checked"))

    def test_a_file_of_a_package_imports_what_is_beside_it(self):
        files = {
            "pack/__init__.py": "",
            "pack/benches/__init__.py": "",
            "pack/benches/data.py": "VALUE = 3\n",
        }
        source = "from .data import VALUE\nfrom derny import bench\nbench('value', lambda: VALUE)\n"
        with Harness(source, name="pack/benches/x_bench.py", files=files) as harness:
            self.assertTrue(harness.check("value").startswith("checked"))

    def test_a_project_is_found_in_its_root_and_first_in_a_worktree(self):
        source = "import colorsys, own\nfrom derny import bench\nbench('where', lambda: (own.V, hasattr(colorsys, 'OURS')))\n"
        from derny.hashing import hash_of

        for git, value in (({}, ("src", False)), ({".git": "gitdir: x\n"}, ("src", True))):
            files = {
                "src/own.py": "V = 'src'\n",
                "own.py": "V = 'root'\n",
                "colorsys.py": "OURS = 1\n",
                **git,
            }
            with Harness(source, name="benchmarks/x_bench.py", files=files) as harness:
                self.assertEqual(harness.check("where"), f"checked hash={hash_of(value)}")


def decode_line(line):
    return " ".join(decode(word) for word in line.split(" "))


if __name__ == "__main__":
    unittest.main()
