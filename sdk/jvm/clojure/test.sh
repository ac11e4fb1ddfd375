#!/usr/bin/env bash
# Tests the Clojure layer: unit tests, conformance beyond the Java core, a project, and Keirin's
# functions in a script that starts an engine. Needs an engine (DERNY_BIN, or derny on the PATH), a
# JDK and Maven.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
here=$PWD
. ../../../tests/checks.sh
unset CLASSPATH
project=$place/project

sh fetch.sh "$here/../target/clojure" && ln -s "$here/../target/clojure" "$place/clojure" || exit 1
cp "$(ls -t ../target/derny-*.jar | head -n 1)" "$place/derny.jar" 2>"$place/log" || ../jar.sh "$place" || exit 1
# The program is in a Maven project. A script replaces Maven: it prints the class path.
mkdir "$place/bin"
cat >"$place/bin/mvn" <<'S'
#!/bin/sh
for word; do
    case $word in -Dmdep.outputFile=*) printf '%s:' "$CLOJURE"/*.jar >"${word#*=}" ;; esac
done
S
chmod +x "$place/bin/mvn"
PATH="$place/bin:$PATH" CLOJURE=$place/clojure sh build.sh "$place" "$here/conformance.clj" "$here" "$place/build/conformance" || exit 1
path=$(sed -n 1p "$place/build/conformance.cp")
DERNY_BIN=/nowhere/derny java -Xbatch -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$path:test" clojure.main test/all.clj || status=1
"$DERNY_BIN" dev conform error count self values setup-is -- sh ../run.sh "$place/build/conformance" "$here/conformance.clj" java \
    -XX:TieredStopAtLevel=1 -XX:+UseSerialGC || status=1

mkdir -p "$project/src"
touch "$project/derny.toml"
printf '(ns words)\n(defn join [n] (apply str (repeat n "word")))\n' >"$project/src/words.clj"
printf "(ns other-bench (:require [criterium.core :as c]))\n" >"$project/other_bench.clj"
cat >"$project/first_bench.clj" <<'EOF'
(ns first-bench (:require [derny.core :refer [defbench]] [words]))
(defbench words/join {:params [n [10 1000]]} (words/join n))
EOF
cat >"$project/script.clj" <<'EOF'
(require '[keirin.core :as k])
(let [n 100]
  (println "runs" (:timed-runs (k/bench (reduce + (range n)) :timed-runs 2 :min-execution-time 5 :reporting :underlying-results))))
EOF
check "derny list finds a file, its source folder and its cases" says "n=1000" "$DERNY_BIN" list
check "derny run runs the cases" says "2 passed" "$DERNY_BIN" run --once
check "a script measures through the engine" says "runs 2" java -XX:TieredStopAtLevel=1 -cp "$path" clojure.main script.clj
check "its result is in the store" says "(reduce + (range n))" "$DERNY_BIN" show
echo '(no-such-function)' >>"$project/first_bench.clj"
check "a file that cannot be loaded is reported" says "no-such-function" "$DERNY_BIN" run --once

# Leiningen and the Clojure CLI. They are tested only if installed, since no build here needs them.
# Only the class path that the tool prints contains the folder `bench`.
project=$place/tools
mkdir -p "$project/bench"
touch "$project/derny.toml"
cp "$place/project/src/words.clj" "$project/bench"
printf '(ns first-bench (:require [derny.core :refer [defbench]] [words]))\n(defbench join (words/join 2))\n' >"$project/first_bench.clj"
echo '{:paths [] :deps {org.clojure/clojure {:mvn/version "1.12.0"}} :aliases {:bench {:extra-paths ["bench"]}}}' >"$project/deps.edn"
name="a project of the Clojure CLI has its class path"
if clojure -Sdescribe >/dev/null 2>&1; then check "$name" says "1 passed" "$DERNY_BIN" run --once; else skip "$name" "the Clojure CLI is not installed"; fi
rm "$project/deps.edn"
echo '(defproject tried "1" :dependencies [[org.clojure/clojure "1.12.0"]] :source-paths ["bench"])' >"$project/project.clj"
name="a project of Leiningen has its class path"
if command -v lein >/dev/null; then check "$name" says "1 passed" "$DERNY_BIN" run --once; else skip "$name" "lein is not installed"; fi
sum
exit "$status"
