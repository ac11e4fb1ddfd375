#!/usr/bin/env bash
# Posts the result in IN_RESULT as a comment on a pull request, or updates its own earlier comment.
# The result is untrusted data: its size is limited, and the engine renders the text with escaped
# names. A token that may not comment is not an error. Every other reason for a missing comment is.
set -uo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/say.sh"
needs curl jq derny
api=${GITHUB_API_URL:-https://api.github.com}/repos/$GITHUB_REPOSITORY
most=$((64 << 20))

[ -f "$IN_RESULT" ] && [ ! -L "$IN_RESULT" ] || fail "there is no result $IN_RESULT"
[ "$(stat -c %s "$IN_RESULT")" -le $most ] || fail "the result has more than $most bytes"
folder=$(mktemp -d) || fail "there is no place for temporary files"
trap 'rm -rf "$folder"' EXIT
result=$folder/result.json
cp "$IN_RESULT" "$result" || fail "the result $IN_RESULT cannot be read"
if ! (cd "$folder" && derny -qq --no-config compare result.json -f comment >comment.md 2>said); then
    foreign "$folder/said"
    fail "the result cannot be read: it was not written by derny run with two sides, or by another version"
fi
told='[.comparison.cases[].sides[].verdict] | any(. == "better" or . == "worse")'
open='(.comparison.unmeasured + .comparison.failures) | length > 0'
moved=$(jq "($told) or ($open)" "$result" 2>/dev/null) || fail "the result cannot be read: it is no comparison"

# call METHOD PATH [FILE]: stores the body of the answer in `answer`, and its status in `status`. An
# error status that is not in ALLOWED ends the step.
status='' answer=$folder/answer
call() {
    local body=() why
    [ $# -lt 3 ] || body=(--data-binary "@$3")
    status=$(curl -sS --max-time 60 -X "$1" -o "$answer" -D "$folder/head" -w '%{http_code}' -H "Authorization: Bearer $GH_TOKEN" \
        -H "Accept: application/vnd.github+json" -H "X-GitHub-Api-Version: 2022-11-28" "${body[@]}" "$api/$2" 2>"$folder/curl") ||
        fail "GitHub cannot be reached at $api: $(head -c 300 "$folder/curl")"
    [[ " 200 201 ${ALLOWED:-} " != *" $status "* ]] || return 0
    why=$(jq -r '.message // empty' "$answer" 2>/dev/null | head -c 300)
    why="$1 $api/${2%%\?*} has the status $status${why:+: $why}"
    case $status in
        401) fail "GitHub does not accept the token: $why" ;;
        403 | 429)
            if is_limited; then
                fail "GitHub's limit of requests is reached, try again later: $why"
            fi
            fail "this token may not do that: $why"
            ;;
        404) fail "GitHub has no such thing, or this token may not see it: $why" ;;
        5??) fail "GitHub has a fault, try again later: $why" ;;
        *) fail "GitHub has refused a request: $why" ;;
    esac
}
is_limited() {
    [ "$status" = 429 ] || grep -qiE '^(retry-after:|x-ratelimit-remaining: *0[^0-9]*$)' "$folder/head" ||
        jq -r '.message // empty' "$answer" 2>/dev/null | grep -qi 'rate limit'
}
# read_list FILTER [ARGUMENT...]: applies a jq filter to the list in `answer`.
read_list() {
    [ "$(jq 'type == "array"' "$answer" 2>/dev/null)" = true ] || fail "GitHub's answer is no list: there is something else at $api"
    jq -r "${@:2}" "$1" "$answer" 2>/dev/null || fail "GitHub's answer is not of the form that is documented"
}

# The pull request with the measured head. The result is not trusted to name it.
number=${IN_PULL_REQUEST:-}
head=${IN_HEAD:?the head commit is not known}
[[ $head =~ ^[0-9a-f]{40}$ ]] || fail "the head commit is no hash"
if [ -z "$number" ]; then
    open='[.[] | select(.state == "open" and .head.sha == $head) | .number][0] // empty'
    # 422: the repository does not contain the commit, which may belong to a fork.
    ALLOWED=422 call GET "commits/$head/pulls"
    [ "$status" = 422 ] || number=$(read_list "$open" --arg head "$head") || exit 2
    if [ -z "$number" ] && [ -n "${IN_HEAD_OWNER:-}" ]; then
        branch=$(jq -rn --arg text "$IN_HEAD_OWNER:$IN_HEAD_BRANCH" '$text | @uri') || fail "the branch of the fork has no name"
        call GET "pulls?state=open&head=$branch"
        number=$(read_list "$open" --arg head "$head") || exit 2
    fi
    [ -n "$number" ] || note "no open pull request has the head $head any more: nothing is commented"
fi
[[ $number =~ ^[0-9]+$ && $IN_RUN =~ ^[0-9]+$ && $IN_KEY =~ ^[A-Za-z0-9._-]+$ ]] || fail "the pull request, the run or the key is none"

# Find the comment of an earlier run: by the same account, beginning with this mark.
mark="<!-- derny:$IN_KEY run="
author=${IN_AUTHOR:-github-actions[bot]}
old='' page=1
while :; do
    call GET "issues/$number/comments?per_page=100&page=$page"
    own='[.[] | select((.user.login == $author) and (.body | startswith($mark))) | "\(.id) \(.body | ltrimstr($mark) | split(" ")[0])"][0] // empty'
    old=$(read_list "$own" --arg mark "$mark" --arg author "$author") || exit 2
    count=$(read_list length) || exit 2
    [ -z "$old" ] && [ "$count" = 100 ] && [ $page -lt 30 ] || break
    page=$((page + 1))
done
read -r id run <<<"$old"
if [ -n "${run:-}" ] && [[ $run =~ ^[0-9]+$ ]] && [ "$run" -gt "$IN_RUN" ]; then
    note "the comment is of the later run $run: it stays"
fi
if [ -z "${id:-}" ] && [ "$moved" = false ] && [ "${IN_STATUS:-0}" = 0 ]; then
    note "nothing has changed: no comment is added"
fi
{
    echo "$mark$IN_RUN -->"
    cat "$folder/comment.md"
    echo
    echo "Measured at ${head:0:12} in [run $IN_RUN](${GITHUB_SERVER_URL:-https://github.com}/$GITHUB_REPOSITORY/actions/runs/$IN_RUN), which has the whole result."
} | jq -Rs '{body: .}' >"$folder/body.json" || fail "the comment cannot be written"
if [ -n "${id:-}" ]; then
    ALLOWED=403 call PATCH "issues/comments/$id" "$folder/body.json"
else
    ALLOWED=403 call POST "issues/$number/comments" "$folder/body.json"
fi
if [ "$status" = 403 ]; then
    is_limited && fail "GitHub's limit of requests is reached, try again later"
    # The token of a pull request from a fork is read-only.
    note "this token may not comment on pull request $number: see the summary"
fi
echo "commented: $(jq -r '.html_url // "its address is not in the answer"' "$answer" 2>/dev/null | tr -d '\r\n')"
