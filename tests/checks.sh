# Common parts of the SDKs' test scripts. A script sources this file first. It provides a temporary
# folder ($place), the engine ($DERNY_BIN) and the counts that `sum` prints. Checks run in $project,
# or in $place if that is not set.
# shellcheck shell=bash disable=SC2034 # other scripts use the variables
place=$(mktemp -d)
trap 'chmod -R u+w "$place"; rm -rf "$place"' EXIT
DERNY_BIN=$(realpath "$(command -v "${DERNY_BIN:-derny}")") || { echo "there is no engine: set DERNY_BIN"; exit 1; }
export DERNY_BIN
status=0 passed=0 failed=0 skipped=0

check() { # check NAME COMMAND...: succeeds if the command does
    local name=$1
    shift
    if (cd "${project:-$place}" && "$@") >"$place/log" 2>&1 </dev/null; then
        passed=$((passed + 1))
        echo "ok      $name"
    else
        failed=$((failed + 1)) status=1
        echo "FAILED  $name"
        sed 's/^/    /' "$place/log"
    fi
}
skip() { # skip NAME REASON
    skipped=$((skipped + 1))
    echo "SKIPPED $1: $2"
}
sum() { echo "$passed passed, $failed failed, $skipped skipped"; }
says() { # says TEXT COMMAND...: succeeds if the output contains the text, whatever the status is
    local text=$1 output
    shift
    output=$("$@" 2>&1)
    echo "$output"
    grep -qF -- "$text" <<<"$output"
}
ends() { # ends STATUS TEXT COMMAND...: succeeds if the command ends with the status and its output contains the text
    local wanted=$1 text=$2 output was
    shift 2
    output=$("$@" 2>&1)
    was=$?
    echo "status $was: $output"
    [ "$was" = "$wanted" ] && grep -qF -- "$text" <<<"$output"
}
refuses() { ends 2 "$@"; } # refuses TEXT COMMAND...
