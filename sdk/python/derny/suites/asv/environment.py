"""Makes an environment for one revision of a project with an asv suite, and installs the revision.

    python environment.py CONFIGURATION TREE FOLDER HASH [NAME=VALUE | NAME!=VALUE …]

The last arguments choose a value in `pythons` or `matrix`, or exclude one. HASH is a hash of the
configuration: if it changes, the engine makes another environment.

The project's own commands build and install it, with asv's placeholders in braces replaced. The
interpreter that runs this program is also that of the environment, unless `pythons` names another
one. Messages for the user begin with `derny: `.
"""

import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

if __name__ == "__main__":  # run as a program: make the package importable
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from derny.suites.asv import config  # noqa: E402

# Asv's defaults, for projects that do not set these commands.
DEFAULTS = {
    "build_command": [
        "PIP_NO_BUILD_ISOLATION=0 python -m build",
        "python -m pip wheel -w {build_cache_dir} {build_dir}",
    ],
    "install_command": ["in-dir={env_dir} python -m pip install {wheel_file} --force-reinstall"],
    "uninstall_command": ["return-code=any python -m pip uninstall -y {project}"],
}
KINDS = ("req", "env", "env_nobuild")


def wishes(words):
    """Return {name: value} for arguments `NAME=VALUE`, and {name: values} for `NAME!=VALUE`."""
    wanted, unwanted = {}, {}
    for word in words:
        name, mark, value = word.partition("=")
        if not mark or not name.strip("!"):
            raise ValueError(f"`{word}` is not of the form NAME=VALUE or NAME!=VALUE (example: python=3.12)")
        if name.endswith("!"):
            unwanted.setdefault(name[:-1], []).append(value)
        else:
            wanted[name] = value
    return wanted, unwanted


def chosen(settings, wanted=None, unwanted=None):
    """Return (python, {kind: {name: value}}, remarks), by default the first value of each choice.

    `wanted` selects values of `python`, requirements and variables by name; `unwanted` excludes
    values. A combination that `exclude` rejects is replaced with the next one.
    """
    wanted, unwanted = dict(wanted or {}), dict(unwanted or {})
    matrix = settings["matrix"] or {}
    if not any(kind in matrix for kind in KINDS):
        matrix = {"req": matrix}
    choices, remarks = {}, []
    pythons = settings["pythons"]
    pythons = [pythons] if isinstance(pythons, str) else list(pythons)
    choices["python", ""] = [str(python) for python in pythons] or [None]
    for kind in KINDS:
        for name, values in (matrix.get(kind) or {}).items():
            values = values if isinstance(values, list) else [values]
            choices[kind, name] = values or [""]
    for key, values in choices.items():
        name = key[1] or "python"
        out = unwanted.pop(name, [])
        left = [value for value in values if str(value) not in out]
        if not left:
            raise ValueError(f"`{name}!=` excludes all values of {name}: {', '.join(map(str, values))}")
        choices[key] = [wanted.pop(name)] if name in wanted else left
    for name in sorted({**wanted, **unwanted}):
        known = ", ".join(name or "python" for _, name in choices)
        raise ValueError(f"{name} is not in the matrix, which contains {known}")
    taken = next(
        (one for one in _combinations(choices) if not _excluded(one, settings["exclude"] or ())), None
    )
    if taken is None:
        raise ValueError('"exclude" rejects all combinations of "pythons" and "matrix"')
    for (_, name), values in choices.items():
        if len(values) > 1:
            value = taken[next(key for key in taken if key[1] == name)]
            remarks.append(f"{name or 'python'} {value or '(newest)'} of {len(values)}")
    parts = {kind: {} for kind in KINDS}
    for (kind, name), value in taken.items():
        if kind != "python" and value is not None:
            parts[kind][name] = str(value)
    return taken["python", ""], parts, remarks


def _combinations(choices):
    import itertools

    keys = list(choices)
    for values in itertools.product(*choices.values()):
        yield dict(zip(keys, values))


def _excluded(taken, rules):
    return any(_fits(taken, rule) for rule in rules)


def _fits(taken, rule):
    """Return whether a rule of `exclude` matches a combination.

    The values of a rule are regular expressions, or None for missing items.
    """
    own = {("python", ""): taken["python", ""], ("sys_platform", ""): sys.platform}
    own.update(taken)
    rules = {}
    for key, value in rule.items():
        if key in KINDS and isinstance(value, dict):
            rules.update({(key, name): one for name, one in value.items()})
        elif key in ("python", "sys_platform", "environment_type"):
            rules[key, ""] = value
        else:
            rules["req", key] = value
    for key, value in rules.items():
        found = own.get(key)
        if value is None and found is not None:
            return False
        if value is not None and (found is None or not re.fullmatch(str(value), str(found))):
            return False
    return bool(rules)


def interpreter(python):
    """Return the interpreter for an item of `pythons`: this one if its version matches or is not
    given.
    """
    own = f"{sys.version_info[0]}.{sys.version_info[1]}"
    if python in (None, "", "same", own, f"{own}.{sys.version_info[2]}"):
        return sys.executable
    found = shutil.which(python) or shutil.which(f"python{python}")
    if found is None:
        raise ValueError(
            f'python{python}, the first item of "pythons", is not installed. '
            f"Install it, or choose another one: --build-args python={own}"
        )
    return found


class Environment:

    def __init__(self, settings, tree, folder, commit):
        self.settings, self.path = settings, os.path.join(folder, "env")
        self.build_dir = os.path.join(tree, settings["repo_subdir"] or "")
        self.cache = os.path.join(folder, "wheels")
        self.words = {
            "project": settings["project"],
            "conf_dir": settings["conf_dir"],
            "env_name": os.path.basename(folder),
            "env_dir": self.path,
            "env_type": settings["environment_type"] or "virtualenv",
            "commit": commit,
            "build_dir": self.build_dir,
            "build_cache_dir": self.cache,
        }
        self.env = {}

    def make(self, python, parts):
        for place in (self.path, self.cache):
            shutil.rmtree(place, ignore_errors=True)
        os.makedirs(self.cache)
        commands = [*self.commands("build_command"), *self.commands("install_command")]
        needs_pip = bool(parts["req"]) or any("pip" in c or "-m build" in c for c in commands)
        without = [] if needs_pip else ["--without-pip"]
        run([interpreter(python), "-m", "venv", *without, self.path])
        self.env = dict(parts["env"])
        with open(os.path.join(self.path, config.VARIABLES), "w") as file:
            json.dump({**parts["env"], **parts["env_nobuild"]}, file)
        wanted = [f"{_package(name)}{_version(value)}" for name, value in parts["req"].items()]
        if any("python -m build" in command for command in commands):
            wanted += ["build", "wheel", "setuptools", *_needed_to_build(self.build_dir)]
        if wanted:
            self.run(f"python -m pip install -q {shlex.join(wanted)}", {})

    def commands(self, key):
        found = self.settings[key]
        if found is None:
            return DEFAULTS[key]
        return [found] if isinstance(found, str) else list(found)

    def build(self):
        for key in ("uninstall_command", "build_command", "install_command"):
            if key == "uninstall_command" and self.settings[key] is None:
                continue  # a new environment contains nothing to uninstall
            for command in self.commands(key):
                self.run(command, self.words)

    def run(self, command, words):
        """Run one command. `NAME=VALUE`, `in-dir=` and `return-code=` may precede it."""
        wheels = glob.glob(os.path.join(self.cache, "*.whl"))
        if "{wheel_file}" in command:
            own = re.sub(r"[-_.]+", "_", self.settings["project"]).lower()
            named = [w for w in wheels if os.path.basename(w).lower().startswith(f"{own}-")]
            if len(named or wheels) != 1:
                raise ValueError(
                    f"`{command}` needs exactly one wheel in {self.cache}, which contains {len(wheels)}"
                )
            words = {**words, "wheel_file": (named or wheels)[0]}
        try:
            parts = [part.format(**words) for part in shlex.split(command)] if words else shlex.split(command)
        except (KeyError, IndexError) as error:
            raise ValueError(f"`{command}`: unknown placeholder {error}") from None
        env, codes, folder = {}, {0}, self.build_dir
        while parts:
            name, mark, value = parts[0].partition("=")
            if mark and name == "in-dir":
                folder = value
            elif mark and name == "return-code":
                codes = None if value == "any" else {int(code) for code in value.split(",")}
            elif mark and re.fullmatch(r"[A-Za-z_]\w*", name):
                env[name] = value
            else:
                break
            parts.pop(0)
        run(parts, folder, {**self.environ(), **env}, codes)

    def environ(self):
        """Return the environment variables for the commands: those of asv, and a PATH that begins
        with the programs of this environment.
        """
        env = {**os.environ, **self.env, "ASV": "true", "PIP_USER": "false"}
        for name in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"):
            env.pop(name, None)
        env.update({f"ASV_{name.upper()}": value for name, value in self.words.items()})
        env["PATH"] = os.path.join(self.path, "bin") + os.pathsep + env.get("PATH", "")
        env["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
        return env


def _package(name):
    return name[4:] if name.startswith("pip+") else name


def _version(value):
    return value if not value or value[0] in "<>=!~@ [" else f"=={value}"


def _needed_to_build(folder):
    """Return the build requirements from pyproject.toml, if it can be read."""
    try:
        import tomllib

        with open(os.path.join(folder, "pyproject.toml"), "rb") as file:
            return tomllib.load(file).get("build-system", {}).get("requires", [])
    except (ImportError, OSError, ValueError):
        return []


def run(words, folder=None, env=None, codes=frozenset({0})):
    """Run a program. Raise RuntimeError with the end of its output if it fails."""
    program = shutil.which(words[0], path=(env or os.environ).get("PATH")) or words[0]
    try:
        done = subprocess.run(
            [program, *words[1:]], cwd=folder, env=env, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        )  # fmt: skip
    except OSError as error:
        raise RuntimeError(f"`{shlex.join(words)}` cannot be started: {error}") from None
    if codes is not None and done.returncode not in codes:
        last = "\n".join(done.stdout.strip().splitlines()[-8:])
        raise RuntimeError(f"`{shlex.join(words)}` exited with status {done.returncode}\n{last}")


def _commit(tree):
    try:
        found = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=tree, capture_output=True, text=True, check=True
        )
        return found.stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def main(words):
    settings, (tree, folder) = config.read(words[0]), words[1:3]
    try:
        python, parts, remarks = chosen(settings, *wishes(words[4:]))
        environment = Environment(settings, os.path.abspath(tree), os.path.abspath(folder), _commit(tree))
        environment.make(python, parts)
        environment.build()
    except (ValueError, RuntimeError) as error:
        print(error)
        return 1
    if remarks:
        print(f"derny: selected from the matrix of {os.path.basename(words[0])}: {', '.join(remarks)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
