# Requirements and lessons of JavaScript. scripts/setup.sh and scripts/demo.sh source this file and
# explain its functions.
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

# Show all lessons. Other languages show the first one or two.
tour 2
lessons JavaScript node 30 examples/*/*.bench.mjs
