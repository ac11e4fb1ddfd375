# What the steps say in the log of a job, in which lines that begin with `::` are commands. Sourced by the others.
# shellcheck shell=bash

# Text as the data of a command, which a line break would end.
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

# Ends a step that has nothing to do.
note() {
    echo "derny: $(escaped "$*")"
    exit 0
}

# foreign FILE: prints what others may have written, while commands are switched off until a word comes that they cannot guess.
foreign() {
    local word
    word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    [ ${#word} = 32 ] || fail "there is no randomness"
    printf '::stop-commands::%s\n' "$word"
    cat "$1"
    printf '\n::%s::\n' "$word"
}

# The steps stop where one of these is missing.
needs() {
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null || fail "this step needs $tool, which is not on the PATH"
    done
}
