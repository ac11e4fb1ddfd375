#!/usr/bin/env bash
# release.sh [FOLDER]: installs each file of a release in an empty folder, from registries on this
# machine, and measures with it. Only the required programs are on the PATH. FOLDER contains the
# output of `make dist`. Without it, the script packs the files itself, around a script that starts
# DERNY_BIN or the checkout's debug build.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
root=$PWD
place=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null; rm -rf "$place"' EXIT
passed=0 failed=0 skipped=0

check() { # check NAME COMMAND...: runs in an empty project with a benchmark
    local name=$1 start=${EPOCHREALTIME/./}
    shift
    rm -rf "$place/project" && cp -r "$place/blank" "$place/project"
    if (cd "$place/project" && "$@") >"$place/log" 2>&1 </dev/null; then
        passed=$((passed + 1))
        echo "ok      $name ($(((${EPOCHREALTIME/./} - start) / 1000)) ms)"
    else
        failed=$((failed + 1))
        echo "FAILED  $name"
        sed 's/^/    /' "$place/log"
    fi
}
skip() { # skip NAME WHY
    skipped=$((skipped + 1))
    echo "SKIPPED $1: $2"
}
says() { # says STATUS WORDS COMMAND...: succeeds if the command ends with this status and prints these words
    local status=$1 words=$2 said ended
    shift 2
    said=$("$@" 2>&1)
    ended=$?
    echo "$said"
    [ $ended = "$status" ] && grep -qF -- "$words" <<<"$said"
}
links() { # links FOLDER PROGRAM...: creates a folder for a PATH with links to these programs
    local folder=$1 program
    shift
    mkdir -p "$folder"
    for program; do ln -s "$(command -v "$program")" "$folder/$program"; done
}
bare() { env -i PATH="$place/node" HOME="$place/home" CI=true "$@"; } # with Node.js and no engine

mkdir -p "$place/home" "$place/blank"
links "$place/node" node sh env
links "$place/tools" sh uname tar gzip mktemp mkdir cp mv chmod cut sed cat rm sha256sum
links "$place/curl" curl
cat >"$place/blank/x.bench.mjs" <<'J'
import { bench } from 'derny';
bench('join', { params: { n: [10, 1000] }, setup: ({ n }) => Array(n).fill('word') }, (list) => list.join(' '));
J
mkdir "$place/python"
cat >"$place/python/x_bench.py" <<'P'
from derny import bench


@bench
def join():
    return " ".join(["word"] * 100)
P

# measures COMMAND...: succeeds if the command starts an engine that measures both cases.
measures() { bare "$@" run --quick -f json >result.json && grep -o '"typical"' result.json | wc -l | grep -qx 2; }

case $(uname -m) in
    x86_64) platform=x86_64-linux debian=amd64 npm=linux-x64 ;;
    aarch64) platform=aarch64-linux debian=arm64 npm=linux-arm64 ;;
    *) echo "no release is for $(uname -m)"; exit 1 ;;
esac
version=$(scripts/dist/fact.sh version)
release=${1:-}
if [ -z "$release" ]; then
    release=$place/release
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$(realpath "${DERNY_BIN:-target/debug/derny}")" >"$place/engine"
    chmod +x "$place/engine"
    check "make dist packs engines for two platforms" \
        env -C "$root" scripts/dist.sh "$release" x86_64-linux="$place/engine" aarch64-linux="$place/engine"
fi
release=$(realpath "$release")
node tests/registry.mjs "$release" "$place/address" &
server=$!
until [ -s "$place/address" ]; do sleep 0.05; done
address=$(cat "$place/address")
download=$address/releases/download

listed() { (cd "$release" && sha256sum -c SHA256SUMS && [ "$(wc -l <SHA256SUMS)" = $(($(find . -type f | wc -l) - 1)) ]); }
check "SHA256SUMS has the sum of every file" listed

archive=$release/derny-$version-$platform.tar.gz
unpacked() { mkdir there && tar -C there --strip-components=1 -xzf "$archive" && measures there/derny && [ -s there/man/derny-run.1 ]; }
check "the archive's engine measures where it is unpacked" unpacked
headers() {
    rm x.bench.mjs && mkdir there && tar -C there --strip-components=1 -xzf "$archive" &&
        says 0 "wrote  bench/first.cpp" there/derny init cpp && says 0 "2 passed" there/derny run --once
}
if command -v g++ >/dev/null; then
    check "it brings the headers of C and C++" headers
else
    skip "the headers of C and C++" "g++ is not here"
fi

# The install script, with only the programs that it calls.
script() { # script FETCHER VARIABLE=VALUE... [SCRIPT]
    local fetcher=$1
    shift
    env -i PATH="$place/tools:$place/$fetcher" HOME="$PWD/home" DERNY_DOWNLOAD="$download" "$@"
}
published() { # published FETCHER: installs through a pipe, as the README describes
    mkdir home && curl -fsSL "$download/v$version/install.sh" | script "$1" sh && measures home/.local/bin/derny
}
check "install.sh fetches, checks and installs with curl" published curl
if command -v wget >/dev/null; then
    links "$place/wget" wget
    check "and with wget" published wget
else
    skip "install.sh with wget" "it is not here"
fi
elsewhere() {
    says 0 "is not on your PATH" script curl PREFIX="$PWD/a b" sh "$release/install.sh" && [ "$("a b/bin/derny" --version)" = "derny $version" ] &&
        [ "$(ls -A "a b/bin")" = derny ]
}
check "to PREFIX, and it says what is not on the PATH" elsewhere
check "the script of the sources takes the sum from SHA256SUMS" says 0 "installed derny $version" script curl sh "$root/install.sh"
refuses() { # refuses WORDS COMMAND...: succeeds if the command ends with 1, prints these words, and installs nothing
    says 1 "$@" && [ ! -e home/.local/bin/derny ]
}
mkdir "$place/nothing" "$place/other"
printf '#!/bin/sh\ncase $1 in -s) echo Linux ;; *) echo riscv64 ;; esac\n' >"$place/other/uname"
chmod +x "$place/other/uname"
check "without curl and wget it says so" refuses "neither curl nor wget" script nothing sh "$release/install.sh"
check "on another machine too" refuses "no release for Linux on riscv64" script curl PATH="$place/other:$place/tools" sh "$release/install.sh"
check "and of a version that is not there" refuses "$download/v9.9.9/" script curl DERNY_VERSION=9.9.9 sh "$release/install.sh"
check "and of a folder that cannot be written" refuses "Not a directory" script curl PREFIX="$place/log/x" sh "$release/install.sh"
spoilt() {
    mkdir -p "spoilt/v$version" && { cat "$archive" && echo; } >"spoilt/v$version/${archive##*/}" &&
        refuses "instead of $(sha256sum "$archive" | cut -d' ' -f1)" script curl DERNY_DOWNLOAD="$PWD/spoilt" sh "$release/install.sh"
}
check "an archive with another sum is not installed" spoilt
cut_off() { head -n -3 "$release/install.sh" | script curl sh && [ ! -e home ]; }
check "a script of which only a part has come does nothing" cut_off

# npm with a registry: a project, and npx in an empty folder.
links "$place/npm" npm npx
node_package() {
    env -i PATH="$place/node:$place/npm" HOME="$place/home" npm_config_registry="$address" npm_config_update_notifier=false \
        npm_config_audit=false npm_config_fund=false "$@"
}
package() {
    echo '{ "name": "project", "private": true }' >package.json && node_package npm install --silent --save-dev derny &&
        [ "$(ls node_modules/@derny)" = "$npm" ] && measures node_modules/.bin/derny && bare DERNY_BUDGET=1s node x.bench.mjs --once
}
check "npm installs derny and the engine of this machine alone" package
alone() {
    echo '{ "name": "project", "private": true }' >package.json && node_package npm install --silent --omit=optional derny &&
        says 2 "@derny/$npm is not installed" bare node_modules/.bin/derny run
}
check "without the engine it says what is missing" alone
check "npx starts it in an empty folder" node_package npx --yes derny run --once
status() { node_package npx --yes derny run nothing-has-this-name; [ $? = 4 ]; }
check "and ends as the engine ends" status

# Python: an empty environment, and uvx.
environment() {
    cp "$place/python/"* . && rm x.bench.mjs && python3 -m venv --without-pip there &&
        python3 -m pip --disable-pip-version-check --python there/bin/python install --quiet --no-index --find-links "$release" derny &&
        env -i PATH="$PWD/there/bin" HOME="$place/home" derny run --once && env -i PATH="$PWD/there/bin" HOME="$place/home" python -m derny --version
}
if python3 -m pip --python x --version 2>&1 | grep -q "no such option"; then
    skip "pip installs the wheel" "pip is older than 22.3"
elif python3 -m pip --version >/dev/null 2>&1; then
    check "pip installs the wheel, with the command" environment
else
    skip "pip installs the wheel" "there is no pip"
fi
if command -v uvx >/dev/null; then
    # The command that uv installs is a script that calls these two.
    links "$place/uv" uvx uv realpath dirname
    # The `python3` on the PATH may be a wrapper script, so link the interpreter itself.
    ln -s "$(python3 -c 'import sys; print(sys.executable)')" "$place/uv/python3"
    once() {
        cp "$place/python/"* . && rm x.bench.mjs &&
            env -i PATH="$place/uv:$place/tools" HOME="$place/home" uvx --offline --no-python-downloads --from "$release"/derny-*_"${platform%-linux}".whl derny run --once
    }
    check "uvx runs it from the wheel" once
else
    skip "uvx runs it from the wheel" "uv is not here"
fi

# The Debian package: its fields, and its installation in a temporary copy of this system.
package=$release/derny_${version}_$debian.deb
described() {
    local field
    for field in "Package: derny" "Version: $version" "Architecture: $debian"; do dpkg-deb --field "$package" | grep -qx "$field" || return; done
    dpkg-deb --contents "$package" | awk '$2 != "root/root" { wrong = 1 } END { exit wrong }'
}
# apart COMMAND...: runs the command in a copy of this system, without its mounts, so that it can
# change everything.
apart() {
    local enter=(unshare --mount)
    [ "$(id -u)" = 0 ] || enter+=(--map-root-user)
    mkdir -p "$place/system"
    "${enter[@]}" bash -euc '
        mount -t tmpfs none "$1/system"
        mkdir "$1/system/upper" "$1/system/work" "$1/system/root"
        mount -t overlay none -o "lowerdir=/,upperdir=$1/system/upper,workdir=$1/system/work" "$1/system/root"
        for needed in /dev /proc "$1" "$2"; do
            mkdir -p "$1/system/root$needed"
            mount --rbind "$needed" "$1/system/root$needed"
        done
        exec chroot "$1/system/root" "${@:3}"' - "$place" "$root" "$@"
}
installed() {
    apart bash -euc '
        cp "$1" /var/cache/derny.deb
        apt-get -qq -o APT::Sandbox::User=root install --no-install-recommends /var/cache/derny.deb
        cd "$2"
        env -i PATH="/usr/bin:$3" HOME=/root derny run --once
        test "$(env -i PATH=/usr/bin derny --version)" = "$(dpkg-query -W -f "\${Package} \${Version}" derny)"
        gzip -dc /usr/share/man/man1/derny.1.gz | grep -q derny
        bash -c ". /usr/share/bash-completion/completions/derny && complete -p derny"
        apt-get -qq remove derny
        test ! -e /usr/bin/derny' - "$package" "$PWD" "$place/node"
}
if [ -f "$package" ] && command -v dpkg-deb >/dev/null; then
    check "the Debian package states what it is" described
    if apart test -x /usr/bin/apt-get 2>/dev/null; then
        check "apt-get installs it, with manual and completions, and removes it" installed
    else
        skip "apt-get installs the Debian package" "no copy of the system can be mounted here"
    fi
else
    skip "the Debian package" "dpkg-deb is not here"
fi

# Homebrew: the formula must contain the checksums of the existing archives.
formula() {
    local one
    ruby_syntax || return
    for one in "$release"/derny-*-linux.tar.gz; do
        grep -A 1 -F "/releases/download/v$version/${one##*/}\"" "$release/derny.rb" | grep -qF "sha256 \"$(sha256sum "$one" | cut -d' ' -f1)\"" || return
    done
    [ "$(grep -c '^    url ' "$release/derny.rb")" = "$(find "$release" -name 'derny-*-linux.tar.gz' | wc -l)" ]
}
ruby_syntax() { ! command -v ruby >/dev/null || ruby -c "$release/derny.rb"; }
check "the formula has the address and the sum of each archive" formula
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
