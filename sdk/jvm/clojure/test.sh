#!/usr/bin/env bash
# The tests of the Clojure layer: its own; the conformance cases that are not the Java core's alone; a project; and Keirin's
# functions in a script that attaches an engine. They need an engine (DERNY_BIN, or derny on the PATH), a JDK and Maven.
set -uo pipefail
cd "$(dirname "$0")"
here=$PWD
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
DERNY_BIN=$(command -v "${DERNY_BIN:-derny}") || { echo "there is no engine: set DERNY_BIN"; exit 1; }
export DERNY_BIN
unset CLASSPATH
status=0 passed=0 failed=0

check() { # check NAME COMMAND...: runs in the project
    local name=$1
    shift
    if (cd "$place/project" && "$@") >"$place/log" 2>&1 </dev/null; then
        passed=$((passed + 1))
        echo "ok      $name"
    else
        failed=$((failed + 1)) status=1
        echo "FAILED  $name"
        sed 's/^/    /' "$place/log"
    fi
}
says() { # says TEXT COMMAND...: its output has the text, whatever its status
    local text=$1 output
    shift
    output=$("$@" 2>&1)
    echo "$output"
    grep -qF -- "$text" <<<"$output"
}

sh fetch.sh "$here/../target/clojure" || exit 1
sh build.sh "$place" "$here/conformance.clj" "$here" "$place/build/conformance" || exit 1
path=$(sed -n 1p "$place/build/conformance.cp")
DERNY_BIN=/nowhere/derny java -Xbatch -XX:+UseSerialGC -cp "$path:test" clojure.main test/all.clj || status=1
for word in error count self values setup-is; do
    "$DERNY_BIN" conform $word -- sh run.sh "$place/build/conformance" "$here/conformance.clj" java -XX:TieredStopAtLevel=1 || status=1
done

mkdir -p "$place/project/src"
touch "$place/project/derny.toml"
printf '(ns words)\n(defn join [n] (apply str (repeat n "word")))\n' >"$place/project/src/words.clj"
printf "(ns other-bench (:require [criterium.core :as c]))\n" >"$place/project/other_bench.clj"
cat >"$place/project/first_bench.clj" <<'EOF'
(ns first-bench (:require [derny.core :refer [defbench]] [words]))
(defbench words/join {:params [n [10 1000]]} (words/join n))
EOF
cat >"$place/project/script.clj" <<'EOF'
(require '[keirin.core :as k])
(let [n 100]
  (println "runs" (:timed-runs (k/bench (reduce + (range n)) :timed-runs 2 :min-execution-time 5 :reporting :underlying-results))))
EOF
check "derny list finds a file, its source folder and its cases" says "n=1000" "$DERNY_BIN" list
check "derny run runs them" says "1 passed" "$DERNY_BIN" run --once
check "a script measures through the engine" says "runs 2" java -XX:TieredStopAtLevel=1 -cp "$path" clojure.main script.clj
check "what it measured is in the store" says "(reduce + (range n))" "$DERNY_BIN" show
echo '(no-such-function)' >>"$place/project/first_bench.clj"
check "a file that cannot be loaded is named" says "no-such-function" "$DERNY_BIN" run --once
echo "$passed passed, $failed failed"
exit $status
