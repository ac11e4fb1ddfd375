#!/usr/bin/env bash
# Checks the rules of ARCHITECTURE.md: allowed imports (rules.test.mjs), names of languages only in
# sdk/ (languages.test.mjs), and links and wording of the documents (documents.test.mjs).
set -euo pipefail
cd "$(dirname "$0")"
exec node --test --test-reporter=spec rules.test.mjs touch.test.mjs languages.test.mjs scripts.test.mjs documents.test.mjs workflows.test.mjs
