"""Evaluator for OpenEvolve. Derny alternates each program with the initial one, in `program_bench.py`.

`combined_score` is the lower bound of the speed-up, and 1 for a program that is not shown to be faster. A
program that fails has 0.
"""

import json
import os
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
INITIAL = HERE / "initial_program.py"


def evaluate(program_path):
    sides = (f"initial@.+PROGRAM={INITIAL}", f"candidate@.+PROGRAM={Path(program_path).resolve()}")
    command = [os.environ.get("DERNY_BIN", "derny"), "judge", "-f", "json", "--total", "30s"]
    command += ["-x", sides[0], "-x", sides[1], "program_bench.py"]
    done = subprocess.run(command, cwd=HERE, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        return result({"combined_score": 0.0}, {"error": done.stderr[-2000:]})
    failed = answer["verdict"] == "void" or answer["best"] is None
    metrics = {"combined_score": 0.0 if failed else answer["score"]}
    if answer["best"]:
        metrics["speedup"] = answer["best"]["speedup"]
    notes = "\n".join([f"{answer['verdict']}: {answer['because']}", *answer["notes"]])
    return result(metrics, {"verdict": notes})


def result(metrics, artifacts):
    """Returns metrics with artifacts, which OpenEvolve shows to the model, or only metrics without it."""
    try:
        from openevolve.evaluation_result import EvaluationResult
    except ImportError:
        return metrics
    return EvaluationResult(metrics=metrics, artifacts=artifacts)
