#!/bin/sh
# Compiles the Mix project in the working directory before its benchmarks are measured. A worktree of another revision has no
# dependencies of its own: those of the repository's main tree serve. Dependencies that are only there for other purposes
# (documentation) may be missing.
set -eu
if [ ! -d deps ] && common=$(git rev-parse --path-format=absolute --git-common-dir 2>/dev/null); then
    below=$(git rev-parse --show-prefix)
    main=$(dirname "$common")/$below
    if [ -d "${main}deps" ]; then
        MIX_DEPS_PATH=${main}deps
        export MIX_DEPS_PATH
    fi
fi
# What begins with `derny: ` is shown to the user.
if ! told=$(mix compile 2>&1); then
    if ! mix compile --no-deps-check; then
        printf '%s\n' "$told" >&2
        exit 1
    fi
    # The first dependency that is named, and what is wrong with it.
    why=$(printf '%s\n' "$told" | sed -n '/^\* /{N;s/^\* \([^ ]*\).*\n */\1: /;p;q;}')
    echo "derny: \`mix compile\` fails (${why:-see there}), and dependencies were not checked: they may be out of date; \`mix deps.get\` mends it"
fi
env=${MIX_ENV:-dev}
build=${MIX_BUILD_PATH:-${MIX_BUILD_ROOT:-_build}/$env}
# An application of an umbrella project is built two folders above.
if [ ! -d "$build" ] && [ -d "../../_build/$env" ]; then build=../../_build/$env; fi
for consolidated in "$build"/consolidated "$build"/lib/*/consolidated; do
    for beam in "$consolidated"/*.beam; do
        if [ -f "$beam" ]; then exit 0; fi
    done
done
echo "derny: protocols are not consolidated, so that calls of Enum, to_string and others on structs take far longer than in a release; \`consolidate_protocols: true\` in mix.exs mends it"
