"""Tests the benchmarks that a file defines, and their cases."""

import unittest

from driver import Harness
from derny.wire import decode

DEFINED = """
    from derny import Skip, bench, group

    def made(n, kind):
        if n == 7:
            raise Skip("seven")
        return [kind] * n

    with group("a"):
        with group("b"):
            @bench(params={"n": [2, 1], "kind": ["x", "y"]}, filter=lambda n: n != 1, setup=made, tags=["fast", "b c"],
                   items=lambda n: n * 10, operations=2, unit="row", env={"A": "1,2"}, args="-O", isolate=True)
            def body(list, kind, *, n):
                assert list == [kind] * n
                return n

    bench("objects", lambda f, s: (f, sorted(s)), params={"f": [len, lambda: 0, lambda: 1, object()], "s": [{"q", "p", "r"}]})
    bench("set", lambda v: v, params={"v": {"one", "two", "three", "four"}})
    bench("none", lambda v: v, params={"v": [None, True, 1.5]})
    bench("total", sum, setup=lambda: [1, 2])
    bench("inputs", lambda x, n: (x, n), params={"n": 3}, inputs=lambda n: range(n))
"""


class Cases(unittest.TestCase):
    def test_all_that_was_defined_is_listed(self):
        with Harness(DEFINED) as harness:
            cases = harness.ask("list")
        self.assertTrue(
            cases[0].startswith(
                "case benchmark=a/b/body p.n=2 p.kind=x group=a/b ops=2 unit=row items=20"
            ),
            cases[0],
        )
        for field in ("isolate=1", "args=-O", "env=A%3D1%2C2", "tags=fast,b%20c", "line="):
            self.assertIn(f" {field}", cases[0])
        self.assertEqual(sum("a/b/body" in case for case in cases), 2)
        texts = [case.split(" ")[2] for case in cases if "benchmark=objects" in case]
        self.assertEqual(
            texts, ["p.f=len", "p.f=<lambda>", "p.f=<lambda>%20(2)", "p.f=<object%20object>"]
        )
        self.assertIn("p.s={'p',%20'q',%20'r'}", cases[2])
        self.assertEqual(
            [c.split(" ")[2] for c in cases if "benchmark=none" in c],
            ["p.v=None", "p.v=True", "p.v=1.5"],
        )

    def test_names_do_not_depend_on_the_seed_of_hashes(self):
        lists = []
        for seed in ("1", "2", "3"):
            with Harness(DEFINED, env={"PYTHONHASHSEED": seed}) as harness:
                lists.append([case.split(" file=")[0] for case in harness.ask("list")])
        self.assertEqual(lists[0], lists[1])
        self.assertEqual(lists[1], lists[2])

    def test_cases_open_by_name_and_with_other_numbers(self):
        with Harness(DEFINED) as harness:
            self.assertEqual(harness.one("open benchmark=a/b/body p.n=5 p.kind=z"), "opened")
            self.assertTrue(harness.one("check").startswith("checked hash="))
            self.assertEqual(harness.one("close"), "closed")
            self.assertEqual(
                harness.one("open benchmark=a/b/body p.n=7 p.kind=z"), "skip reason=seven"
            )
            self.assertIn(
                "is%20not%20a%20number", harness.one("open benchmark=a/b/body p.n=x p.kind=z")
            )
            self.assertIn("needs%20a%20value", harness.one("open benchmark=a/b/body p.n=1"))
            self.assertIn("has%20no%20parameter", harness.one("open benchmark=total p.q=1"))
            self.assertIn("there%20is%20no%20value", harness.one("open benchmark=none p.v=2"))
            self.assertEqual(
                harness.one("open benchmark=objects p.f=<lambda>%20(2) p.s={'p',%20'q',%20'r'}"),
                "opened",
            )
            self.assertTrue(harness.one("check").startswith("checked"))
            self.assertEqual(harness.one("close"), "closed")
            harness.check("total")

    def test_a_text_that_reads_as_another_value_is_in_quotes(self):
        source = """
            from derny import bench
            values = [1, "1", None, "None", True, "True", "", "[1]", [1], '"', "plain", "plain", "plain (2)"]
            bench("of", lambda v: repr(v), params={"v": values})
            bench("text", lambda w: w, params={"w": ["7", "seven"]})
        """
        with Harness(source) as harness:
            lines = harness.ask("list")[:-1]
            texts = [decode(line.split(" ")[2].partition("=")[2]) for line in lines]
            self.assertEqual(
                texts[:13],
                ["1", '"1"', "None", '"None"', "True", '"True"', '""', '"[1]"', "[1]", '"\\""']
                + ["plain", "plain (3)", "plain (2)"],
            )
            self.assertEqual(texts[13:], ['"7"', "seven"])
            self.assertIn('p.w="8"', harness.ask("list p.w=8")[-2])
            hashes = []
            for line in lines:
                words = line.split(" ")
                self.assertEqual(harness.one(" ".join(["open", *words[1:3]])), "opened", line)
                hashes.append(harness.one("check"))
                self.assertEqual(harness.one("close"), "closed")
            # Exactly two values are equal.
            self.assertEqual(len(set(hashes[:13])), 12)
            self.assertEqual(len(set(hashes[13:])), 2)
            self.assertEqual(harness.one("open benchmark=text p.w=7"), "opened", "as it is typed")
            self.assertEqual(harness.one("check"), hashes[13])

    def test_what_cannot_be_meant_is_told_where_it_is_defined(self):
        wrong = {
            "bench('a', lambda: 0, colour=1)": 'unknown option "colour"',
            "bench('a', lambda n: n)": '"n" is not a parameter of the benchmark',
            "bench('a', lambda a, b: 0, setup=lambda: 1)": '"b" is not a parameter of the benchmark',
            "bench('a', lambda: 0); bench('a', lambda: 1)": "defined twice",
            "bench('a', 3)": "must be a function",
            "bench('', lambda: 0)": "must be a non-empty string",
            "bench('a', lambda: 0, params={'n': []})": "has no value",
            "bench('a', lambda x: 0, inputs=[1], fresh=lambda: 1)": "cannot be combined",
            "bench('a', lambda: 0, metrics={'m': {'kind': 'odd', 'read': len}})": '"odd" must be one of',
            "bench('a', lambda: 0, collector='maybe')": 'must be "on" or "off"',
            "bench('a', lambda: 0, setup=lambda n: 1)": 'setup: "n" is not a parameter',
        }
        for source, sentence in wrong.items():
            with Harness(f"from derny import bench\n{source}\n") as harness:
                self.assertTrue(harness.hello.startswith("error "), source)
                self.assertIn(
                    sentence, decode(harness.hello.replace(" ", "\n").replace("\n", " ")), source
                )
                self.assertIn("fatal=1", harness.hello)


if __name__ == "__main__":
    unittest.main()
