#!/bin/sh
# Builds a Maven module with benchmarks of JMH, whose pom.xml has JMH's annotation processor, and writes down for run.sh how it runs:
#
#     sources.sh SDK FOLDER ROOT NAME [OPTION…] -- JAVA… [FLAG…]    (FOLDER has the module's sources; the options are Maven's)
#
# NAME is an absolute path. The class path has the folders that Maven compiles into, not a jar.
set -eu
sdk=$1 folder=$2 root=$3 name=$4 options=
shift 4
while [ "$1" != -- ]; do
    options="$options $1"
    shift
done
shift
mkdir -p "$(dirname "$name")"
# shellcheck disable=SC2086 # several words, or none
path=$(sh "$sdk/classpath.sh" "$folder/." "$root" "$name.maven" $options)
[ -n "$path" ] || { echo "there is no pom.xml above $folder" >&2; exit 1; }
exec sh "$sdk/jmh/prepare.sh" "$sdk" "$path" "$name" "$(dirname "$folder")/pom.xml" "$@"
