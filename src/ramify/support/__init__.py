"""Files written whole or not at all, rows of CSV without formulas, and names that come close.

Imports nothing of ramify. Used by everything that writes files or looks up names.
"""
