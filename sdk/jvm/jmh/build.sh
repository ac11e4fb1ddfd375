#!/bin/sh
# Inspects a jar of JMH benchmarks and writes what run.sh needs to run it. The jar is neither
# rebuilt nor changed:
#
#     build.sh SDK JAR NAME JAVA… [FLAG…]    (NAME is an absolute path without extension)
set -eu
sdk=$1 jar=$2 name=$3
shift 3
[ -f "$jar" ] || { echo "the jar $jar does not exist" >&2; exit 1; }
exec sh "$(dirname "$0")/prepare.sh" "$sdk" "$jar" "$name" "$jar" "$@"
