"""Judges a change of codeflash by Derny instead of a fixed threshold: critic.py [BASE] [PATTERN...]

The candidate is the working tree, and BASE a revision (HEAD by default). Prints one JSON object with the
names of codeflash: runtimes in ns, and the gain (original - optimized) / optimized with its interval. Its
cases are any benchmarks that `derny list` shows, such as tests with pytest-benchmark.
"""

import json
import math
import os
import subprocess
import sys


def gain(speedup):
    return None if speedup is None else speedup - 1


def mean(times):
    return round(math.exp(sum(map(math.log, times)) / len(times))) if times else None


def speedup_critic(base="HEAD", patterns=(), total="60s"):
    """Returns the judgement as a dictionary. `accepted` is true only if the change is faster beyond noise,
    and no case is slower.
    """
    command = [os.environ.get("DERNY_BIN", "derny"), "judge", "-f", "json", "--total", total, "-x", base]
    done = subprocess.run([*command, *patterns], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        return {"accepted": False, "verdict": "void", "reason": done.stderr[-2000:]}
    timed = [case for case in answer["cases"] if case["unit"] == "ns"]
    best = answer["best"] or {}
    return {
        "accepted": answer["verdict"] == "keep",
        "verdict": answer["verdict"],
        "reason": answer["because"],
        "original_runtime_ns": mean([case["best"] for case in timed]),
        "optimized_runtime_ns": mean([case["candidate"] for case in timed]),
        "performance_gain": gain(best.get("speedup")),
        "performance_gain_interval": [gain(best.get("low")), gain(best.get("high"))],
    }


if __name__ == "__main__":
    print(json.dumps(speedup_critic(*sys.argv[1:2], patterns=sys.argv[2:])))
