"""Spellings of "no value" that count where all other cells of a column are numbers or dates.

In a column of text such a word may be a level; between numbers it can only be a gap.
"""

from __future__ import annotations

from collections.abc import Sequence

_WORDS = """
    na n/a n.a. n.a n/d n.d. nd #n/a #na <na> nan nat null (null) nil none (none) missing (missing)
    unknown (unknown) unk undefined blank (blank) empty (empty) - -- --- – — . .. ... ? ?? * k.a.
    unbekannt inconnu inconnue desconocido desconocida sconosciuto sconosciuta onbekend
    s/d s.d. #div/0! #value! #ref! #name? #null! #num! #error!
"""
GAPS = frozenset(_WORDS.split()) | {
    "",
    "not available",
    "not applicable",
    "no data",
    "k. a.",
    "keine angabe",
    "not known",
}
_LONGEST = max(map(len, GAPS))


def is_gap(cell: str) -> bool:
    """Tell whether a cell would be a gap between numbers."""
    return len(cell) <= _LONGEST + 4 and cell.strip().lower() in GAPS


def find_gaps(levels: Sequence[str]) -> list[int]:
    """Give the positions of the cells that would be gaps between numbers."""
    return [i for i, cell in enumerate(levels) if is_gap(cell)]
