"""Layers for the suites of other tools: each has a provider (see session.py)."""
