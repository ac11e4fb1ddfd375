#!/usr/bin/env bash
# The rules of ARCHITECTURE.md: who imports whom (rules.test.mjs), that languages are known in sdk/ alone,
# and that the documents are whole (documents.test.mjs).
set -euo pipefail
cd "$(dirname "$0")"
exec node --test --test-reporter=spec rules.test.mjs touch.test.mjs languages.test.mjs scripts.test.mjs documents.test.mjs workflows.test.mjs
