"""Files written whole or not at all, rows of CSV without formulas, near names, warnings.

Imports nothing of ramify. Used by everything that writes files or looks up names.
"""
