#!/usr/bin/env bash
# Posts the result in IN_RESULT as a comment on a pull request, or updates its own earlier comment.
# The result is untrusted data: its size is limited, and the engine renders the text with escaped
# names. A token that may not comment is not an error. Every other reason for a missing comment is.
set -uo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/say.sh"
needs curl jq derny
api=${GITHUB_API_URL:-https://api.github.com}/repos/$GITHUB_REPOSITORY
most=$((64 << 20))

[ -f "$IN_RESULT" ] && [ ! -L "$IN_RESULT" ] || fail "there is no result file $IN_RESULT"
[ "$(stat -c %s "$IN_RESULT")" -le $most ] || fail "the result file exceeds $most bytes"
folder=$(mktemp -d) || fail "cannot create a temporary folder"
trap 'rm -rf "$folder"' EXIT
result=$folder/result.json
cp "$IN_RESULT" "$result" || fail "the result $IN_RESULT cannot be read"
if ! (cd "$folder" && derny -qq --no-config compare result.json -f comment >comment.md 2>said); then
    foreign "$folder/said"
    fail "the result cannot be read: write it with \`derny run -f json\`, with two sides and the same version"
fi
told='[.comparison.cases[].sides[].verdict] | any(. == "better" or . == "worse")'
open='(.comparison.unmeasured + .comparison.failures) | length > 0'
moved=$(jq "($told) or ($open)" "$result" 2>/dev/null) || fail "the result cannot be read: it is not a comparison"

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
    why="$1 $api/${2%%\?*} returned status $status${why:+: $why}"
    case $status in
        401) fail "GitHub rejected the token: $why" ;;
        403 | 429)
            if is_limited; then
                fail "GitHub's rate limit is reached, try again later: $why"
            fi
            fail "the token lacks permission: $why"
            ;;
        404) fail "not found on GitHub, or not visible to this token: $why" ;;
        5??) fail "GitHub reported a server error, try again later: $why" ;;
        *) fail "GitHub rejected a request: $why" ;;
    esac
}
is_limited() {
    [ "$status" = 429 ] || grep -qiE '^(retry-after:|x-ratelimit-remaining: *0[^0-9]*$)' "$folder/head" ||
        jq -r '.message // empty' "$answer" 2>/dev/null | grep -qi 'rate limit'
}
# read_list FILTER [ARGUMENT...]: applies a jq filter to the list in `answer`.
read_list() {
    [ "$(jq 'type == "array"' "$answer" 2>/dev/null)" = true ] || fail "GitHub's answer is not a list: check the address $api"
    jq -r "${@:2}" "$1" "$answer" 2>/dev/null || fail "GitHub's answer has an unexpected format"
}

# The pull request with the measured head. The result is not trusted to name it.
number=${IN_PULL_REQUEST:-}
head=${IN_HEAD:?the head commit is missing}
[[ $head =~ ^[0-9a-f]{40}$ ]] || fail "the head commit is not a hash"
if [ -z "$number" ]; then
    open='[.[] | select(.state == "open" and .head.sha == $head) | .number][0] // empty'
    # 422: the repository does not contain the commit, which may belong to a fork.
    ALLOWED=422 call GET "commits/$head/pulls"
    [ "$status" = 422 ] || number=$(read_list "$open" --arg head "$head") || exit 2
    if [ -z "$number" ] && [ -n "${IN_HEAD_OWNER:-}" ]; then
        branch=$(jq -rn --arg text "$IN_HEAD_OWNER:$IN_HEAD_BRANCH" '$text | @uri') || fail "the name of the fork's branch is invalid"
        call GET "pulls?state=open&head=$branch"
        number=$(read_list "$open" --arg head "$head") || exit 2
    fi
    [ -n "$number" ] || note "no open pull request has the head $head: no comment is written"
fi
[[ $number =~ ^[0-9]+$ && $IN_RUN =~ ^[0-9]+$ && $IN_KEY =~ ^[A-Za-z0-9._-]+$ ]] || fail "the number of the pull request, the run or the key is invalid"

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
    note "the comment is of the later run $run: kept"
fi
if [ -z "${id:-}" ] && [ "$moved" = false ] && [ "${IN_STATUS:-0}" = 0 ]; then
    note "nothing has changed: no comment is added"
fi
{
    echo "$mark$IN_RUN -->"
    cat "$folder/comment.md"
    echo
    echo "Measured at ${head:0:12} in [run $IN_RUN](${GITHUB_SERVER_URL:-https://github.com}/$GITHUB_REPOSITORY/actions/runs/$IN_RUN), which has the full result."
} | jq -Rs '{body: .}' >"$folder/body.json" || fail "the comment cannot be written"
if [ -n "${id:-}" ]; then
    ALLOWED=403 call PATCH "issues/comments/$id" "$folder/body.json"
else
    ALLOWED=403 call POST "issues/$number/comments" "$folder/body.json"
fi
if [ "$status" = 403 ]; then
    is_limited && fail "GitHub's rate limit is reached, try again later"
    # The token of a pull request from a fork is read-only.
    note "the token may not comment on pull request $number: see the summary of the job"
fi
echo "commented: $(jq -r '.html_url // "GitHub returned no address"' "$answer" 2>/dev/null | tr -d '\r\n')"
