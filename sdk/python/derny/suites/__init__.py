"""Layers for suites of other tools. Each has a provider (see session.py)."""
