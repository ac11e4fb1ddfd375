"""Tests listing many files in one process."""

import os
import textwrap
import time
import unittest

from driver import SDK, Harness

WORDS = [os.path.join(SDK, "run.py"), "--list", "--root"]


class Lister(Harness):
    """A harness whose last argument is a folder instead of a file."""

    def __init__(self, files):
        super().__init__("", files=files)
        self.words, self.file = WORDS, self.place.name

    def listed(self, name, more=""):
        path = os.path.join(self.place.name, name).replace("%", "%25")
        return self.ask(f"list file={path}{more}")


GOOD = """
    from derny import bench
    bench("one", lambda: 1, params={"n": [1, 2]})
"""


@unittest.skipUnless(hasattr(os, "fork"), "there is no fork")
class Files(unittest.TestCase):
    def test_a_file_is_listed_as_by_its_own_process(self):
        with Lister({"a_bench.py": GOOD}) as lister:
            self.assertIn(" can=files", lister.hello)
            many = lister.listed("a_bench.py")
            self.assertEqual([line.split(" ")[0] for line in many], ["case", "case", "end"])
            self.assertEqual(len(lister.listed("a_bench.py", " p.n=7")), 2)
            self.assertEqual(len(lister.listed("a_bench.py", " mode=test")), 2)
            self.assertEqual(lister.one("open benchmark=one"), "unsupported verb=open")
        with Harness(textwrap.dedent(GOOD), name="a_bench.py") as own:
            alone = own.ask("list")
        places = lister.place.name, own.place.name
        self.assertEqual([line.replace(*places) for line in many], alone)

    def test_a_file_that_spoils_its_process_spoils_no_other(self):
        spoilers = {
            "throws_bench.py": "raise OSError('no')",
            "exits_bench.py": "import sys; sys.exit(3)",
            "dies_bench.py": "import os; os._exit(0)",
            "killed_bench.py": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
            "syntax_bench.py": "def",
        }
        changes = """
            import builtins, os, sys, json
            from derny import bench
            builtins.left = 1
            os.environ["LEFT"] = "1"
            os.chdir("/")
            sys.path.insert(0, "/left")
            json.left = 1
            bench("left", lambda: 1)
        """
        looks = """
            import builtins, os, sys, json
            from derny import bench
            found = [hasattr(builtins, "left"), "LEFT" in os.environ, os.getcwd() == "/",
                     "/left" in sys.path, hasattr(json, "left")]
            bench(str(any(found)), lambda: 1)
        """
        files = {**spoilers, "changes_bench.py": changes, "looks_bench.py": looks}
        with Lister(files) as lister:
            for name in spoilers:
                self.assertTrue(lister.listed(name)[0].startswith("error "), name)
            self.assertIn("benchmark=left", lister.listed("changes_bench.py")[0])
            self.assertIn("benchmark=False", lister.listed("looks_bench.py")[0])

    def test_what_a_file_has_started_keeps_nobody_waiting(self):
        source = """
            import subprocess, sys, threading, time
            from derny import bench
            nothing = dict.fromkeys(["stdin", "stdout", "stderr"], subprocess.DEVNULL)
            sleeps = [sys.executable, "-c", "import time; time.sleep(20)"]
            subprocess.Popen(sleeps, close_fds=False, **nothing)
            threading.Thread(target=time.sleep, args=[20]).start()
            bench("one", lambda: 1)
        """
        with Lister({"a_bench.py": source, "b_bench.py": GOOD}) as lister:
            begun = time.monotonic()
            self.assertEqual(len(lister.listed("a_bench.py")), 2)
            self.assertEqual(len(lister.listed("b_bench.py")), 3)
            self.assertLess(time.monotonic() - begun, 15)


if __name__ == "__main__":
    unittest.main()
