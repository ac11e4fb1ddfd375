"""Measures one statement, given on the command line as for `python -m timeit`.

`python -m derny timeit -s SETUP STATEMENT` runs the engine on this file, which the engine then
starts as `python timeit.py …`. The benchmark is named after the statement.
"""

import os
import sys

LONGEST = 60

USAGE = """\
usage: python -m derny timeit [-s SETUP]... [OPTION OF DERNY RUN]... [--] STATEMENT...

Several STATEMENTs are the lines of one statement, and several -s are the lines of its set-up. The
options -n, -r, -u, -p and -v of timeit have no effect: Derny chooses the number and duration of
measurements. Write options with a value as --budget=5s.
"""


def words_of_run(words):
    """Return the engine's arguments for a timeit command line. Exit if it is invalid."""
    own, ignored, rest = _parsed(words)
    if not own["statement"]:
        sys.stderr.write(USAGE)
        sys.exit(2)
    if ignored:
        sys.stderr.write(
            f"derny: these options of timeit have no effect: {', '.join(ignored)}; Derny chooses the number and duration" " of measurements\n"
        )
    parts = [word for setup in own["setup"] for word in ("-s", setup)]
    program = [sys.executable, os.path.abspath(__file__), *parts, "--", *own["statement"]]
    return ["run", *rest, "--", *program]


def _parsed(words):
    """Return the set-up and the statement, the ignored options, and the engine's arguments."""
    own, ignored, rest = {"setup": [], "statement": []}, [], []
    words = list(words)
    while words:
        word = words.pop(0)
        if word == "--":
            own["statement"] += words
            break
        if not word.startswith("-") or word == "-":
            own["statement"] += [word, *words]
            break
        if word in ("-h", "--help"):
            sys.stdout.write(USAGE)
            sys.exit(0)
        name, has_value, value = word.partition("=")
        short = word[:2] if not word.startswith("--") else None
        if short == "-s" or name == "--setup":
            own["setup"].append(_value(word, short, has_value, value, words))
        elif short in ("-n", "-r", "-u") or name in ("--number", "--repeat", "--unit"):
            _value(word, short, has_value, value, words)
            ignored.append(short or name)
        elif word in ("-p", "--process", "-v", "-vv", "-vvv", "--verbose"):
            ignored.append(word)
        else:
            rest.append(word)
    return own, ignored, rest


def _value(word, short, has_value, value, words):
    """Return the value of an option, from the same argument or the next one."""
    if short is not None and len(word) > 2:
        return word[2:]
    if has_value:
        return value
    if not words:
        sys.stderr.write(f"derny: {word} needs a value\n{USAGE}")
        sys.exit(2)
    return words.pop(0)


def provider(words):
    from ..statement import Provider

    own, _, _ = _parsed(words)
    # As with timeit, statements can import modules from the working directory.
    sys.path.insert(0, os.getcwd())
    statement = "\n".join(own["statement"])
    return Provider(_name(statement), statement, "\n".join(own["setup"]) or "pass")


def _name(statement):
    line = " ".join(statement.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def _run():
    # Modules in this file's folder must not hide others of the same name.
    here = os.path.dirname(os.path.abspath(__file__))
    top = os.path.dirname(os.path.dirname(here))
    sys.path[:] = [top] + [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    from derny import main

    sys.path.remove(top)
    main.main(["--suite", "timeit", *sys.argv[1:]])


if __name__ == "__main__":
    _run()
