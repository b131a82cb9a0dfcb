"""Data sets of any size: drawn at random, or enumerated.

Imports `Dataset` and the checks of parameters. Used by `datasets` alone.
"""
