#!/bin/sh
# Looks at a jar of JMH's and writes down for run.sh how it runs; nothing is built again, and the jar stays as it is:
#
#     build.sh SDK JAR NAME JAVA… [FLAG…]    (NAME is an absolute path without ending)
set -eu
sdk=$1 jar=$2 name=$3
shift 3
[ -f "$jar" ] || { echo "there is no jar $jar" >&2; exit 1; }
exec sh "$(dirname "$0")/prepare.sh" "$sdk" "$jar" "$name" "$jar" "$@"
