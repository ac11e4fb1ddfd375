#!/usr/bin/env bash
# Checks the true differences of the trials: instructions per iteration under callgrind, if valgrind
# is installed, and the time in one process that alternates all variants.
set -euo pipefail
cd "$(dirname "$0")/kernels"
cache=${PEERS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/derny-peers}
export CARGO_TARGET_DIR=$cache/target
(cd rust && cargo build --release --quiet)
programs=$CARGO_TARGET_DIR/release

instructions() { # instructions KERNEL EXTRA ITERATIONS: prints the number for the whole command
    KERNEL_EXTRA=$2 valgrind --tool=callgrind --callgrind-out-file=/dev/null "$programs/command" "$1" "$3" 2>&1 |
        awk '/Collected/ { print $NF }'
}

for kernel in mix chase; do
    if command -v valgrind >/dev/null; then
        base=
        for extra in 0 16 32 64 160; do
            # In the difference of two lengths, the start of the process cancels out.
            count=$((($(instructions $kernel $extra 300) - $(instructions $kernel $extra 100)) / 200))
            base=${base:-$count}
            awk -v k="$kernel" -v e="$extra" -v c="$count" -v b="$base" \
                'BEGIN { printf "%s, Rust: extra %d: %d instructions, %.5f\n", k, e, c, c / b }'
        done
    fi
    "$programs/truth" $kernel 1000 | sed "s/^/$kernel, Rust: time, extra /"
done
node javascript/truth.cjs 1000 | sed 's/^/mix, JavaScript: time, extra /'
classes=$cache/java
javac -d "$classes" java/Kernel.java
java -cp "$classes" Kernel 1000 | sed 's/^/mix, Java: time, extra /'
