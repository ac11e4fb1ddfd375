# Functions that print a step's messages to the job's log, in which lines that begin with `::` are
# commands. Sourced by other scripts.
# shellcheck shell=bash

# Escapes text as the data of a command, which a line break would end.
escaped() {
    local text=${*//%/%25}
    text=${text//$'\r'/%0D}
    printf '%s' "${text//$'\n'/%0A}"
}

fail() {
    echo "::error title=derny::$(escaped "$*")" >&2
    exit 2
}

warn() { echo "::warning title=derny::$(escaped "$*")" >&2; }

# Prints a message and ends a step that has nothing to do.
note() {
    echo "derny: $(escaped "$*")"
    exit 0
}

# foreign FILE: prints untrusted text. Commands are disabled until an unpredictable word appears.
foreign() {
    local word
    word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    [ ${#word} = 32 ] || fail "cannot read random bytes"
    printf '::stop-commands::%s\n' "$word"
    cat "$1"
    printf '\n::%s::\n' "$word"
}

# Fails unless all of these tools are on the PATH.
needs() {
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null || fail "this step needs $tool, which is not on the PATH"
    done
}
