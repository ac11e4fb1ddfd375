# Where results of the main branch are kept: IN_BASELINE is `branch:NAME`, or a folder. Read by measure.sh, whose `fail` and `output` it uses.
# A branch has one commit with one file, the store of one run that is called `main`. It is replaced, so that it does not grow.
# shellcheck shell=bash disable=SC2154,SC2034 # variables of measure.sh
file=derny.sqlite
branch=''
case $IN_BASELINE in
    branch:*)
        branch=${IN_BASELINE#branch:}
        git check-ref-format --branch "$branch" >/dev/null 2>&1 || fail "the input baseline names no branch: $branch"
        kept=$output/baseline
        ;;
    /*) kept=$IN_BASELINE ;;
    # Caches are named from there, wherever the benchmarks are.
    *) kept=${GITHUB_WORKSPACE:-$PWD}/$IN_BASELINE ;;
esac

# Brings what is kept in the branch; `tip` is its commit. Only the origin itself says that there is no branch: it answers with 2.
tip=''
fetch() {
    [ -n "$branch" ] || return 0
    rm -rf "$kept"
    local why status=0
    why=$(git ls-remote --exit-code origin "refs/heads/$branch" 2>&1 >/dev/null) || status=$?
    [ $status != 2 ] || return 0
    [ $status = 0 ] || fail "the origin cannot be asked for the branch $branch: ${why##*$'\n'}"
    why=$(git fetch --quiet --depth=1 origin "+refs/heads/$branch" 2>&1) || fail "the branch $branch cannot be fetched: ${why##*$'\n'}"
    tip=$(git rev-parse FETCH_HEAD) || fail "the branch $branch cannot be fetched"
    # A branch that was not made here is neither read nor replaced.
    [ "$(git ls-tree --name-only "$tip")" = $file ] || fail "the branch $branch is not one of baselines: it has other files"
    mkdir -p "$kept" && git cat-file blob "$tip:$file" >"$kept/$file" || fail "the baseline of the branch $branch cannot be read"
}

# The commit whose results are kept.
commit_of() { derny -qq --no-config --store "$kept" show main -f json | jq -r '.run.commit.hash // empty'; }

# Lets derny compare with what is kept; fails where there is nothing yet.
against() {
    fetch
    if ! [ -s "$kept/$file" ]; then
        echo "::notice title=derny::$(escaped "there is no baseline in $IN_BASELINE yet: the base is measured instead")"
        return 1
    fi
    local commit
    commit=$(commit_of) || fail "the baseline in $IN_BASELINE cannot be read"
    # It is measured again, where it can be.
    [ -z "$commit" ] || git cat-file -e "$commit^{tree}" 2>/dev/null || git fetch --quiet --depth=1 origin "$commit" 2>/dev/null || true
    # What a cache brought stays as it is.
    if [ -z "$branch" ]; then
        rm -rf "$output/baseline" && cp -r "$kept" "$output/baseline" && kept=$output/baseline || fail "the baseline cannot be copied to $output"
    fi
    store=(--store "$kept") sides=(--against main)
    [ "${IN_STORED:-false}" != true ] || sides+=(--stored)
}

# Whether what is kept is of a later commit than what is checked out.
is_later() {
    local commit
    [ -s "$kept/$file" ] && commit=$(commit_of) && [ -n "$commit" ] && [ "$commit" != "$(git rev-parse HEAD)" ] || return
    git cat-file -e "$commit^{commit}" 2>/dev/null || git fetch --quiet origin "$commit" 2>/dev/null || true
    git merge-base --is-ancestor HEAD "$commit" 2>/dev/null || return
    echo "derny: the baseline is of the later commit ${commit:0:12}: it stays"
}

# Measures what is checked out, and keeps that.
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
    # What another run has put there meanwhile is not overwritten unseen.
    local old
    while ! git push --quiet --force-with-lease="refs/heads/$branch:$tip" origin "$made:refs/heads/$branch"; do
        old=$tip
        fetch
        [ "$tip" != "$old" ] || fail "the branch $branch cannot be written: the job needs \`contents: write\`"
        ! is_later || return 0
    done
}
