"""The magics `%derny` and `%%derny` for IPython and notebooks: `%load_ext derny`.

This module uses IPython only through the object that loads the extension.
"""

import shlex

from .attached import run
from .statement import Provider

LONGEST = 60

HELP = """\
%derny [OPTION]... STATEMENT        measures a statement
%%derny [OPTION]... [SET-UP]        measures a cell; the rest of the line is its set-up

-s SETUP adds a set-up. All other options are those of `derny dev attach`. Write options with a value
as --budget=2s.
"""


def load(ipython):
    """Add the magics to an IPython session."""

    def derny(line, cell=None):
        return measured(line, cell, ipython.user_ns)

    derny.__doc__ = HELP
    ipython.register_magic_function(derny, magic_kind="line_cell", magic_name="derny")


def measured(line, cell, scope):
    """Return the Result of a line magic, or of a cell magic whose line is the set-up.

    Return None if there is nothing to measure.
    """
    words, setup, rest = parsed(line)
    if cell is None:
        statement = rest
    else:
        statement = cell
        setup += [rest] if rest else []
    if not statement.strip():
        print(HELP, end="")
        return None
    provider = Provider(_name(statement), statement, "\n".join(setup) or "pass", scope)
    return run(provider, ["--suite=notebook", *words])


def parsed(line):
    """Return the engine's arguments, the set-ups and the rest of a magic's line."""
    words, setup, rest = [], [], line.strip()
    while rest.startswith("-"):
        word, _, tail = rest.partition(" ")
        if word == "--":
            return words, setup, tail.strip()
        if word == "-s":
            text, tail = _first(tail)
            setup.append(text)
        elif word.startswith("--") or word[1:].isalpha():
            words.append(shlex.split(word)[0] if word.count("'") == 2 else word)
        else:
            break  # a signed number: the statement begins here
        rest = tail.strip()
    return words, setup, rest


def _first(text):
    """Return the first word by the rules of a shell, and the rest unchanged."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    word = lexer.get_token()
    return word or "", text[lexer.instream.tell() :]


def _name(statement):
    lines = [line for line in statement.splitlines() if line.strip()]
    line = lines[0].strip()
    short = line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
    return short if len(lines) == 1 or short != line else f"{short} …"
