#!/usr/bin/env bash
# The rules of ARCHITECTURE.md (see rules.test.mjs), and scripts that read what each language says of itself (scripts.test.mjs).
set -euo pipefail
cd "$(dirname "$0")"
exec node --test --test-reporter=spec rules.test.mjs scripts.test.mjs
