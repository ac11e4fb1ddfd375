"""A temporary project, its interpreters, and the engine (DERNY_BIN) to run on it."""

import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import venv

ENGINE = shutil.which(os.environ.get("DERNY_BIN", "derny"))
TINY = ["--budget", "300ms", "--set", "processes=2", "--set", "rounds=2", "--set", "warmup=0"]


class Project:
    """Common parts of the tests that run the engine."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = place.name

    def write(self, **files):
        for name, text in files.items():
            path = os.path.join(self.place, name.replace("__", "/") + ".py")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as out:
                out.write(textwrap.dedent(text))

    def environ(self, **more):
        """Return an environment in which `python3` is the interpreter under test."""
        own = ("VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONHASHSEED")
        env = {key: value for key, value in os.environ.items() if key not in own}
        bin_folder = os.path.join(self.place, ".bin")
        if not os.path.exists(bin_folder):
            os.mkdir(bin_folder)
            os.symlink(sys.executable, os.path.join(bin_folder, "python3"))
        return {**env, "PATH": bin_folder + os.pathsep + env["PATH"], "DERNY_BIN": ENGINE, **more}

    def derny(self, *words, program=(ENGINE,), **more):
        return subprocess.run(
            [*program, *words],
            cwd=self.place, env=self.environ(**more), capture_output=True, text=True, timeout=120,
        )  # fmt: skip

    def text(self, name, text):
        with open(os.path.join(self.place, name), "w") as out:
            out.write(text)

    def interpreter(self, name):
        """Make an environment as `python -m venv` does. Return its interpreter and its folder of
        installed packages.
        """
        folder = os.path.join(self.place, ".venvs", name)
        venv.create(folder, symlinks=True)
        (packages,) = (path for path, _, _ in os.walk(folder) if path.endswith("site-packages"))
        return os.path.join(folder, "bin", "python"), packages
