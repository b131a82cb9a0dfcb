"""Files written whole or not at all, and rows of CSV without formulas."""
