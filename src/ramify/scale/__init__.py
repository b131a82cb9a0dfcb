"""Past memory: the same tree from Parquet files, datasets, lazy frames and relations.

A tree is grown from counts, and counts add up, whoever counted them. So a tree can be grown from
data that do not fit in memory, and it is the tree that a fit in memory would grow.

- A *source* (`sources.py`) is rows that can be read again and again, in partitions.
- An *executor* (`executors.py`) calls a task on every partition and adds up the results.
- The *kernel* (`counting.py`, core/stream) is the task: it routes the rows of a partition through
  the tree so far and gives, for all open nodes at once, (a) the counts of every column by level or
  between edges, (b) the values inside given cells, (c) the rows of given nodes. Counts are whole
  numbers; sums of weights and targets are in fixed point. So the order of rows does not matter.
- *Exact thresholds* take two scans for all nodes of a level (`growth.py`, `splitting.py`,
  core/stream). The first scan (`profiling.py`) takes a sample that proposes edges (`edges.py`). A
  scan counts on edges and between them. The gain of a concave impurity is convex in the sums of
  the left side, so the corners of a cell bound all its cuts; a second scan reads the values of the
  cells that may still win.
- *The same searches*: the core evaluates a counted node by the code that evaluates a node in
  memory, on samples that weigh what was counted.
- *Small nodes come home* (`spill.py`): as soon as the rows of a node fit in memory they are
  collected, and the ordinary growth makes the subtree, at its place in the tree.

Imports the estimators and what lies below. Needs pyarrow. Used by the command line.
"""

from __future__ import annotations

try:
    import pyarrow as _  # noqa: F401
except ImportError as error:  # pragma: no cover
    raise ImportError("ramify.scale needs pyarrow: pip install 'ramify[scale]'") from error

from ramify.scale.fitting import fit
from ramify.scale.predicting import predict
from ramify.scale.sources import RowSource, SourceError

__all__ = ["RowSource", "SourceError", "fit", "predict"]
