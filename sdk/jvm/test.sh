#!/usr/bin/env bash
# All tests of this SDK: the jar built by Maven, its own tests, conformance, and projects of the kinds that it knows. They need an
# engine (DERNY_BIN, or derny on the PATH), a JDK and Maven.
set -uo pipefail
cd "$(dirname "$0")"
sdk=$PWD
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
DERNY_BIN=$(command -v "${DERNY_BIN:-derny}") || { echo "there is no engine: set DERNY_BIN"; exit 1; }
export DERNY_BIN
status=0

mvn --quiet --batch-mode package || exit 1
jar=$sdk/target/derny-0.1.0.jar
javac -proc:none -d "$place/tests" -cp "$jar" src/test/java/derny/*.java || exit 1
java -cp "$place/tests:$jar" derny.Tests || status=1
"$DERNY_BIN" conform -- java -cp "$place/tests:$jar" derny.Conformance || status=1
clojure/test.sh || status=1
exit $status
