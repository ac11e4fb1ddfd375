"""Tests the contents of the wheel, and that pip installs it without an index."""

import base64
import csv
import hashlib
import importlib.util
import os
import platform
import subprocess
import sys
import tempfile
import unittest
import zipfile

from driver import SDK
from derny.version import VERSION


class Wheel(unittest.TestCase):
    def setUp(self):
        self.make(platform.machine())

    def make(self, machine):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = place.name
        engine = os.path.join(self.place, "engine")
        with open(engine, "w") as out:
            out.write('#!/bin/sh\nprintf "%s\\n" "$@"\nexit 7\n')
        made = subprocess.run(
            [sys.executable, os.path.join(SDK, "wheel.py"), engine, self.place, machine],
            check=True,
            capture_output=True,
            text=True,
        )
        self.name = made.stdout.strip()
        self.wheel = os.path.join(self.place, self.name)

    def test_its_tags_are_of_the_machine_that_it_is_for(self):
        for machine in ("x86_64", "aarch64"):
            self.make(machine)
            for tag in self.name[: -len(".whl")].split("-")[-1].split("."):
                self.assertTrue(tag.endswith(f"_{machine}"), self.name)

    def test_its_record_tells_of_every_file(self):
        self.assertRegex(self.name, rf"^derny-{VERSION}-py3-none-manylinux\w+(\.musllinux\w+)?\.whl$")
        with zipfile.ZipFile(self.wheel) as wheel:
            info = f"derny-{VERSION}.dist-info"
            rows = list(csv.reader(wheel.read(f"{info}/RECORD").decode().splitlines()))
            self.assertEqual([row[0] for row in rows], wheel.namelist())
            for file, hashed, size in rows[:-1]:
                data = wheel.read(file)
                own = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                self.assertEqual((hashed, int(size)), (f"sha256={own}", len(data)), file)
            self.assertEqual(rows[-1], [f"{info}/RECORD", "", ""])
            self.assertEqual(wheel.getinfo("derny/engine/derny").external_attr >> 16, 0o100755)
            self.assertIn(f"\nVersion: {VERSION}\n", wheel.read(f"{info}/METADATA").decode())
            tags = wheel.read(f"{info}/WHEEL").decode()
            for tag in self.name[: -len(".whl")].split("-")[-1].split("."):
                self.assertIn(f"\nTag: py3-none-{tag}\n", tags)
            packed = {name for name in wheel.namelist() if name.endswith(".py")}
        own = {
            os.path.relpath(os.path.join(folder, name), SDK)
            for folder, _, names in os.walk(os.path.join(SDK, "derny"))
            for name in names
            if name.endswith(".py")
        }
        self.assertEqual(packed, own)

    @unittest.skipUnless(importlib.util.find_spec("pip"), "this Python has no pip")
    def test_pip_installs_it_with_the_command(self):
        target = os.path.join(self.place, "target")
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-q"]
        done = subprocess.run(
            [*pip, "--no-index", "--no-deps", "--target", target, self.wheel],
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        env = {key: value for key, value in os.environ.items() if not key.startswith("DERNY_")}
        env["PYTHONPATH"] = target
        for command in ([os.path.join(target, "bin", "derny")], [sys.executable, "-m", "derny"]):
            words = [*command, "run", "a b"]
            done = subprocess.run(words, env=env, cwd=target, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (7, "run\na b\n"), done.stderr)


if __name__ == "__main__":
    unittest.main()
