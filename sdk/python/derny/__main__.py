"""`python -m derny WORDS` is `derny WORDS`, with the engine that this environment has."""

import sys

from .engine import become

if __name__ == "__main__":
    become(sys.argv[1:])
