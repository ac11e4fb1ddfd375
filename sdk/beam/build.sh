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
told=$(mix compile 2>&1) && exit 0
mix compile --no-deps-check && exit 0
printf '%s\n' "$told" >&2
exit 1
