# What the test scripts here have in common; sourced by them, and does what they all begin with: $place is a folder of theirs that
# goes with them, $DERNY_BIN the engine.
# shellcheck shell=bash disable=SC2154 # $project is set by the script that sources this
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
DERNY_BIN=$(command -v "${DERNY_BIN:-derny}") || { echo "there is no engine: set DERNY_BIN"; exit 1; }
export DERNY_BIN
status=0 passed=0 failed=0 skipped=0

check() { # check NAME COMMAND...: runs in the folder $project
    local name=$1
    shift
    if (cd "$project" && "$@") >"$place/log" 2>&1 </dev/null; then
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
refuses() { # refuses TEXT COMMAND...: it ends with status 2 and says the text
    local text=$1 output status
    shift
    output=$("$@" 2>&1)
    status=$?
    echo "$output"
    [ $status = 2 ] && grep -qF -- "$text" <<<"$output"
}
