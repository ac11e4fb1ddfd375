#!/bin/sh
# Installs a release of Derny:
#
#     curl -fsSL https://github.com/derny/derny/releases/latest/download/install.sh | sh
#
# Takes the archive for this machine, checks its SHA-256, and copies the program to PREFIX/bin. Read from the environment:
#
#     PREFIX           where to install; else $HOME/.local
#     DERNY_VERSION    the version to install; else that of this script
#     DERNY_DOWNLOAD   the address or folder of the releases, each in a folder vVERSION
#     DERNY_ARCHIVE    the address or path of the archive itself; DERNY_SHA256 must be given with it
#     DERNY_SHA256     the SHA-256 that the archive must have; else that in this script or in the release's SHA256SUMS
set -eu

VERSION=0.1.0
DOWNLOAD=https://github.com/derny/derny/releases/download
# `SHA256  NAME` of each archive, a line each. scripts/dist.sh fills it in; the source has none.
SUMS=''

say() { printf '%s\n' "$*" >&2; }

# fail WHAT WHERE WHY TRY: an empty part is left out.
fail() {
    say "error: $1"
    [ -z "$2" ] || say "  where  $2"
    [ -z "$3" ] || say "  why    $3"
    [ -z "$4" ] || say "  try    $4"
    exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# Prints the name of this machine in the names of archives.
platform() {
    system=$(uname -s) machine=$(uname -m)
    case $system-$machine in
        Linux-x86_64 | Linux-amd64) echo x86_64-linux ;;
        Linux-aarch64 | Linux-arm64) echo aarch64-linux ;;
        *) fail "there is no release for $system on $machine" "" "releases are for Linux on x86_64 and aarch64" \
            "build it from source: make install PREFIX=\$HOME/.local" ;;
    esac
}

# fetch ADDRESS FILE: copies what is at an address or a path.
fetch() {
    case $1 in
        http://* | https://*)
            if has curl; then
                why=$(curl -fsSL --retry 3 -o "$2" "$1" 2>&1) && return
            elif has wget; then
                why=$(wget -q -O "$2" "$1" 2>&1) && return
                why=${why:-wget ended with an error}
            else
                fail "cannot download $1" "the PATH: $PATH" "neither curl nor wget is installed" \
                    "install curl, or download the file elsewhere and set DERNY_ARCHIVE to its path"
            fi
            ;;
        *) why=$(cp "${1#file://}" "$2" 2>&1) && return ;;
    esac
    fail "cannot download Derny" "$1" "$why" \
        "open the address in a browser, or set DERNY_VERSION to another version or DERNY_DOWNLOAD to another address"
}

# Prints the SHA-256 of a file.
sum() {
    if has sha256sum; then
        sha256sum "$1" | cut -d ' ' -f 1
    elif has shasum; then
        shasum -a 256 "$1" | cut -d ' ' -f 1
    elif has openssl; then
        openssl dgst -sha256 -r "$1" | cut -d ' ' -f 1
    else
        fail "cannot verify the archive" "the PATH: $PATH" "none of sha256sum, shasum and openssl is installed" "install coreutils"
    fi
}

# wanted ADDRESS NAME: prints the SHA-256 that the archive at an address must have.
wanted() {
    if [ -n "${DERNY_SHA256:-}" ]; then
        # As copied from SHA256SUMS, with the name behind it.
        echo "${DERNY_SHA256%% *}"
        return
    fi
    [ -z "${DERNY_ARCHIVE:-}" ] || fail "cannot verify the archive" "$1" "DERNY_ARCHIVE is set, but DERNY_SHA256 is not" \
        "set DERNY_SHA256 to the checksum in SHA256SUMS of the release"
    from="this script"
    sums=$SUMS
    if [ -z "$sums" ] || [ "$version" != "$VERSION" ]; then
        from=${1%/*}/SHA256SUMS
        fetch "$from" "$draft/SHA256SUMS"
        sums=$(cat "$draft/SHA256SUMS")
    fi
    found=$(printf '%s\n' "$sums" | sed -n "s/^\([0-9a-f]\{64\}\) [ *]$2\$/\1/p")
    [ -n "$found" ] || fail "there is no checksum of $2" "$from" "the release has no archive with this name" "set DERNY_VERSION to another version"
    echo "$found"
}

main() {
    [ -n "${PREFIX:-}" ] || [ -n "${HOME:-}" ] || fail "there is no folder to install into" "" "neither PREFIX nor HOME is set" "set PREFIX"
    bin=${PREFIX:-${HOME:-}/.local}/bin
    version=${DERNY_VERSION:-$VERSION}
    version=${version#v}
    if [ -n "${DERNY_ARCHIVE:-}" ]; then
        address=$DERNY_ARCHIVE
        name=${address##*/}
    else
        platform=$(platform)
        name=derny-$version-$platform.tar.gz
        download=${DERNY_DOWNLOAD:-$DOWNLOAD}
        address=${download%/}/v$version/$name
    fi
    for tool in tar gzip mktemp; do
        has $tool || fail "cannot unpack the archive" "the PATH: $PATH" "$tool is not installed" "install $tool"
    done
    # Before anything is fetched.
    why=$( (mkdir -p "$bin" && : >"$bin/.derny.new") 2>&1) || fail "cannot install Derny" "$bin" "${why##*: }" \
        "set PREFIX to a writable folder, such as PREFIX=\$HOME/.local"
    draft=$(mktemp -d)
    trap 'rm -rf "$draft" "$bin/.derny.new"' EXIT
    trap 'exit 130' INT TERM HUP

    wanted=$(wanted "$address" "$name")
    fetch "$address" "$draft/archive"
    have=$(sum "$draft/archive")
    [ "$have" = "$wanted" ] || fail "the checksum of the archive is wrong; nothing was installed" "$address" \
        "its SHA-256 is $have instead of $wanted" "download it again; if the sum still differs, do not use the file, because it is not the one that was released"
    why=$(tar -C "$draft" -xzf "$draft/archive" 2>&1) || fail "cannot unpack the archive" "$address" "$why" "download it again"
    set -- "$draft"/*/derny
    [ -f "$1" ] || fail "the archive does not contain Derny" "$address" "its folder has no file \`derny\`" "set DERNY_ARCHIVE to an archive of a release"
    # By way of a new file: a program that is running cannot be overwritten in place.
    cp "$1" "$bin/.derny.new"
    chmod 755 "$bin/.derny.new"
    said=$("$bin/.derny.new" --version 2>&1) || fail "derny does not start on this machine" "$bin" "$said" \
        "build it from source: make install PREFIX=\$HOME/.local"
    mv "$bin/.derny.new" "$bin/derny"
    say "installed $said as $bin/derny"
    case ":$PATH:" in
        *":$bin:"*) ;;
        *) say "$bin is not on your PATH; type: export PATH=\"$bin:\$PATH\"" ;;
    esac
}

# At the end: a script of which only a part has arrived does nothing.
main
