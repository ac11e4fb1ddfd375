#!/usr/bin/env bash
# Comments a pull request with the result in IN_RESULT, and edits its own earlier comment in place. The result is read as data only: its
# size is bounded, and the engine renders the text, in which names are escaped. A token that may not comment is no failure.
set -uo pipefail
api=${GITHUB_API_URL:-https://api.github.com}/repos/$GITHUB_REPOSITORY
most=$((64 << 20))
note() { echo "derny: $*"; exit 0; }
fail() { echo "::error title=derny::$*"; exit 2; }

[ -f "$IN_RESULT" ] && [ ! -L "$IN_RESULT" ] || fail "there is no result $IN_RESULT"
IN_RESULT=$(realpath "$IN_RESULT")
[ "$(stat -c %s "$IN_RESULT")" -le $most ] || fail "the result has more than $most bytes"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && cp "$IN_RESULT" result.json && derny -qq --no-config compare result.json -f comment >comment.md) ||
    fail "the result cannot be read: it was not written by derny run with two sides, or by another version"

# call METHOD PATH [FILE]: the status is the last line of the answer.
call() {
    local body=()
    [ $# -lt 3 ] || body=(--data-binary "@$3")
    curl -sS --max-time 60 -X "$1" -w '\n%{http_code}' -H "Authorization: Bearer $GH_TOKEN" -H "Accept: application/vnd.github+json" \
        -H "X-GitHub-Api-Version: 2022-11-28" "${body[@]}" "$api/$2"
}
status_of() { tail -n 1 <<<"$1"; }
body_of() { sed '$d' <<<"$1"; }

# The pull request whose head is what was measured: never what the result says.
number=${IN_PULL_REQUEST:-}
head=${IN_HEAD:?the head commit is not known}
[[ $head =~ ^[0-9a-f]{40}$ ]] || fail "the head commit is no hash"
if [ -z "$number" ]; then
    open='[.[] | select(.state == "open" and .head.sha == $head) | .number][0] // empty'
    number=$(body_of "$(call GET "commits/$head/pulls")" | jq -r --arg head "$head" "$open" 2>/dev/null)
    if [ -z "$number" ] && [ -n "${IN_HEAD_OWNER:-}" ]; then
        # The commit of a fork may be unknown to this repository.
        branch=$(jq -rn --arg text "$IN_HEAD_OWNER:$IN_HEAD_BRANCH" '$text | @uri')
        number=$(body_of "$(call GET "pulls?state=open&head=$branch")" | jq -r --arg head "$head" "$open" 2>/dev/null)
    fi
    [ -n "$number" ] || note "no open pull request has the head $head any more: nothing is commented"
fi
[[ $number =~ ^[0-9]+$ && $IN_RUN =~ ^[0-9]+$ && $IN_KEY =~ ^[A-Za-z0-9._-]+$ ]] || fail "the pull request, the run or the key is none"

# The comment of an earlier run: by the account that comments, with this mark in front.
mark="<!-- derny:$IN_KEY run="
author=${IN_AUTHOR:-github-actions[bot]}
old='' page=1
while :; do
    answer=$(call GET "issues/$number/comments?per_page=100&page=$page")
    [ "$(status_of "$answer")" = 200 ] || note "comments of pull request $number cannot be read (status $(status_of "$answer")): see the summary"
    own='[.[] | select((.user.login == $author) and (.body | startswith($mark))) | "\(.id) \(.body | ltrimstr($mark) | split(" ")[0])"][0] // empty'
    old=$(body_of "$answer" | jq -r --arg mark "$mark" --arg author "$author" "$own")
    [ -z "$old" ] && [ "$(body_of "$answer" | jq length)" = 100 ] && [ $page -lt 30 ] || break
    page=$((page + 1))
done
read -r id run <<<"$old"
if [ -n "${run:-}" ] && [[ $run =~ ^[0-9]+$ ]] && [ "$run" -gt "$IN_RUN" ]; then
    note "the comment is of the later run $run: it stays"
fi
told='[.comparison.cases[].sides[].verdict] | any(. == "better" or . == "worse")'
open='(.comparison.unmeasured + .comparison.failures) | length > 0'
moved=$(jq "($told) or ($open)" "$IN_RESULT")
if [ -z "${id:-}" ] && [ "$moved" = false ] && [ "${IN_STATUS:-0}" = 0 ]; then
    note "nothing has changed: no comment is added"
fi
{
    echo "$mark$IN_RUN -->"
    cat "$folder/comment.md"
    echo
    echo "Measured at ${head:0:12} in [run $IN_RUN](${GITHUB_SERVER_URL:-https://github.com}/$GITHUB_REPOSITORY/actions/runs/$IN_RUN), which has the whole result."
} | jq -Rs '{body: .}' >"$folder/body.json"
if [ -n "${id:-}" ]; then
    answer=$(call PATCH "issues/comments/$id" "$folder/body.json")
else
    answer=$(call POST "issues/$number/comments" "$folder/body.json")
fi
case $(status_of "$answer") in
    200 | 201) echo "commented: $(body_of "$answer" | jq -r .html_url)" ;;
    401 | 403 | 404) note "this token may not comment on pull request $number: see the summary" ;;
    *) fail "the comment was refused with status $(status_of "$answer"): $(body_of "$answer" | head -c 300)" ;;
esac
