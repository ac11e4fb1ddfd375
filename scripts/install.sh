#!/usr/bin/env bash
# install.sh PREFIX [PROGRAM]: copies the engine to PREFIX/bin. Builds it unless PROGRAM is given. The engine
# contains the SDKs.
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=${1:?usage: install.sh PREFIX [PROGRAM]}
program=${2:-}
if [ -z "$program" ]; then
    scripts/setup.sh || [ $? = 3 ] # a missing language is no obstacle
    cargo build --release --locked --package derny --features full
    program=target/release/derny
fi
mkdir -p "$prefix/bin"
# Move a new file into place, because a running program cannot be overwritten.
cp "$program" "$prefix/bin/derny.new"
mv "$prefix/bin/derny.new" "$prefix/bin/derny"
echo "installed $prefix/bin/derny"
case ":$PATH:" in
*":$prefix/bin:"*) ;;
*) echo "$prefix/bin is not on your PATH; type: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
