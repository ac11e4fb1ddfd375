#!/usr/bin/env bash
# Prints the base commit of a change: IN_BASE, or the first parent of a checked-out merge commit, or
# the merge base with the target branch. In a shallow clone, fetches only that commit.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/say.sh"
needs git
deeper="check out with \`fetch-depth: 0\`, or set the input \`base\` to a commit"

git rev-parse --quiet --verify HEAD >/dev/null 2>&1 || fail "$PWD is not in a git checkout: use actions/checkout before this step"

# fetched ARGUMENT...: runs `git fetch`. Stores the last line of its error output in `why`.
why=''
fetched() { why=$(git fetch --quiet "$@" 2>&1 >/dev/null | tail -n 1); }
# Succeeds if a commit is present or can be fetched.
have() { git cat-file -e "$1^{tree}" 2>/dev/null || fetched --depth=1 origin "$1"; }
if [ -n "${IN_BASE:-}" ]; then
    if commit=$(git rev-parse --quiet --verify "$IN_BASE^{commit}" || git rev-parse --quiet --verify "origin/$IN_BASE^{commit}"); then
        echo "$commit"
    elif fetched --depth=1 origin "$IN_BASE"; then
        git rev-parse FETCH_HEAD
    else
        fail "the base $IN_BASE is not in this clone and cannot be fetched (${why:-git printed no error}); $deeper"
    fi
    exit
fi
# A shallow clone contains the hashes of the parents, but not the parents.
mapfile -t parents < <(git cat-file commit HEAD | sed -n '/^$/q; s/^parent //p')
if [ ${#parents[@]} -ge 2 ]; then
    have "${parents[0]}" || fail "the base ${parents[0]} is not in this clone and cannot be fetched (${why:-git printed no error}); $deeper"
    echo "${parents[0]}"
    exit
fi
branch=${GITHUB_BASE_REF:-}
if [ -z "$branch" ]; then
    branch=$(git rev-parse --abbrev-ref --quiet --verify origin/HEAD 2>/dev/null || true)
    branch=${branch#origin/}
fi
[ -n "$branch" ] || fail "the base is unknown, because this is not a pull request; $deeper"
git rev-parse --quiet --verify "origin/$branch" >/dev/null || fetched origin "+refs/heads/$branch:refs/remotes/origin/$branch" ||
    fail "the branch $branch cannot be fetched (${why:-git printed no error}); $deeper"
git merge-base "origin/$branch" HEAD 2>/dev/null || fail "HEAD and origin/$branch have no common commit in this clone; $deeper"
