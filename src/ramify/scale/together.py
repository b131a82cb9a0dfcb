"""Several trees in the same scans: each scan reads what all of them want next.

Trees do not wait for each other. So there are as many scans as the tree with the most has alone.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from ramify.scale.common import Common
from ramify.scale.counting import PickedRows, ScanTask
from ramify.scale.growth import Growth
from ramify.scale.scans import Scans
from ramify.scale.sources import RowSource
from ramify.scale.splitting import Wish

#: The part of a free disk that the rows of nodes may take.
_DISK_SHARE = 0.8


def grow_together(growths: list[Growth], source: RowSource, scans: Scans) -> None:
    """Grow trees with the same scans, and then, one after the other, what came home."""
    common = growths[0].common
    steps = [growth.steps() for growth in growths]
    wishes = [next(one, None) for one in steps]
    while open_ := [t for t, wish in enumerate(wishes) if wish is not None]:
        wanted = [wish for wish in wishes if wish is not None]
        task = ScanTask(
            common.reader,
            common.columns,
            [growths[t].scan(wish) for t, wish in zip(open_, wanted, strict=True)],
            summed=source.stamps is None,
        )

        def keep(rows: PickedRows, open_: list[int] = open_, wanted: list[Wish] = wanted) -> None:
            growths[open_[rows.tree]].store.add(wanted[rows.tree][1][rows.slot], rows)

        what = "counts" if any(wish[0] == "counts" for wish in wanted) else "values"
        found = scans.run(source, what, task, keep)
        for t, counts in zip(open_, found, strict=True):
            try:
                wishes[t] = steps[t].send(counts)
            except StopIteration:
                wishes[t] = None
        del found
    for growth in growths:
        growth.grow_home()


def waves(n_trees: int, most: int, folder: Path, bytes_of_tree: int) -> Iterator[range]:
    """Divide trees among waves of at most so many, whose rows fit on the disk.

    A wave is told only when it begins, for the disk is free again when a wave is over.
    """
    begun = 0
    while begun < n_trees:
        free = shutil.disk_usage(folder).free
        fitting = max(1, int(_DISK_SHARE * free) // max(1, bytes_of_tree))
        # The rest is dealt evenly, as a wave takes the same scans for fewer trees.
        rest = n_trees - begun
        rounds = -(-rest // min(most, fitting))
        size = -(-rest // rounds)
        yield range(begun, begun + size)
        begun += size


def bytes_spilled(common: Common) -> int:
    """Give the bytes of all rows of a tree, if all come home."""
    columns = sum(8 if column.kind == "numeric" else 4 for column in common.reader.schema.columns)
    return common.learned.profile.n_rows * (columns + 24)
