"""A harness under test: a process of this interpreter, and a minimal engine for it."""

import os
import subprocess
import sys
import tempfile
import textwrap

SDK = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, SDK)


class Harness:
    """A harness for a file with the given source: `with Harness(source) as harness:`.
    """

    def __init__(
        self, source, env=None, name="x_bench.py", words=None, files=None, arguments=()
    ):
        self.place = tempfile.TemporaryDirectory()
        self.file = os.path.join(self.place.name, name)
        for path, text in {name: source, **(files or {})}.items():
            path = os.path.join(self.place.name, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as out:
                out.write(textwrap.dedent(text))
        self.words = words or [os.path.join(SDK, "run.py"), "--root", self.place.name]
        self.env, self.arguments = env or {}, arguments

    def __enter__(self):
        commands, self.to = os.pipe()
        self.fro, replies = os.pipe()
        env = {
            **os.environ,
            "DERNY_COMMANDS": f"/dev/fd/{commands}",
            "DERNY_REPLIES": f"/dev/fd/{replies}",
            **self.env,
        }
        self.process = subprocess.Popen(
            [sys.executable, *self.words, self.file, *self.arguments],
            env=env,
            cwd=self.place.name,
            pass_fds=(commands, replies),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        os.close(commands)
        os.close(replies)
        self.lines = os.fdopen(self.fro, "r", encoding="utf-8")
        self.hello = self.lines.readline().rstrip("\n")
        return self

    def __exit__(self, *_):
        os.close(self.to)
        try:
            self.out, self.err = self.process.communicate(timeout=20)
        finally:
            self.process.kill()
        self.lines.close()
        self.place.cleanup()

    def ask(self, command):
        """Return the lines that answer a command."""
        os.write(self.to, f"{command}\n".encode())
        answer = []
        while True:
            line = self.lines.readline()
            if not line:
                raise EOFError(f"no answer to {command}: {answer}")
            answer.append(line.rstrip("\n"))
            if line.split(" ")[0].rstrip("\n") not in ("case", "times", "ops", "log"):
                return answer

    def one(self, command):
        (line,) = self.ask(command)
        return line

    def check(self, benchmark):
        opened = self.one(f"open benchmark={benchmark}")
        assert opened == "opened", opened
        checked = self.one("check")
        assert self.one("close") == "closed"
        return checked

    def measured(self, iterations=1, batches=1, more=""):
        """Run a turn. Return its times and the fields of the closing line."""
        times, end = self.ask(
            f"measure iterations={iterations} batches={batches} within=10000000000{more}"
        )
        return [int(time) for time in times.split(" ")[1:]], end.split(" ")[1:]
