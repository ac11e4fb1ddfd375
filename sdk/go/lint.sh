#!/usr/bin/env bash
# Formatting, and what `go vet` finds. Fetches nothing.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
command -v go >/dev/null && command -v gofmt >/dev/null || { echo "SKIPPED: lint of Go, because go is missing"; exit 0; }
export GOPROXY=off GOTOOLCHAIN=local GOFLAGS= GOWORK=off
unformatted=$(gofmt -l .) && [ -z "$unformatted" ] || { echo "type gofmt -w for these: $unformatted"; exit 1; }
# The overlay is compiled into the standard library: it is no package here.
status=0
for module in build derny; do
    (cd "$module" && go vet .) || status=1
done
exit $status
