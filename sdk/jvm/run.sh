#!/bin/sh
# Starts a benchmark file in a JVM, in this process's place:
#
#     run.sh SDK NAME FILE JAVA… [FLAG…]
#
# NAME.cp holds the class path. Java before the file's own flags gets two things: the compiler is told of our blackhole, where it
# knows such (HotSpot from 17 on), and classes come from an archive (AppCDS, from 13 on), so that processes start sooner. The
# archive covers this SDK and what it uses of the JDK. It is made once for each JDK; a JVM that finds that it does not fit
# goes on without it.
set -eu
sdk=$1 name=$2 file=$3
shift 3
jar=$sdk/derny.jar
java=
for word; do
    case ${word##*/} in java) java=$word && break ;; esac
done
flags=
home=$(readlink -f "$(command -v "${java:-java}" || true)" 2>/dev/null || true)
release=${home%/bin/java}/release
if [ -n "$java" ] && [ -f "$release" ]; then
    version=$(sed -n 's/^JAVA_VERSION="\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' "$release")
    hotspot=$(grep -qi 'openj9' "$release" && echo no || echo yes)
    if [ "$hotspot" = yes ] && [ "${version:-0}" -ge 17 ]; then
        flags='-XX:+UnlockExperimentalVMOptions -XX:CompileCommand=quiet -XX:CompileCommand=blackhole,derny.Sink::take'
    fi
    archive=$sdk/derny-$(cksum <"$release" | cut -d ' ' -f 1).jsa
    if [ "$hotspot" = yes ] && [ "${version:-0}" -ge 13 ] && [ ! -f "$archive" ]; then
        # Whatever goes wrong here costs a fifth of a second per process, no more.
        "$java" -XX:ArchiveClassesAtExit="$archive.$$" -cp "$jar" derny.Training >/dev/null 2>&1 || true
        [ ! -f "$archive.$$" ] || mv "$archive.$$" "$archive"
    fi
    [ ! -f "$archive" ] || set -- "$@" -XX:SharedArchiveFile="$archive" -Xlog:disable -Xlog:all=error:stderr
fi
# shellcheck disable=SC2086 # several flags
exec "$@" $flags -cp "$jar:$(cat "$name.cp")" derny.Main "$file"
