#!/bin/sh
# Replaces this process with a JVM that runs a benchmark file:
#
#     run.sh NAME FILE JAVA… [FLAG…]
#
# NAME.cp, written by a build.sh, has four lines: the class paths of this SDK and of the project,
# and the main classes that fill a class archive and that measure. NAME.flags may contain further
# flags, one per line. The SDK's flags directly follow `java`, so that later ones override them.
#
# The flags make HotSpot treat the SDK's blackhole as a compiler blackhole (Java 17 and later). They
# also keep the conversation interpreted: if it were compiled, the body would seem to be still
# compiling, which would prolong the warm-up. Classes of the SDK and the JDK are loaded from an
# archive (AppCDS, Java 13 and later), which makes processes start faster. The archive is made once
# per JDK. A JVM that cannot use it continues without it and prints no warning.
set -eu
name=$1 file=$2
shift 2
{ read -r library; read -r project; read -r training; read -r main; } <"$name.cp"
behind=
for word; do
    shift
    # Users may write `java -jar JAR`. Remove -jar, since the jar is on the class path.
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
        # A failure only makes each process start a little slower.
        # shellcheck disable=SC2086 # $training contains several words
        "$word" -XX:ArchiveClassesAtExit="$archive.$$" -cp "$library" $training >/dev/null 2>&1 || true
        [ ! -f "$archive.$$" ] || mv "$archive.$$" "$archive"
    fi
    [ ! -f "$archive" ] || set -- "$@" -XX:SharedArchiveFile="$archive" -Xlog:disable -Xlog:all=error:stderr
done
# shellcheck disable=SC2086 # $main contains several words
exec "$@" -cp "$library:$project" $main "$file"
