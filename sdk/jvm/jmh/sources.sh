#!/bin/sh
# Builds a Maven module of JMH benchmarks, whose pom.xml has JMH's annotation processor, and writes
# what run.sh needs to run it:
#
#     sources.sh SDK FOLDER ROOT NAME [OPTION…] -- JAVA… [FLAG…]    (FOLDER contains the module's sources; options are for Maven)
#
# NAME is an absolute path. The class path contains Maven's output folders, not a jar.
set -eu
sdk=$1 folder=$2 root=$3 name=$4 options=
shift 4
while [ "$1" != -- ]; do
    options="$options $1"
    shift
done
shift
mkdir -p "$(dirname "$name")"
# shellcheck disable=SC2086 # $options contains zero or more words
path=$(sh "$sdk/classpath.sh" "$folder/." "$root" "$name.maven" $options)
[ -n "$path" ] || { echo "there is no pom.xml in a parent folder of $folder" >&2; exit 1; }
exec sh "$sdk/jmh/prepare.sh" "$sdk" "$path" "$name" "$(dirname "$folder")/pom.xml" "$@"
