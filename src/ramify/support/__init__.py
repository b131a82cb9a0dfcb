"""Files written whole or not at all, and rows of CSV without formulas.

Imports nothing of ramify. Used by everything that writes.
"""
