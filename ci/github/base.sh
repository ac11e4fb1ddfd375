#!/usr/bin/env bash
# Prints the commit that a change is compared with: IN_BASE, else the first parent of a merge commit that was checked out, else the
# merge base with the target branch. Of a shallow clone exactly that commit is fetched.
set -euo pipefail
fail() { echo "::error title=derny::$*" >&2; exit 2; }
deeper="check out with \`fetch-depth: 0\`, or name a commit with the input base"

# Whether a commit is at hand, or can be fetched.
have() {
    git cat-file -e "$1^{tree}" 2>/dev/null || git fetch --quiet --depth=1 origin "$1" >/dev/null 2>&1
}
if [ -n "${IN_BASE:-}" ]; then
    if commit=$(git rev-parse --quiet --verify "$IN_BASE^{commit}" || git rev-parse --quiet --verify "origin/$IN_BASE^{commit}"); then
        echo "$commit"
    elif git fetch --quiet --depth=1 origin "$IN_BASE" >/dev/null 2>&1; then
        git rev-parse FETCH_HEAD
    else
        fail "the base $IN_BASE is neither in this clone nor at its origin; $deeper"
    fi
    exit
fi
# A shallow clone does not have the parents, but their names.
mapfile -t parents < <(git cat-file commit HEAD | sed -n '/^$/q; s/^parent //p')
if [ ${#parents[@]} -ge 2 ]; then
    have "${parents[0]}" || fail "the base ${parents[0]} is not in this clone and cannot be fetched; $deeper"
    echo "${parents[0]}"
    exit
fi
branch=${GITHUB_BASE_REF:-}
if [ -z "$branch" ]; then
    branch=$(git rev-parse --abbrev-ref --quiet --verify origin/HEAD 2>/dev/null || true)
    branch=${branch#origin/}
fi
[ -n "$branch" ] || fail "what to compare with is not known: this is no pull request; $deeper"
git rev-parse --quiet --verify "origin/$branch" >/dev/null ||
    git fetch --quiet origin "+refs/heads/$branch:refs/remotes/origin/$branch" >/dev/null 2>&1 || true
git merge-base "origin/$branch" HEAD 2>/dev/null || fail "HEAD and origin/$branch have no common commit in this clone; $deeper"
