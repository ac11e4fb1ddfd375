# Stores and reads the results of the main branch. IN_BASELINE is `branch:NAME` or a folder. Sourced
# by measure.sh, which defines `fail` and `output`.
#
# A branch contains one commit with one file: a store with one run, whose baseline is named `main`. The commit
# is replaced each time, so that the branch does not grow.
# shellcheck shell=bash disable=SC2154,SC2034 # variables of measure.sh
file=derny.sqlite
branch=''
case $IN_BASELINE in
    branch:*)
        branch=${IN_BASELINE#branch:}
        git check-ref-format --branch "$branch" >/dev/null 2>&1 || fail "the input \`baseline\` has an invalid branch name: $branch"
        kept=$output/baseline
        ;;
    /*) kept=$IN_BASELINE ;;
    # Cache steps use paths relative to the workspace, whatever the folder of the benchmarks is.
    *) kept=${GITHUB_WORKSPACE:-$PWD}/$IN_BASELINE ;;
esac

# Fetches the stored results from the branch. Sets `tip` to its commit. The origin answers with
# status 2 if there is no branch. Every other failure ends the step.
tip=''
fetch() {
    [ -n "$branch" ] || return 0
    rm -rf "$kept"
    local why status=0
    why=$(git ls-remote --exit-code origin "refs/heads/$branch" 2>&1 >/dev/null) || status=$?
    [ $status != 2 ] || return 0
    [ $status = 0 ] || fail "cannot look up the branch $branch at origin: ${why##*$'\n'}"
    why=$(git fetch --quiet --depth=1 origin "+refs/heads/$branch" 2>&1) || fail "the branch $branch cannot be fetched: ${why##*$'\n'}"
    tip=$(git rev-parse FETCH_HEAD) || fail "the branch $branch cannot be fetched"
    # Neither read nor replace a branch that this script did not create.
    [ "$(git ls-tree --name-only "$tip")" = $file ] || fail "the branch $branch is not a baseline branch: it contains other files"
    mkdir -p "$kept" && git cat-file blob "$tip:$file" >"$kept/$file" || fail "the baseline of the branch $branch cannot be read"
}

# Prints the commit whose results are stored.
commit_of() { derny -qq --no-config --store "$kept" show main -f json | jq -r '.run.commit.hash // empty'; }

# Lets derny compare with the stored results. Fails if there are none.
against() {
    fetch
    if ! [ -s "$kept/$file" ]; then
        echo "::notice title=derny::$(escaped "there is no baseline in $IN_BASELINE yet: measuring the base instead")"
        return 1
    fi
    local commit
    commit=$(commit_of) || fail "the baseline in $IN_BASELINE cannot be read"
    # derny measures this commit again if it can be fetched.
    [ -z "$commit" ] || git cat-file -e "$commit^{tree}" 2>/dev/null || git fetch --quiet --depth=1 origin "$commit" 2>/dev/null || true
    # Copy the folder, because a cache must not change.
    if [ -z "$branch" ]; then
        rm -rf "$output/baseline" && cp -r "$kept" "$output/baseline" && kept=$output/baseline || fail "the baseline cannot be copied to $output"
    fi
    store=(--store "$kept") sides=(--against main)
    [ "${IN_STORED:-false}" != true ] || sides+=(--stored)
}

# Succeeds if the stored results are of a later commit than the checkout.
is_later() {
    local commit
    [ -s "$kept/$file" ] && commit=$(commit_of) && [ -n "$commit" ] && [ "$commit" != "$(git rev-parse HEAD)" ] || return
    git cat-file -e "$commit^{commit}" 2>/dev/null || git fetch --quiet origin "$commit" 2>/dev/null || true
    git merge-base --is-ancestor HEAD "$commit" 2>/dev/null || return
    echo "derny: the baseline is of the later commit ${commit:0:12}: kept"
}

# Measures the checkout and stores the results.
keep() {
    fetch
    is_later && return
    local fresh
    fresh=$output/baseline.new
    rm -rf "$fresh" "$result"
    derny --store "$fresh" run --save main -f json -o "$result" "${arguments[@]}" || return
    if [ -z "$branch" ]; then
        rm -rf "$kept" && mkdir -p "$(dirname "$kept")" && mv "$fresh" "$kept"
        return
    fi
    local blob tree made
    blob=$(git hash-object -w "$fresh/$file") && tree=$(printf '100644 blob %s\t%s\n' "$blob" $file | git mktree) &&
        made=$(git -c user.name=derny -c user.email=derny@localhost commit-tree "$tree" -m "Results of $(git rev-parse HEAD)") || return 2
    # Do not overwrite results that another run has pushed in the meantime.
    local old
    while ! git push --quiet --force-with-lease="refs/heads/$branch:$tip" origin "$made:refs/heads/$branch"; do
        old=$tip
        fetch
        [ "$tip" != "$old" ] || fail "cannot push to the branch $branch: the job needs \`contents: write\`"
        ! is_later || return 0
    done
}
