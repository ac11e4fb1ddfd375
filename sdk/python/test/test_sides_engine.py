"""Tests two interpreters as sides, which must not measure the same code by accident.
Needs the engine (DERNY_BIN).
"""

import importlib.util
import json
import os
import sys
import unittest

import driver  # noqa: F401  (puts the package on the path)
from project import ENGINE, TINY, Project

HAS_PYTEST = importlib.util.find_spec("pytest")
SHOP = "__version__ = '{0}'\ndef work(): return {0}\n"
NATIVE = "from derny import bench\nimport shop\nbench('work', shop.work)\n"
LAZY = "from derny import bench\ndef work():\n    import shop\n    shop.work()\nbench('work', work)\n"
PYPERF = "import pyperf, shop\npyperf.Runner().bench_func('work', shop.work)\n"
PYTEST = "def test_work(benchmark):\n    import shop\n    benchmark(shop.work)\n"
PROJECT = '[build-system]\nrequires = []\n[project]\nversion = "9"\nname = "shop"\n'


@unittest.skipUnless(ENGINE, "there is no engine")
class Sides(Project, unittest.TestCase):
    def environment(self, name, version=None, tree=None, sees_pytest=False):
        """Make an interpreter with a version of the package, or with an editable install
        of a tree.
        """
        program, packages = self.interpreter(name)
        if version is not None:
            self.package(packages, version)
            told = os.path.join(packages, f"shop-{version}.dist-info")
            os.mkdir(told)
            with open(os.path.join(told, "METADATA"), "w") as file:
                file.write(f"Metadata-Version: 2.1\nName: shop\nVersion: {version}\n")
        leads = [tree] if tree else []
        if sees_pytest:
            leads.append(os.path.dirname(os.path.dirname(HAS_PYTEST.origin)))
        with open(os.path.join(packages, "leads.pth"), "w") as file:
            file.write("\n".join(leads))
        return program

    def package(self, folder, version):
        os.makedirs(os.path.join(folder, "shop"), exist_ok=True)
        with open(os.path.join(folder, "shop", "__init__.py"), "w") as file:
            file.write(SHOP.format(version))

    def run_with(self, one, two, *words, **more):
        done = self.derny("run", "-x", f"a={one}", "-x", f"b={two}", *words, **more)
        return done.returncode, done.stdout + done.stderr, done

    def test_installed_versions_are_measured_beside_a_tree_and_are_named(self):
        one, two = self.environment("one", "1.0"), self.environment("two", "2.0")
        for source in (NATIVE, LAZY, PYPERF):
            with self.subTest(source):
                self.write(benchmarks__work_bench=source)
                self.package(self.place, "7.0")
                self.text("pyproject.toml", PROJECT)
                code, said, _ = self.run_with(one, two, "--once")
                self.assertEqual(code, 0, said)
                self.assertIn("a imports shop 1.0 from", said)
                self.assertIn("b imports shop 2.0 from", said)
                self.assertIn(os.path.join(".venvs", "two"), said)
                self.assertNotIn("same files", said)
                self.assertNotIn("byte for byte", said)

    def test_a_tree_that_hides_what_is_installed_is_refused_with_what_to_type(self):
        one, two = self.environment("one", "1.0"), self.environment("two", "2.0")
        self.package(self.place, "7.0")
        self.write(work_bench=NATIVE)
        code, said, _ = self.run_with(one, two, "--once")
        self.assertNotEqual(code, 0, said)
        for words in (
            "would measure the same files of shop 7.0",
            os.path.join(self.place, "shop"),
            "a also has 1.0 of",
            "b also has 2.0 of",
            "PYTHONSAFEPATH=1",
        ):
            self.assertIn(words, said.replace("\n  ", " "))
        if sys.version_info >= (3, 11):
            code, said, _ = self.run_with(one, two, "--once", PYTHONSAFEPATH="1")
            self.assertEqual(code, 0, said)
            self.assertIn("b imports shop 2.0 from", said)
        # One interpreter has its own version, and the other imports the tree.
        tree = self.environment("tree", tree=self.place)
        code, said, _ = self.run_with(tree, two, "--once")
        self.assertNotEqual(code, 0, said)
        self.assertIn("b also has 2.0 of", said)

    def test_where_no_interpreter_has_the_package_both_load_the_tree_and_are_refused(self):
        one, two = self.environment("one"), self.environment("two")
        self.package(os.path.join(self.place, "src"), "7.0")
        self.text("pyproject.toml", PROJECT)
        self.write(benchmarks__work_bench=NATIVE)
        for more in ({}, {"PYTHONPATH": os.path.join(self.place, "src")}):
            code, said, _ = self.run_with(one, two, "--once", **more)
            self.assertNotEqual(code, 0, said)
            self.assertIn("would measure the same files of shop 7.0", said)
            self.assertIn("even if other versions are installed", said)
        # Naming the same interpreter twice is deliberate and allowed.
        code, said, _ = self.run_with(one, one, "--once")
        self.assertEqual(code, 0, said)

    def test_the_tree_with_other_packages_is_measured_and_said_on_the_first_line(self):
        (one, first), (two, second) = self.interpreter("one"), self.interpreter("two")
        for number, packages in enumerate((first, second)):
            self.text(os.path.join(packages, "dependency.py"), f"__version__ = '{number}.5'\n")
        self.package(self.place, "7.0")
        self.text("pyproject.toml", PROJECT)
        self.write(benchmarks__work_bench="import dependency\n" + NATIVE)
        code, said, done = self.run_with(one, two, *TINY)
        self.assertIn("note: a and b load the same files of shop 7.0", said)
        self.assertIn("they differ in dependency 0.5 and 1.5", said)
        self.assertIn("a and b load the same files of shop", done.stdout.splitlines()[0])

    def test_equal_bytes_are_said_on_the_first_line_of_the_result(self):
        one, two = self.environment("one", "1.0"), self.environment("two", "1.0")
        self.write(benchmarks__work_bench=NATIVE)
        _, said, done = self.run_with(one, two, *TINY)
        self.assertIn("note: a and b are the same shop 1.0, byte for byte", said)
        first = "a and b are the same shop 1.0, byte for byte"
        self.assertEqual(done.stdout.splitlines()[0], first)
        self.assertEqual(self.derny("compare").stdout.splitlines()[0], first)
        found = json.loads(self.derny("show", "-f", "json").stdout)
        packages = found["run"]["variants"][1]["packages"]
        self.assertEqual([packages[0]["name"], packages[0]["version"]], ["shop", "1.0"])
        self.assertIn(os.path.join(".venvs", "two"), packages[0]["from"])

    def test_folders_of_a_variable_are_sides_like_interpreters(self):
        def run(one, two, *words):
            sides = [f"{name}+PYTHONPATH={self.place}/{at}" for name, at in (("a", one), ("b", two))]
            done = self.derny("run", "-x", sides[0], "-x", sides[1], *words)
            return done.returncode, done.stdout + done.stderr, done

        for folder, version in (("one", "1.0"), ("copy", "1.0"), ("two", "2.0")):
            self.package(os.path.join(self.place, folder), version)
        self.write(benchmarks__work_bench=NATIVE)
        self.text("pyproject.toml", PROJECT)
        code, said, _ = run("one", "two", "--once")
        self.assertEqual(code, 0, said)
        self.assertIn("b imports shop 2.0 from", said)
        self.assertNotIn("byte for byte", said)
        _, said, done = run("one", "copy", *TINY)
        first = "a and b are the same shop 1.0, byte for byte"
        self.assertIn(f"note: {first}", said)
        self.assertEqual(done.stdout.splitlines()[0], first)
        # A package beside the benchmark hides both versions.
        self.package(os.path.join(self.place, "benchmarks"), "7.0")
        code, said, _ = run("one", "two", "--once")
        self.assertNotEqual(code, 0, said)
        said = said.replace("\n  ", " ")
        self.assertIn("would measure the same files of shop 7.0", said)
        self.assertIn("as in -x b+PYTHONPATH=FOLDER", said)
        # A folder in an unrelated variable does not select code.
        done = self.derny("run", "-x", "a+DATA=/", "-x", "b+DATA=/tmp", "--once")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @unittest.skipUnless(HAS_PYTEST, f"{sys.executable} has no pytest")
    def test_tests_of_pytest_in_a_flat_and_in_a_src_layout(self):
        one = self.environment("one", "1.0", sees_pytest=True)
        two = self.environment("two", "2.0", sees_pytest=True)
        self.text("pyproject.toml", PROJECT)
        self.write(tests__test_work=PYTEST)
        self.package(os.path.join(self.place, "src"), "7.0")
        code, said, _ = self.run_with(one, two, "--once")
        self.assertEqual(code, 0, said)
        self.assertIn("b imports shop 2.0 from", said)
        # With a conftest.py in the root, pytest puts the root first on the path.
        self.package(self.place, "8.0")
        self.text("conftest.py", "")
        code, said, _ = self.run_with(one, two, "--once")
        self.assertNotEqual(code, 0, said)
        self.assertIn("would measure the same files of shop", said)
        self.assertIn("--import-mode=importlib", said)
        code, said, _ = self.run_with(one, two, "--once", "--args", "--import-mode=importlib")
        self.assertEqual(code, 0, said)
        self.assertIn("a imports shop 1.0 from", said)


if __name__ == "__main__":
    unittest.main()
