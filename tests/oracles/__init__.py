"""Slow and obvious references that the fast code must equal."""
