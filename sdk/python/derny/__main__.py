"""Makes `python -m derny ARGUMENTS` equivalent to `derny ARGUMENTS`, with this environment's
engine.

`python -m derny timeit` measures a statement, with the options of `python -m timeit`.
"""

import sys

from .engine import become


def main():
    words = sys.argv[1:]
    if words[:1] == ["timeit"]:
        from .suites.timeit import words_of_run

        words = words_of_run(words[1:])
    become(words)


if __name__ == "__main__":
    main()
