#!/usr/bin/env bash
# engine.sh PLATFORM: builds the engine for a platform, such as aarch64-linux, and prints its path. It is
# linked statically, so that it runs on every distribution. For another processor, it needs Rust's library for
# that processor and GNU's cross compiler. If one is missing, it prints the command that installs it and exits
# with 3.
set -euo pipefail
cd "$(dirname "$0")/../.."
platform=${1:?usage: engine.sh PLATFORM}
machine=${platform%-linux}
case $platform in
    x86_64-linux | aarch64-linux) ;;
    *) echo "no engine is built for $platform: there are x86_64-linux and aarch64-linux" >&2; exit 2 ;;
esac
[ "$(uname -s)" = Linux ] || { echo "make dist builds on Linux only" >&2; exit 2; }
target=$machine-unknown-linux-gnu
if [ "$machine" != "$(uname -m)" ]; then
    linker=$machine-linux-gnu-gcc
    lacks() {
        echo "SKIPPED: the engine for $platform: $1 is missing here; type: $2" >&2
        exit 3
    }
    command -v "$linker" >/dev/null || lacks "$linker" "apt-get install gcc-${machine//_/-}-linux-gnu libc6-dev-${machine/aarch64/arm64}-cross"
    [ -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ] || lacks "Rust's library for it" "rustup target add $target"
    key=${target//-/_}
    export "CARGO_TARGET_${key^^}_LINKER=$linker" "CC_$key=$linker"
fi
CARGO_TARGET_DIR=target/static RUSTFLAGS="-C target-feature=+crt-static" \
    cargo build --release --locked --package derny --features full --target "$target" >&2
program=target/static/$target/release/derny
if readelf -d "$program" | grep -q NEEDED; then
    echo "$program needs shared libraries" >&2
    exit 1
fi
echo "$program"
