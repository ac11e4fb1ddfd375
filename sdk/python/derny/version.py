"""The version of this package. `scripts/version.mjs` keeps it equal to that of the engine."""

VERSION = "0.1.0"
