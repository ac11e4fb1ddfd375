#!/bin/sh
# Starts a file of benchmarks in a JVM, in this process's place:
#
#     run.sh NAME FILE JAVA… [FLAG…]
#
# NAME.cp, which a build.sh has written, has four lines: class paths of this SDK and of the project, what Java starts to fill an
# archive of classes, and what it starts to measure. NAME.flags may have further flags, one a line. Flags of ours stand right behind
# the word java, so that those that come later win. The compiler is told of our blackhole, where it knows such (HotSpot from 17 on),
# and to leave the conversation to the interpreter: its compilation would look as if the body were still compiled, and prolong
# warm-up. Classes of the SDK and of the JDK come from an archive (AppCDS, from 13 on), so that processes start sooner. It is made once for each JDK; a JVM
# that finds that it does not fit goes on without it, and is kept from saying so among what the benchmarks print.
set -eu
name=$1 file=$2
shift 2
{ read -r library; read -r project; read -r training; read -r main; } <"$name.cp"
behind=
for word; do
    shift
    # `java -jar JAR` is how people start a jar, which is on the class path here.
    [ "$word" != -jar ] || continue
    set -- "$@" "$word"
    case $behind${word##*/} in java) behind=yes ;; *) continue ;; esac
    if [ -f "$name.flags" ]; then
        while IFS= read -r flag; do set -- "$@" "$flag"; done <"$name.flags"
    fi
    home=$(readlink -f "$(command -v "$word" || true)" 2>/dev/null || true)
    release=${home%/bin/java}/release
    { [ -f "$release" ] && ! grep -qi openj9 "$release"; } || continue
    version=$(sed -n 's/^JAVA_VERSION="\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' "$release")
    if [ "${version:-0}" -ge 17 ]; then
        set -- "$@" -XX:+UnlockExperimentalVMOptions -XX:CompileCommand=quiet -XX:CompileCommand=blackhole,derny.Sink::take \
            "-XX:CompileCommand=exclude,derny.Wire*::*" "-XX:CompileCommand=exclude,derny.Session::*"
    fi
    [ "${version:-0}" -ge 13 ] || continue
    jar=${library%%:*}
    archive=${jar%.jar}-$(cksum <"$release" | cut -d ' ' -f 1).jsa
    if [ ! -f "$archive" ]; then
        # Whatever goes wrong here costs a part of a second per process, no more.
        # shellcheck disable=SC2086 # several words
        "$word" -XX:ArchiveClassesAtExit="$archive.$$" -cp "$library" $training >/dev/null 2>&1 || true
        [ ! -f "$archive.$$" ] || mv "$archive.$$" "$archive"
    fi
    [ ! -f "$archive" ] || set -- "$@" -XX:SharedArchiveFile="$archive" -Xlog:disable -Xlog:all=error:stderr
done
# shellcheck disable=SC2086 # several words
exec "$@" -cp "$library:$project" $main "$file"
