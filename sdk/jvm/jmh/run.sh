#!/bin/sh
# Starts a jar of JMH's in a JVM, in this process's place:
#
#     run.sh NAME JAR [OPTION…] -- JAVA… [FLAG…]
#
# The options are those of JMH's command line.
set -eu
name=$1 jar=$2 options=
shift 2
while [ "$1" != -- ]; do
    options="$options$1
"
    shift
done
shift
[ -z "$options" ] || set -- "$@" "-Dderny.options=$options"
exec sh "$(dirname "$0")/../run.sh" "$name" "$jar" "$@"
