"""The version of this package. `scripts/version.mjs` keeps it equal to the engine's."""

VERSION = "0.1.0"
