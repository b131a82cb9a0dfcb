"""Parity: a class about which no single column says anything."""

from __future__ import annotations

from itertools import product

from ramify.datasets.dataset import Dataset, text_column
from ramify.learning.parameters import whole


def make_parity(bits: int = 3, *, noise_columns: int = 0) -> Dataset:
    """Enumerate all rows of 0 and 1, with the parity of the last `bits` columns as the class.

    No single column says anything about the class, so a greedy tree has no reason to choose any of
    them first; a tree of depth `bits` is never wrong. Two bits are "exclusive or".

    Parameters
    ----------
    bits : int
        How many columns count.
    noise_columns : int
        Columns before them that do not count: a tree that takes the first of equal columns
        takes one of these. The table has 2 ** (bits + noise_columns) rows, at most 2 ** 20.

    Examples
    --------
    >>> xor = make_parity(2)
    >>> xor.to_frame("numpy").tolist(), xor.y.tolist()
    ([['0', '0'], ['0', '1'], ['1', '0'], ['1', '1']], ['even', 'odd', 'odd', 'even'])
    """
    bits = whole("bits", bits, least=1)
    columns = bits + whole("noise_columns", noise_columns, least=0)
    if columns > 20:
        raise ValueError(f"bits + noise_columns = {columns} must be at most 20 (2**20 rows)")
    rows = list(product("01", repeat=columns))
    return Dataset(
        data={f"x{j + 1}": text_column(row[j] for row in rows) for j in range(columns)},
        target=text_column(("even", "odd")[row[-bits:].count("1") % 2] for row in rows),
        target_name="parity",
        description=f"Parity of {bits} bits.",
    )
