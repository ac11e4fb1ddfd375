"""The program that the engine starts: `python run.py [--root FOLDER] FILE`.

It runs this copy of the package.
"""

import os
import sys


def _run():
    here = os.path.dirname(os.path.abspath(__file__))
    # Only for this import: the project's own modules must not meet the files that lie beside this
    # one.
    sys.path[:] = [here] + [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    from derny import main

    sys.path.remove(here)
    main.main(sys.argv[1:])


# Programs that `multiprocessing` starts anew import this file under another name.
if __name__ == "__main__":
    _run()
