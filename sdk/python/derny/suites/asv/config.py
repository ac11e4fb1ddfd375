"""Reads `asv.conf.json`: JSON with comments, trailing commas, single quotes and unquoted keys."""

import json
import os
import re
import sys

_TOKEN = re.compile(
    r"""
    (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    | (?P<comment>//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)
    | (?P<comma>,(?=(?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*[\]}]))
    | (?P<key>[A-Za-z_$][\w$]*(?=\s*:))
    """,
    re.VERBOSE | re.DOTALL,
)

# Name of the file in an environment that contains the environment variables of the asv matrix.
VARIABLES = "derny-variables.json"

DEFAULTS = {
    "project": "project",
    "repo": ".",
    "repo_subdir": "",
    "pythons": [],
    "matrix": {},
    "exclude": [],
    "include": [],
    "benchmark_dir": "benchmarks",
    "environment_type": None,
    "install_timeout": 600,
    "build_command": None,
    "install_command": None,
    "uninstall_command": None,
}


def read(path):
    """Return the configuration, with asv's defaults and an absolute `benchmark_dir`.

    Raise ValueError if the file cannot be read or is invalid.
    """
    path = os.path.abspath(path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        found = json.loads(plain(text))
    except ValueError as error:
        raise ValueError(f"cannot read {path}: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"{path} must contain a JSON object")
    settings = {**DEFAULTS, **found, "conf_dir": os.path.dirname(path)}
    settings["benchmark_dir"] = os.path.normpath(
        os.path.join(settings["conf_dir"], settings["benchmark_dir"])
    )
    if not os.path.isdir(settings["benchmark_dir"]):
        raise ValueError(
            f"{path}: the benchmark folder {settings['benchmark_dir']} does not exist "
            '("benchmark_dir" is relative to that file)'
        )
    return settings


def plain(text):
    """Return strict JSON with the same meaning and the same line numbers."""
    return _TOKEN.sub(_replaced, text)


def _replaced(found):
    token = found.group()
    if found.lastgroup == "string":
        if token[0] == '"':
            return token
        inner = token[1:-1].replace("\\'", "'").replace('"', '\\"')
        return f'"{inner}"'
    if found.lastgroup == "key":
        return f'"{token}"'
    return "\n" * token.count("\n")


def variables():
    """Set the variables of the asv matrix if this interpreter's environment has any.

    Variables that the user has set are kept.
    """
    try:
        with open(os.path.join(sys.prefix, VARIABLES)) as file:
            found = json.load(file)
    except (OSError, ValueError):
        return
    for name, value in found.items():
        os.environ.setdefault(name, value)
