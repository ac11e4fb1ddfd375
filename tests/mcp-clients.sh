#!/usr/bin/env bash
# Calls the tools of `derny mcp` with official clients of both eras of the protocol, and from two languages.
# Installs them into target/mcp-clients. Uses the engine DERNY_BIN, or the checkout's debug build.
# crates/cli/tests/mcp.rs tests the same without clients.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
engine=${DERNY_BIN:-$PWD/target/debug/derny}
tools=$PWD/target/mcp-clients
# Each virtual environment would install pip, which is often there already.
pip=(python3 -m pip)
if ! "${pip[@]}" --version >/dev/null 2>&1; then
    python3 -m venv "$tools/pip" || exit 2
    pip=("$tools/pip/bin/python" -m pip)
fi
for version in 1.30.0 2.3.0; do
    [ -e "$tools/$version/done" ] && continue
    "${pip[@]}" install --quiet --no-warn-conflicts --disable-pip-version-check --no-compile --target "$tools/$version" "mcp==$version" || exit 2
    touch "$tools/$version/done"
done
if [ ! -e "$tools/npm/done" ]; then
    npm install --silent --no-audit --no-fund --prefix "$tools/npm" @modelcontextprotocol/sdk@1.32.2 || exit 2
    touch "$tools/npm/done"
fi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" && "$engine" init javascript >/dev/null || exit 2
passed=0 failed=0
client() { # client NAME COMMAND...: adds up what a client counts
    local name=$1 said
    shift
    said=$("$@" "$engine" "$place" 2>&1)
    if [[ $said =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
        passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
    else
        failed=$((failed + 1))
    fi
    printf '== %s\n%s\n' "$name" "$said"
}
source=$OLDPWD/tests/mcp
client "mcp 1.30.0 (Python)" env PYTHONPATH="$tools/1.30.0" python3 "$source/client.py"
client "mcp 2.3.0 (Python)" env PYTHONPATH="$tools/2.3.0" python3 "$source/client.py"
client "@modelcontextprotocol/sdk 1.32.2 (JavaScript)" node "$source/client.mjs" "$tools/npm"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
