# The tools that Java and Clojure need, and their lessons for the demo. scripts/setup.sh and
# scripts/demo.sh source this file and explain the functions that it calls.
# shellcheck shell=bash
has_jdk() { command -v javac >/dev/null && command -v java >/dev/null; }
has_maven() { command -v mvn >/dev/null; }
need "a JDK of Java 8 or later" has_jdk 1 "default-jdk-headless" \
    "type: apt-get install default-jdk-headless   (or see https://adoptium.net)"
need "Maven" has_maven 3 "maven" "type: apt-get install maven"

lessons Java java 12 examples/0[12]-*/*Bench.java
lessons Clojure "java mvn" 45 examples/01-*/*_bench.clj
