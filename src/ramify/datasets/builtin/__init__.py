"""Data sets that are written down or follow from a rule: no download, no file.

Imports `Dataset` and the checks of parameters. Used by `datasets` alone.
"""
