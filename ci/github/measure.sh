#!/usr/bin/env bash
# Runs one step of the Action: run, plan, shard, merge or baseline. Writes its files into the folder
# IN_OUTPUT and prints their paths. The exit status of derny is an output. The last step of the
# Action returns it, after the comment.
set -uo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/say.sh"
needs derny git jq
output=${IN_OUTPUT:-${RUNNER_TEMP:-/tmp}/derny}
mkdir -p "$output" || fail "cannot create the folder $output"
output=$(cd "$output" && pwd)
tell() { echo "$1=$2" >>"$GITHUB_OUTPUT"; }
# Splits the words as a shell does, without running any command in them.
arguments=()
if [ -n "${IN_ARGUMENTS:-}" ]; then
    words=$(mktemp) && why=$(printf '%s' "$IN_ARGUMENTS" | xargs printf '%s\0' 2>&1 >"$words") ||
        fail "the input \`arguments\` is not valid shell syntax: $why"
    mapfile -d '' -t arguments <"$words"
    rm "$words"
fi
fail_on=()
[ -z "${IN_FAIL_ON:-}" ] || fail_on=(--fail-on "$IN_FAIL_ON")
result=$output/result.json
sides() {
    local base
    base=$("$ACTION_PATH/ci/github/base.sh") && [ -n "$base" ] || exit 2
    sides=(-x "base@$base" -x head)
}
store=()
[ -z "${IN_BASELINE:-}" ] || . "$ACTION_PATH/ci/github/baseline.sh"
tell output "$output"
case ${IN_STEP:-run} in
    run)
        [ -n "${IN_BASELINE:-}" ] && against || sides
        rm -f "$result"
        derny "${store[@]}" run "${sides[@]}" "${fail_on[@]}" -f json -o "$result" "${arguments[@]}"
        status=$?
        ;;
    baseline)
        [ -n "${IN_BASELINE:-}" ] || fail "the step \`baseline\` needs the input \`baseline\`, such as branch:derny-baseline"
        keep
        status=$?
        ;;
    plan)
        [ -z "${IN_BASELINE:-}" ] || fail "the step \`plan\` measures the base too: use the input \`base\` instead of \`baseline\`"
        sides
        rm -f "$output"/plan.{json,tar}
        plan=$output/plan.json
        [[ " ${arguments[*]} " != *" --build "* ]] || plan=$output/plan.tar
        # shellcheck disable=SC2153 # IN_SHARDS and IN_SHARD are different inputs
        derny fleet plan "${sides[@]}" "${fail_on[@]}" --shards "$IN_SHARDS" -o "$plan" "${arguments[@]}"
        status=$?
        tell matrix "[$(seq -s, 1 "$IN_SHARDS")]"
        ;;
    shard)
        [ -n "${IN_SHARD:-}" ] || fail "the step \`shard\` needs the input \`shard\`, such as \${{ matrix.shard }}"
        plan=$output/plan.json
        [ ! -f "$output/plan.tar" ] || plan=$output/plan.tar
        [ -f "$plan" ] || fail "there is no plan.json or plan.tar in $output: download the artifact of the step \`plan\`"
        number=$IN_SHARD
        case $number in
            */*) ;;
            *) number=$number/$({ tar -xzOf "$plan" plan.json 2>/dev/null || cat "$plan"; } | jq '.shards | length') ;;
        esac
        derny fleet shard "$plan" "$number" -o "$output/part-${number%%/*}.derny"
        status=$?
        ;;
    merge)
        shopt -s nullglob
        parts=("${IN_PARTS:-$output}"/*.derny)
        [ ${#parts[@]} -gt 0 ] || fail "there are no parts in ${IN_PARTS:-$output}"
        rm -f "$result"
        derny fleet merge "${parts[@]}" "${fail_on[@]}" --undecided "$output/undecided.json" -f json -o "$result"
        status=$?
        ;;
    *) fail "the input \`step\` must be run, plan, shard, merge or baseline" ;;
esac
tell status "$status"
[ -s "$result" ] && [[ ${IN_STEP:-run} = run || $IN_STEP = merge ]] || exit 0
tell result "$result"
derny -qq compare "$result" -f comment >"$output/comment.md" || derny -qq show "$result" -f markdown | head -c 65000 >"$output/comment.md" ||
    warn "cannot write the result as text"
[ "${IN_SUMMARY:-true}" != true ] || cat "$output/comment.md" >>"$GITHUB_STEP_SUMMARY" || warn "cannot write the summary of the job"
[ "${IN_ANNOTATIONS:-true}" != true ] || derny -qq compare "$result" -f github || warn "cannot write annotations"
exit 0
