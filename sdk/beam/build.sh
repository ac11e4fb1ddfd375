#!/bin/sh
# Compiles the Mix project in the working directory before its benchmarks are measured. The worktree
# of another revision uses the dependencies of the main worktree.
# Compilation continues if dependencies are missing that are needed only for other purposes, such as
# documentation.
set -eu
if [ ! -d deps ] && common=$(git rev-parse --path-format=absolute --git-common-dir 2>/dev/null); then
    below=$(git rev-parse --show-prefix)
    main=$(dirname "$common")/$below
    if [ -d "${main}deps" ]; then
        MIX_DEPS_PATH=${main}deps
        export MIX_DEPS_PATH
    fi
fi
# Lines that begin with `derny: ` are shown to the user.
if ! told=$(mix compile 2>&1); then
    if ! mix compile --no-deps-check; then
        printf '%s\n' "$told" >&2
        exit 1
    fi
    # The first dependency in the output, and its problem.
    why=$(printf '%s\n' "$told" | sed -n '/^\* /{N;s/^\* \([^ ]*\).*\n */\1: /;p;q;}')
    echo "derny: \`mix compile\` fails (${why:-see its output}), so dependencies were not checked and may be out of date. Run \`mix deps.get\`."
fi
env=${MIX_ENV:-dev}
build=${MIX_BUILD_PATH:-${MIX_BUILD_ROOT:-_build}/$env}
# An application of an umbrella project is built two folders higher.
if [ ! -d "$build" ] && [ -d "../../_build/$env" ]; then build=../../_build/$env; fi
for consolidated in "$build"/consolidated "$build"/lib/*/consolidated; do
    for beam in "$consolidated"/*.beam; do
        if [ -f "$beam" ]; then exit 0; fi
    done
done
echo "derny: protocols are not consolidated: Enum, to_string and other protocol calls are much slower than in a release. Set \`consolidate_protocols: true\` in mix.exs."
