#!/bin/sh
# Replaces this process with a JVM that runs JMH benchmarks:
#
#     run.sh NAME JAR-OR-SOURCES [OPTION…] -- JAVA… [FLAG…]
#
# OPTION is a JMH command-line option.
set -eu
name=$1 file=$2 options=
shift 2
while [ "$1" != -- ]; do
    options="$options$1
"
    shift
done
shift
[ -z "$options" ] || set -- "$@" "-Dderny.options=$options"
[ ! -d "$file" ] || set -- "$@" "-Dderny.sources=$file"
exec sh "$(dirname "$0")/../run.sh" "$name" "$file" "$@"
