#!/bin/sh
# Starts a file of benchmarks in a JVM, in this process's place:
#
#     run.sh NAME FILE JAVA… [FLAG…]
#
# NAME.cp holds two class paths: that of this SDK and Clojure, and the project's. The compiler is told of our blackhole, where
# it knows such (HotSpot from 17 on), and the classes of the first come from an archive (AppCDS, from 13 on), which halves the time to start.
# It is made once for each JDK; a JVM that finds that it does not fit goes on without it.
set -eu
name=$1 file=$2
shift 2
first=$(sed -n 1p "$name.cp")
java=
for word; do
    case ${word##*/} in java) java=$word && break ;; esac
done
flags=
home=$(readlink -f "$(command -v "${java:-java}" || true)" 2>/dev/null || true)
release=${home%/bin/java}/release
if [ -n "$java" ] && [ -f "$release" ] && ! grep -qi openj9 "$release"; then
    version=$(sed -n 's/^JAVA_VERSION="\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' "$release")
    if [ "${version:-0}" -ge 17 ]; then
        flags='-XX:+UnlockExperimentalVMOptions -XX:CompileCommand=quiet -XX:CompileCommand=blackhole,derny.Sink::take'
    fi
    compiled=${first%%:*}
    archive=${compiled%.jar}-$(cksum <"$release" | cut -d ' ' -f 1).jsa
    if [ "${version:-0}" -ge 13 ]; then
        if [ ! -f "$archive" ]; then
            # Whatever goes wrong here costs a second per process, no more.
            "$java" -XX:ArchiveClassesAtExit="$archive.$$" -cp "$first" clojure.main -e "(require 'derny.main 'derny.core)" >/dev/null 2>&1 || true
            [ ! -f "$archive.$$" ] || mv "$archive.$$" "$archive"
        fi
        [ ! -f "$archive" ] || set -- "$@" -XX:SharedArchiveFile="$archive" -Xlog:disable -Xlog:all=error:stderr
    fi
fi
# shellcheck disable=SC2086 # several flags
exec "$@" $flags -cp "$first:$(sed -n 2p "$name.cp")" clojure.main -m derny.main "$file"
