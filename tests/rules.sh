#!/usr/bin/env bash
# The rules of ARCHITECTURE.md (see rules.test.mjs).
set -euo pipefail
cd "$(dirname "$0")"
exec node --test --test-reporter=spec rules.test.mjs
