#!/bin/sh
# The measuring script of pi-autoresearch: .auto/measure.sh, or autoresearch.sh in older versions. Its
# metric is `score`, higher is better: the lower bound of the speed-up against the first commit of the
# session. Arguments are patterns of cases.
session=${SESSION:-auto}
derny judge --session "$session" -f metric "$@"
status=$?
case $status in
    0) derny judge keep --session "$session" >&2 ;;
    # Neutral, discard and retry are results. A candidate that fails keeps its status: pi calls it a crash.
    1 | 5) ;;
    *) exit $status ;;
esac
