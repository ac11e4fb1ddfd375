#!/usr/bin/env bash
# Runs all tests of this SDK: unit tests, those of the layers for other suites, and conformance, which needs
# an engine (DERNY_BIN, or derny on the PATH).
set -uo pipefail
cd "$(dirname "$0")" || exit 1
status=0
# Node reads these certificates at each start, which takes as long as the start itself. Only npm needs them.
export NPM_EXTRA_CA_CERTS=${NODE_EXTRA_CA_CERTS:-}
unset NODE_EXTRA_CA_CERTS
# The tests in test/suites install packages and runtimes from npm, once per checkout.
node --test --test-timeout=300000 test/*.test.cjs test/suites/*.test.cjs node-core/test/*.test.mjs || status=1
"${DERNY_BIN:-derny}" dev conform -- node conformance.cjs || status=1
exit $status
