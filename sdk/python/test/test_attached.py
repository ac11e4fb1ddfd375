"""Tests interactive sessions: `attach()`, the magics, and statements on the command line."""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

from driver import SDK
from derny import notebook
from derny.statement import REPETITION_NS, Provider, Statement
from derny.suites import timeit

# A minimal engine: runs one turn of the first case and reports its result.
ENGINE = '''#!{python}
import json, sys
words = sys.argv[1:]
if words[0] == "plot":
    print("<svg>" + " ".join(words[1:]) + "</svg>")
    sys.exit(0)
def ask(line):
    sys.stdout.write(line + chr(10)); sys.stdout.flush()
    return sys.stdin.readline().rstrip()
hello = sys.stdin.readline()
assert hello.startswith("derny 1 language=python"), hello
first, line = None, ask("list")
while line.startswith("case"):
    first, line = first or line.split(" ")[1], sys.stdin.readline().rstrip()
if "--set=fail=True" in words:
    sys.exit("it went wrong")
if first is None:
    print("report text=nothing%0A"); print("result json=null"); print("quit"); sys.exit(0)
assert ask("open " + first).startswith("opened")
times = ask("measure iterations=10 batches=2 within=1000000000")
assert times.startswith("times "), times
sys.stdin.readline()
assert ask("close") == "closed"
name = first.partition("=")[2].replace("%20", " ")
made = json.dumps({{"run": {{"id": "r1"}}, "words": words, "suites": [{{"cases": [{{"case": {{"id": {{"benchmark": name}}}}}}]}}]}})
codes = ["%%%02X" % ord(c) if c in "%= " else c for c in made]
print("report text=" + name.replace(" ", "%20") + "%20is%20 more=1"); print("report text=fast%0A")
print("result json=" + "".join(codes[:20]) + " more=1")
print("result json=" + "".join(codes[20:])); print("quit")
sys.stdout.flush()
sys.stderr.write("measured" + chr(10))
'''


class Session(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = place.name
        self.engine = os.path.join(self.place, "engine")
        with open(self.engine, "w") as out:
            out.write(ENGINE.format(python=sys.executable))
        os.chmod(self.engine, 0o755)

    def typed(self, text, **env):
        """Run source code without a file, as an interactive session does."""
        env = {**os.environ, "PYTHONPATH": SDK, "DERNY_BIN": self.engine, **env}
        done = subprocess.run(
            [sys.executable, "-c", text], env=env, cwd=self.place, capture_output=True, text=True
        )
        return done.stdout, done.stderr

    def test_a_session_measures_what_it_has_defined(self):
        out, err = self.typed(
            "import derny, json\n"
            "derny.bench('add one', lambda: 1 + 1)\n"
            "result = derny.attach('add', budget='2s', quick=True, ladder=False, batch_time='5us')\n"
            "print(repr(result)); print(json.dumps(result.document['words']))\n"
            "print(result._repr_html_().replace('\\n', '')); print(result.svg('box'))\n"
        )
        shown, words, html, svg = out.split("\n")[:4]
        self.assertEqual(shown, "add one is fast", err)
        self.assertEqual(json.loads(words), ["dev", "attach", "add", "--budget=2s", "--quick", "--set=batch-time=5us"])
        self.assertEqual(svg, "<svg>r1 add one --kind box</svg>")
        self.assertEqual(html, "<pre>add one is fast</pre><svg>r1 add one --kind density</svg>")
        self.assertIn("measured", err)

    def test_asynchronous_bodies_are_measured_beside_a_loop_that_runs(self):
        out, err = self.typed(
            "import asyncio, derny\n"
            "@derny.bench\n"
            "async def waits():\n"
            "    await asyncio.sleep(0)\n"
            "async def main():\n"
            "    print(derny.attach())\n"
            "asyncio.run(main())\n"
        )
        self.assertEqual(out, "waits is fast\n", err)

    def test_what_goes_wrong_is_an_error_and_the_session_goes_on(self):
        text = (
            "import derny\n"
            "derny.bench('x', lambda: 1)\n"
            "try:\n"
            "    derny.attach({})\n"
            "except RuntimeError as error:\n"
            "    print(error)\n"
            "print('on')\n"
        )
        out, err = self.typed(text.format("fail=True"))
        self.assertTrue(out.startswith("the engine exited with status 1") and out.endswith("on\n"), out)
        self.assertIn("it went wrong", err)
        out, _ = self.typed(text.format(""), DERNY_BIN="", PATH="/nonexistent")
        self.assertIn("engine is not installed", out)
        self.assertTrue(out.endswith("on\n"), out)

    def test_magics_measure_lines_and_cells(self):
        out, err = self.typed(
            "import derny, json\n"
            "class Shell:\n"
            "    user_ns = {'data': [3, 4]}\n"
            "    def register_magic_function(self, function, magic_kind, magic_name):\n"
            "        assert (magic_kind, magic_name) == ('line_cell', 'derny')\n"
            "        self.magic = function\n"
            "shell = Shell()\n"
            "derny.load_ipython_extension(shell)\n"
            "print(shell.magic('--budget=1s -s \"k = 2\" sum(data) + k'))\n"
            "print(shell.magic('total = 0', 'for x in data:\\n    total += x\\n'))\n"
            "print(shell.magic(''))\n"
        )
        lines = out.split("\n")
        self.assertEqual(lines[0], "sum(data) + k is fast", err)
        self.assertEqual(lines[1], "for x in data: … is fast", err)
        self.assertTrue(lines[2].startswith("%derny") and "None" in lines, out)

    def test_a_magics_line_is_options_and_a_statement(self):
        for line, parsed in (
            ("x + 1", ([], [], "x + 1")),
            ("-1 + x", ([], [], "-1 + x")),
            ("--quick -s 'a b' -s c f(-1)", (["--quick"], ["a b", "c"], "f(-1)")),
            ("--budget=2s -- -x", (["--budget=2s"], [], "-x")),
        ):
            self.assertEqual(notebook.parsed(line), parsed)


class Statements(unittest.TestCase):
    def test_set_up_runs_again_after_a_repetition(self):
        seen = []
        body = Statement("made.append(1)", "made = []; seen.append(made)", scope={"seen": seen})
        for _ in range(3):
            self.assertEqual(body.measure(5, 2, None), 2)
        self.assertEqual([len(made) for made in seen], [30])
        body.spent = REPETITION_NS
        body.measure(1, 1, None)
        body.close()
        self.assertEqual([len(made) for made in seen], [30, 1])

    def test_parts_may_be_functions_and_names_are_those_of_the_scope(self):
        calls, scope = [], {"x": 1}
        body = Statement(lambda: calls.append("s"), lambda: calls.append("up"), "x = 2", scope)
        body.measure(2, 1, None)
        body.close()
        self.assertEqual((calls, scope["x"]), (["up", "s", "s"], 1))
        self.assertEqual(body.overhead(1000, 3), 3)

    def test_a_statement_of_several_lines_keeps_its_indentation(self):
        seen = []
        body = Statement("for i in range(2):\n    if i:\n        seen.append(i)", scope={"seen": seen})
        body.measure(3, 1, None)
        self.assertEqual(seen, [1, 1, 1])

    def test_mistakes_are_told_before_anything_is_measured(self):
        for parts in (("x +",), ("x", "y ="), ("return 1",), (3,)):
            with self.assertRaises((SyntaxError, TypeError)):
                Provider("x", *parts)

    def test_the_command_line_is_that_of_timeit(self):
        with contextlib.redirect_stderr(io.StringIO()) as said:
            words = timeit.words_of_run(["-n", "10", "-s", "a = 1", "--quick", "a", "b"])
            for wrong in (["-s"], []):
                with self.assertRaises(SystemExit):
                    timeit.words_of_run(wrong)
        self.assertIn("have no effect: -n", said.getvalue())
        self.assertEqual(words[:2], ["run", "--quick"])
        self.assertEqual(words[3:5], [sys.executable, os.path.abspath(timeit.__file__)])
        self.assertEqual(words[5:], ["-s", "a = 1", "--", "a", "b"])
        provider = timeit.provider(words[5:])
        (case,) = provider.cases({}, False)
        self.assertEqual(case, {"benchmark": "a b"})
        self.assertEqual(provider.parts, ("a\nb", "a = 1"))


if __name__ == "__main__":
    unittest.main()
