# What JavaScript needs here, and its lessons. Sourced by scripts/setup.sh and scripts/demo.sh, which say what the words mean.
# shellcheck shell=bash
node_wanted=18
has_node() {
    local version
    version=$(node --version 2>/dev/null | tr -d v)
    [ -n "$version" ] && at_least "$node_wanted" "$version"
}
need "Node.js $node_wanted or later" has_node "$node_wanted" nodejs "type: apt-get install nodejs   (or see https://nodejs.org)"
has_npm() { command -v npm >/dev/null; }
tests_need "npm" has_npm 1 npm "type: apt-get install npm"

# All of them. The other languages show the first or the first two.
tour 2
lessons JavaScript node 30 examples/*/*.bench.mjs
