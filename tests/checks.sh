# What the test scripts of the SDKs share. A script sources it first, and gets a temporary folder ($place), the engine
# ($DERNY_BIN) and the counts that `sum` prints. Checks run in $project, or in $place where that is not set.
# shellcheck shell=bash disable=SC2034 # scripts read them
place=$(mktemp -d)
trap 'chmod -R u+w "$place"; rm -rf "$place"' EXIT
DERNY_BIN=$(realpath "$(command -v "${DERNY_BIN:-derny}")") || { echo "there is no engine: set DERNY_BIN"; exit 1; }
export DERNY_BIN
status=0 passed=0 failed=0 skipped=0

check() { # check NAME COMMAND...: the command succeeds
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
says() { # says TEXT COMMAND...: its output has the text, whatever its status
    local text=$1 output
    shift
    output=$("$@" 2>&1)
    echo "$output"
    grep -qF -- "$text" <<<"$output"
}
ends() { # ends STATUS TEXT COMMAND...: it ends with the status, and its output has the text
    local wanted=$1 text=$2 output was
    shift 2
    output=$("$@" 2>&1)
    was=$?
    echo "status $was: $output"
    [ "$was" = "$wanted" ] && grep -qF -- "$text" <<<"$output"
}
refuses() { ends 2 "$@"; } # refuses TEXT COMMAND...
