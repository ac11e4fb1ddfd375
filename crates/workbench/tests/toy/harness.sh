#!/bin/sh
# shellcheck disable=SC3043 # every common sh has `local`
# Harness of a toy language. Each line of a file has the name of a benchmark, and the number to which its body counts.
file=$1
exec 3>"$DERNY_REPLIES" 4<"$DERNY_COMMANDS"
unset DERNY_REPLIES DERNY_COMMANDS

say() { echo "$*" >&3; }
now() { date +%s%N; }
body() {
    at=0
    while [ $at -lt "$count" ]; do at=$((at + 1)); done
}
measure() { # measure FIELD...
    local batches=1 iterations=1 within=0 times= start begin call
    for field; do
        case $field in
        batches=*) batches=${field#*=} ;;
        iterations=*) iterations=${field#*=} ;;
        within=*) within=${field#*=} ;;
        esac
    done
    start=$(now)
    while [ "$batches" -gt 0 ]; do
        batches=$((batches - 1)) call=0 begin=$(now)
        while [ $call -lt "$iterations" ]; do
            body
            call=$((call + 1))
        done
        times="$times $(($(now) - begin))"
        [ $(($(now) - start)) -lt "$within" ] || batches=0
    done
    say "times$times"
    say end
}

say "derny 1 language=toy runtime=sh/1 harness=1 pid=$$ clock=date step_ns=1 collector=none"
while read -r verb fields <&4; do
    # shellcheck disable=SC2086 # fields are words
    case $verb in
    list)
        while read -r name _; do say "case benchmark=$name"; done <"$file"
        say end
        ;;
    open)
        count=$(sed -n "s/^${fields#benchmark=} //p" "$file")
        say opened
        ;;
    measure) measure $fields ;;
    close) say closed ;;
    quit) exit ;;
    *) say "unsupported verb=$verb" ;;
    esac
done
