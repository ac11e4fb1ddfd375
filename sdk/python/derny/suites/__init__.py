"""Layers for the suites of other tools: each gives a provider (see session.py)."""
