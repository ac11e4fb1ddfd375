#!/usr/bin/env bash
# deb.sh PLATFORM FOLDER CONTENT: makes the Debian package for a platform in FOLDER, from the program, manual
# pages and completions in CONTENT.
set -euo pipefail
platform=$1 folder=$2 content=$3
cd "$(dirname "$0")"
fact() { ./fact.sh "$1"; }
case $platform in
    x86_64-*) architecture=amd64 ;;
    aarch64-*) architecture=arm64 ;;
    *) echo "deb.sh: no architecture of Debian for $platform" >&2; exit 2 ;;
esac
command -v dpkg-deb >/dev/null || { echo "SKIPPED: the Debian package for $platform: dpkg-deb is missing here" >&2; exit 0; }
version=$(fact version) home=$(fact home) SOURCE_DATE_EPOCH=$(fact time)
export SOURCE_DATE_EPOCH
maintainer="The Derny authors <derny@users.noreply.github.com>"
draft=$(mktemp -d)
trap 'rm -rf "$draft"' EXIT
chmod 755 "$draft"
root=$draft/root
documents=$root/usr/share/doc/derny
install -D -m 755 "$content/derny" "$root/usr/bin/derny"
install -D -m 644 -t "$root/usr/share/man/man1" "$content"/man/*.1
install -D -m 644 "$content/completions/derny.bash" "$root/usr/share/bash-completion/completions/derny"
install -D -m 644 "$content/completions/_derny" "$root/usr/share/zsh/vendor-completions/_derny"
install -D -m 644 "$content/completions/derny.fish" "$root/usr/share/fish/vendor_completions.d/derny.fish"
mkdir -p "$documents"
{
    echo "derny ($version) unstable; urgency=medium"
    echo
    echo "  * New release: NEWS.gz in this folder says what has changed."
    echo
    echo " -- $maintainer  $(date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")"
} >"$documents/changelog"
install -m 644 ../../CHANGELOG.md "$documents/NEWS"
gzip -9n "$root"/usr/share/man/man1/*.1 "$documents/changelog" "$documents/NEWS"
cat >"$documents/copyright" <<C
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: derny
Source: $home

Files: *
Copyright: 2026 The Derny authors
License: Apache-2.0 or Expat

License: Apache-2.0
 On Debian systems, the text is in /usr/share/common-licenses/Apache-2.0.

License: Expat
$(sed '1,/^$/d; s/^$/./; s/^/ /' ../../LICENSE-MIT)
C
# Libraries must be linked into the program, because one file has to work on every distribution.
mkdir -p "$root/usr/share/lintian/overrides"
printf 'derny: statically-linked-binary\nderny: embedded-library\n' >"$root/usr/share/lintian/overrides/derny"
mkdir "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<C
Package: derny
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -k --apparent-size -s "$root" | cut -f 1)
Suggests: git
Section: devel
Priority: optional
Homepage: $home
Description: microbenchmarking system for every language
 Says whether a change made code faster or slower, by how much, and whether
 the answer can be trusted. Versions of a program take turns every few
 milliseconds, so that whatever else the machine does hits all alike.
 .
 Benchmarks are written in the language of the program.
C
(cd "$root" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | sort -z | xargs -0 md5sum >"$draft/md5sums")
install -m 644 "$draft/md5sums" "$root/DEBIAN/md5sums"
find "$root" -type d -exec chmod 755 {} +
dpkg-deb --root-owner-group --uniform-compression -Zxz --build "$root" "$folder/derny_${version}_$architecture.deb" >/dev/null
