# What JavaScript needs here, and its lessons. Sourced by scripts/setup.sh and scripts/demo.sh, which say what the words mean.
node_wanted=18
has_node() {
    local version
    version=$(node --version 2>/dev/null | tr -d v)
    [ -n "$version" ] && at_least "$node_wanted" "$version" && command -v npm >/dev/null
}
need "Node.js $node_wanted or later with npm" has_node "$node_wanted" "nodejs npm" \
    "type: apt-get install nodejs npm   (or see https://nodejs.org)"

# All of them. The other languages show the first or the first two.
lessons JavaScript node 30 examples/*/*.bench.mjs
