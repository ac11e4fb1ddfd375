#!/usr/bin/env bash
# Tests the steps of the Action as a workflow calls them, with a substitute for GitHub's API on the
# loopback address. Uses the engine DERNY_BIN, or the checkout's debug build.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
export ACTION_PATH=$PWD
engine=$(realpath "${DERNY_BIN:-target/debug/derny}")
place=$(mktemp -d)
passed=0 failed=0
node tests/api.mjs "$place/address" &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$place"' EXIT

check() { # check NAME COMMAND...
    local name=$1
    shift
    if "$@" >"$place/log" 2>&1 </dev/null; then
        passed=$((passed + 1))
        echo "ok      $name"
    else
        failed=$((failed + 1))
        echo "FAILED  $name"
        sed 's/^/    /' "$place/log"
    fi
}
says() { # says STATUS WORDS COMMAND...: succeeds if the command ends with this status and prints these words
    local status=$1 words=$2 said
    shift 2
    said=$("$@" 2>&1)
    local ended=$?
    echo "$said"
    [ $ended = "$status" ] && grep -qF -- "$words" <<<"$said"
}
output() { sed -n "s/^$1=//p" "$GITHUB_OUTPUT" | tail -n 1; }

# A pull request: main with a benchmark, a branch that makes it slower, and the merge commit that
# GitHub checks out.
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@a GIT_CONFIG_GLOBAL=/dev/null
origin=$place/origin
benchmark() {
    cat >"$origin/x.bench.mjs" <<X
import { bench } from 'derny';
bench('sum <b> @all', () => { let sum = 0; for (let i = 0; i < $1; i++) sum += i % 7; return sum; });
X
}
commit() { git -C "$origin" add . && git -C "$origin" commit --quiet -m "$1"; }
git init --quiet -b main "$origin" && benchmark 200 && commit first
git -C "$origin" checkout --quiet -b change && benchmark 8000 && commit change
git -C "$origin" checkout --quiet main && echo x >"$origin/readme" && commit second
git -C "$origin" merge --quiet --no-ff --no-edit change && git -C "$origin" branch merged && git -C "$origin" reset --quiet --hard HEAD^1
git -C "$origin" config uploadpack.allowAnySHA1InWant true
main=$(git -C "$origin" rev-parse main) head=$(git -C "$origin" rev-parse change) first=$(git -C "$origin" rev-parse main^)
git clone --quiet "$origin" "$place/whole"
git clone --quiet --depth=1 --branch merged "file://$origin" "$place/shallow"
git clone --quiet --depth=1 --branch change "file://$origin" "$place/cut"

export GITHUB_PATH=$place/path GITHUB_OUTPUT=$place/output GITHUB_STEP_SUMMARY=$place/summary RUNNER_TEMP=$place
touch "$GITHUB_PATH" "$GITHUB_OUTPUT" "$GITHUB_STEP_SUMMARY"

based() { # based FOLDER REF WANTED
    [ "$(cd "$place/$1" && git checkout --quiet "$2" && GITHUB_BASE_REF=main "$ACTION_PATH/ci/github/base.sh")" = "$3" ]
}
check "the base of a merge commit is its first parent" based whole merged "$main"
check "and is fetched into a shallow clone" based shallow HEAD "$main"
check "that of a branch is the merge base" based whole change "$first"
check "where a shallow clone has none, it says what to do" \
    says 2 "fetch-depth: 0" env -C "$place/cut" GITHUB_BASE_REF=gone "$ACTION_PATH/ci/github/base.sh"
check "a base that is named" env -C "$place/whole" IN_BASE=main "$ACTION_PATH/ci/github/base.sh"

install() { env PATH=/usr/bin:/bin "$@" "$ACTION_PATH/ci/github/install.sh"; }
check "the engine is the input binary" says 0 "derny " install DERNY_BINARY="$engine"
version=$(node scripts/version.mjs)
name=derny-$version-$(uname -m)-linux
mkdir -p "$place/$name" "$place/releases/v$version" && printf '#!/bin/sh\nexec "%s" "$@"\n' "$engine" >"$place/$name/derny" && chmod +x "$place/$name/derny"
packed=$place/releases/v$version/$name.tar.gz
tar -C "$place" -czf "$packed" "$name" && (cd "${packed%/*}" && sha256sum "$name.tar.gz" >SHA256SUMS)
sum=$(sha256sum "$packed" | cut -d' ' -f1)
check "without one it is the release of the Action's version" says 0 "derny $version" install DERNY_DOWNLOAD="$place/releases"
check "of which it says what is missing" says 2 "$place/none/v$version/" install DERNY_DOWNLOAD="$place/none"
check "or an archive with its checksum" says 0 "derny " install DERNY_ARCHIVE="$packed" DERNY_SHA256="$sum"
check "and not without" says 2 "DERNY_SHA256 is not" install DERNY_ARCHIVE="$packed"
check "and no other archive" says 2 "checksum of the archive is wrong" install DERNY_ARCHIVE="$packed" DERNY_SHA256="${sum//[0-9]/0}"
check "nor another release" says 2 "checksum of the archive is wrong" install DERNY_DOWNLOAD="$place/releases" DERNY_SHA256="${sum//[0-9]/0}"

PATH=$(tail -n 1 "$GITHUB_PATH"):$PATH
# Twelve pairs, so that one pair that a busy machine reverses does not change the verdict.
export DERNY_PROCESSES=12 DERNY_ROUNDS=4 DERNY_WARMUP=0 DERNY_BUDGET=300s
measure() { (cd "$place/whole" && git checkout --quiet merged && env "$@" "$ACTION_PATH/ci/github/measure.sh"); }
measured() {
    measure IN_ARGUMENTS="x.bench.mjs --note 'two words'" IN_FAIL_ON=worse && [ "$(output status)" = 1 ] && [ -s "$(output result)" ] &&
        grep -q '1 slower' "$GITHUB_STEP_SUMMARY" && grep -q '::error file=x.bench.mjs' "$place/log"
}
check "a change that is forty times slower is measured, summed up and annotated" measured
result=$(output result)
in_shards() {
    measure IN_STEP=plan IN_SHARDS=1 IN_ARGUMENTS="x.bench.mjs ${1:-}" IN_FAIL_ON=worse && [ "$(output matrix)" = "[1]" ] &&
        measure IN_STEP=shard IN_SHARD=1 && measure IN_STEP=merge IN_FAIL_ON=worse && [ "$(output status)" = 1 ]
}
check "and so it is over a matrix" in_shards
in_tar() { in_shards --build && [ -f "$place/derny/plan.tar" ] && [ ! -f "$place/derny/plan.json" ]; }
check "whose plan may carry its builds" in_tar
check "a step that is none" says 2 "run, plan, shard, merge or baseline" measure IN_STEP=walk

# A baseline in a branch, which anybody can read.
kept() { measure IN_STEP=baseline IN_BASELINE="$1" IN_ARGUMENTS=x.bench.mjs IN_OUTPUT="$place/kept"; }
of_main() {
    git -C "$place/whole" checkout --quiet origin/main && (cd "$place/whole" && env IN_STEP=baseline IN_BASELINE="$1" IN_ARGUMENTS=x.bench.mjs \
        IN_OUTPUT="$place/kept" "$ACTION_PATH/ci/github/measure.sh") && [ "$(output status)" = 0 ]
}
in_branch() {
    of_main branch:derny-baseline && of_main branch:derny-baseline && [ "$(git -C "$origin" rev-list --count derny-baseline)" = 1 ] &&
        [ "$(git -C "$origin" ls-tree --name-only derny-baseline)" = derny.sqlite ] && [ -z "$(git -C "$place/whole" status --porcelain)" ]
}
check "results of main are kept in a branch, which is replaced" in_branch
against() { # against BASELINE STORED WORDS...: compares a pull request with the baseline, in a clone that lacks its commit, and finds these words in the comment
    (cd "$place/shallow" && rm -rf .derny && env IN_BASELINE="$1" IN_STORED="$2" IN_ARGUMENTS=x.bench.mjs IN_FAIL_ON=worse IN_OUTPUT="$place/against" \
        "$ACTION_PATH/ci/github/measure.sh" 2>&1) || return
    local words
    for words in "${@:3}"; do grep -q "$words" "$place/against/comment.md" || return; done
}
in_pairs() { against "$1" false "1 slower" "measured again, in pairs" && [ "$(output status)" = 1 ]; }
check "a pull request is compared with it, measured again in pairs" in_pairs branch:derny-baseline
check "or with the times that are stored" against branch:derny-baseline true "unpaired, against stored run"
raced() { # another run pushes to the branch just before this one
    local other
    other=$(git -C "$origin" commit-tree "$(git -C "$origin" rev-parse "derny-baseline^{tree}")" -m other)
    printf '#!/bin/sh\n[ -e "%s/raced" ] || { touch "%s/raced"; git -C "%s" update-ref refs/heads/derny-baseline %s; }\n' \
        "$place" "$place" "$origin" "$other" >"$place/whole/.git/hooks/pre-push"
    chmod +x "$place/whole/.git/hooks/pre-push"
    of_main branch:derny-baseline && [ -e "$place/raced" ] && git -C "$origin" log -1 --format=%s derny-baseline | grep -q "^Results of $main"
}
check "two runs that write it at once do not lose it" raced
later() { git -C "$place/whole" checkout --quiet "$first" && cd "$place/whole" && IN_STEP=baseline IN_BASELINE=branch:derny-baseline IN_ARGUMENTS=x.bench.mjs "$ACTION_PATH/ci/github/measure.sh"; }
check "an older commit does not replace it" says 0 "of the later commit ${main:0:12}" later
check "a branch with other files is not replaced" says 2 "it contains other files" kept branch:change
[ "$(git -C "$origin" rev-parse change)" = "$head" ] || check "it was replaced" false
in_folder() {
    of_main "$place/cache/store" && in_pairs "$place/cache/store" && [ "$("$engine" --store "$place/cache/store" runs -f json | jq length)" = 1 ]
}
check "a baseline in a folder, as of a cache" in_folder
without() { measure IN_BASELINE=branch:none IN_ARGUMENTS=x.bench.mjs IN_FAIL_ON=worse && [ "$(output status)" = 1 ] && grep -q "no baseline in branch:none yet" "$place/log"; }
check "where there is none yet the base is measured" without

until [ -s "$place/address" ]; do sleep 0.05; done
address=$(cat "$place/address")
export GITHUB_API_URL=$address GITHUB_REPOSITORY=a/b GH_TOKEN=t IN_KEY=derny IN_RESULT=$result IN_HEAD=$head
state() { curl -sS "$address/state" | jq -e "$1"; }
set_state() { curl -sS -X PUT --data "$1" "$address/state" >/dev/null; }
comment() { env "$@" "$ACTION_PATH/ci/github/comment.sh"; }
posted() { (cd "$(dirname "$result")" && comment IN_RESULT=result.json IN_PULL_REQUEST=7 IN_RUN=10) && state '.comments | length == 1 and .[0].number == 7 and (.[0].body | test("slower") and (test("<b>| @all") | not))'; }
check "a pull request is commented, and names in it are text" posted
edited() { comment IN_PULL_REQUEST=7 IN_RUN=11 && state '.comments | length == 1 and (.[0].body | startswith("<!-- derny:derny run=11 -->"))'; }
check "a later run edits its comment in place" edited
check "an older run leaves it" says 0 "later run 11" comment IN_PULL_REQUEST=7 IN_RUN=9
set_state "{\"pulls\": [{\"number\": 9, \"state\": \"open\", \"head\": {\"sha\": \"$head\"}, \"fork\": true, \"label\": \"someone:a/b c\"}]}"
forked() { comment IN_RUN=12 IN_HEAD_OWNER=someone IN_HEAD_BRANCH="a/b c" && state '[.comments[] | select(.number == 9)] | length == 1'; }
check "the pull request of a fork is found by its head commit" forked
check "one that has moved on is left alone" says 0 "no open pull request" comment IN_RUN=13 IN_HEAD="${first}" IN_HEAD_OWNER=someone IN_HEAD_BRANCH="a/b c"
jq '(.comparison.cases[].sides[].verdict) = "same"' "$result" >"$place/same.json"
check "where nothing changed none is added" says 0 "no comment is added" comment IN_PULL_REQUEST=8 IN_RUN=14 IN_RESULT="$place/same.json"
unchanged() { comment IN_PULL_REQUEST=7 IN_RUN=14 IN_RESULT="$place/same.json" && state '.comments[0].body | test("run=14")'; }
check "but the old one tells so" unchanged
set_state '{"refuse": true}'
check "a token that may not comment fails nothing" says 0 "may not comment" comment IN_PULL_REQUEST=8 IN_RUN=15
echo '{"format": 2, "suites": []}' >"$place/other.json"
check "a file that is no result is refused" says 2 "cannot be read" comment IN_PULL_REQUEST=8 IN_RUN=16 IN_RESULT="$place/other.json"
# If GitHub's answer is unusable, the step must end with a reason.
set_state "{\"refuse\": false, \"pulls\": [], \"comments\": []}"
broken() { # broken STATE WORDS [VARIABLE=VALUE...]: with this answer, the step ends with 2 and prints these words, but never "no open pull request"
    set_state "{\"broken\": $1}"
    local words=$2 said
    said=$(comment IN_RUN=17 IN_HEAD_OWNER=someone IN_HEAD_BRANCH=x "${@:3}" 2>&1)
    local ended=$?
    set_state '{"broken": null}'
    echo "$said"
    [ $ended = 2 ] && grep -qF -- "$words" <<<"$said" && grep -q '^::error title=derny::' <<<"$said" && ! grep -qE 'no open pull request|may not comment on' <<<"$said"
}
unreachable() { said=$(comment IN_RUN=17 GITHUB_API_URL=http://127.0.0.1:1 2>&1); [ $? = 2 ] && grep -q "cannot be reached" <<<"$said" && ! grep -q "no open" <<<"$said"; }
check "a GitHub that cannot be reached is no answer" unreachable
check "nor is a connection that ends" broken '{"status": 0}' "cannot be reached"
check "nor is a token that is not accepted" broken '{"status": 401, "text": "{\"message\": \"Bad credentials\"}"}' "rejected the token"
check "nor is one without rights" broken '{"status": 403, "text": "{\"message\": \"Resource not accessible by integration\"}"}' "lacks permission"
check "nor is a limit of requests" broken '{"status": 403, "headers": {"x-ratelimit-remaining": "0"}, "text": "{}"}' "rate limit is reached"
check "nor is one that only words name" broken '{"status": 403, "text": "{\"message\": \"You have exceeded a secondary rate limit\"}"}' "rate limit is reached"
check "nor are too many requests" broken '{"status": 429}' "rate limit is reached"
check "nor is what is not there" broken '{"status": 404, "text": "{}"}' "not found on GitHub"
check "nor is a fault" broken '{"status": 503, "text": "<html>"}' "server error"
check "nor is a page instead of JSON" broken '{"status": 200, "text": "<html>sign in</html>"}' "is not a list"
check "nor is JSON of another form" broken '{"status": 200, "text": "[{\"state\": 1}, 2]"}' "unexpected format"
check "nor is an empty answer" broken '{"status": 200, "text": ""}' "is not a list"
check "the second question counts as the first" broken '{"path": "state=open", "status": 500}' "server error"
check "comments that cannot be read are not none" broken '{"path": "comments", "status": 500}' "server error" IN_PULL_REQUEST=7
check "a comment that is not taken is told" broken '{"method": "POST", "status": 500}' "server error" IN_PULL_REQUEST=7
check "so is one of which nothing is heard" broken '{"method": "POST", "status": 0}' "cannot be reached" IN_PULL_REQUEST=7
check "so is one over the limit" broken '{"method": "POST", "status": 403, "headers": {"retry-after": "60"}, "text": "{}"}' "rate limit is reached" IN_PULL_REQUEST=7
check "what GitHub says is no command" broken '{"status": 500, "text": "{\"message\": \"a\\n::add-mask::b\"}"}' "a%0A::add-mask::b"
set_state '{"broken": {"path": "commits/", "status": 422, "text": "{\"message\": \"No commit found for SHA\"}"}}'
check "a commit that the repository does not have is asked for by its branch" says 0 "no open pull request" comment IN_RUN=17 IN_HEAD_OWNER=someone IN_HEAD_BRANCH=x
set_state '{"broken": null}'

# Whatever a result from a fork contains, no line of the log must be a command of its author.
calm() { # calm TEXT: succeeds if every command outside of disabled parts of the log is one of ours
    sed -E '/^::stop-commands::[0-9a-f]{32}$/,/^::[0-9a-f]{32}::$/d' <<<"$1" | grep -vE '^::error title=derny::' | grep -E '^[[:space:]]*::|##\[|##vso' && return 1
    ! grep -P '\x1b' <<<"$1"
}
hostile() { # hostile FILTER: succeeds if a result changed by the filter is rejected without commands in the log
    local said
    jq "$1" "$result" >"$place/hostile.json" || return
    said=$(comment IN_PULL_REQUEST=8 IN_RUN=18 IN_RESULT="$place/hostile.json" 2>&1)
    [ $? = 2 ] && calm "$said" && grep -q 'cannot be read' <<<"$said"
}
check "a verdict with lines of commands is refused calmly" hostile '.comparison.cases[0].sides[0].verdict = "x\n::error::a\n::stop-commands::b\n::add-mask::c\n##[error]d"'
check "so is one with codes of a terminal" hostile '.comparison.cases[0].sides[0].verdict = "\u001b[2J\u001b[0Ksection_start:1:a\r\u202e"'
check "so is a key" hostile '.comparison.sides[0] = {"x\n::error::a": 1}'
check "so is text in place of a number" hostile '.comparison.margin = "a\n  ::set-env name=PATH::b"'
loud() { # gives the step a path that looks like a command
    local said
    said=$(comment IN_PULL_REQUEST=8 IN_RUN=18 IN_RESULT=$'/none\n::add-mask::x' 2>&1)
    [ $? = 2 ] && calm "$said"
}
check "a path is no command" loud
named() { # names that would notify users, create links or close the comment's markup
    local body
    jq '.comparison.cases[0].case.id.benchmark = "@octo #1 org/repo#2 GH-3 https://evil.example www.evil.example <!-- derny:derny run=9 --> ![x](http://a.b) a\n/close\n!4 &5 ~bug"' \
        "$result" >"$place/named.json" && set_state '{"comments": []}' && comment IN_PULL_REQUEST=9 IN_RUN=19 IN_RESULT="$place/named.json" || return
    body=$(curl -sS "$address/state" | jq -r '.comments[0].body')
    echo "$body"
    grep -q octo <<<"$body" && ! grep -qE '@octo|#[0-9]|GH-[0-9]|https?://(evil|a\.b)|www\.|!\[|^/close|![0-9]|~bug|&[0-9]' <<<"$(grep -v '^Measured at' <<<"$body")" &&
        [ "$(grep -cP '(?<!\\)<!--' <<<"$body")" = 1 ]
}
check "names in a comment notify nobody and link to nothing" named

# A failure of git or of the shell must not be taken for missing data.
gone() { git -C "$place/whole" remote set-url origin "$place/nowhere"; "$@"; local ended=$?; git -C "$place/whole" remote set-url origin "$origin"; return $ended; }
check "a baseline that cannot be asked for is not none" gone says 2 "cannot look up the branch" measure IN_BASELINE=branch:derny-baseline IN_ARGUMENTS=x.bench.mjs
check "a base that cannot be fetched says why" gone says 2 "cannot be fetched (" env -C "$place/whole" IN_BASE=elsewhere "$ACTION_PATH/ci/github/base.sh"
check "a folder without a checkout is named" says 2 "not in a git checkout" env -C "$place" GIT_CEILING_DIRECTORIES=/ "$ACTION_PATH/ci/github/base.sh"
check "arguments that are no words are refused" says 2 "is not valid shell syntax" measure IN_ARGUMENTS="x.bench.mjs --note 'two"
ln -s "$result" "$place/link.json"
check "so is a link" says 2 "there is no result" comment IN_PULL_REQUEST=8 IN_RUN=16 IN_RESULT="$place/link.json"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
