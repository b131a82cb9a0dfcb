"""Pictures of the experiments; without matplotlib there are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def plotting(backend: str = "agg") -> Any:
    """Give pyplot, or None without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        return None
    matplotlib.use(backend)
    matplotlib.rcParams["svg.hashsalt"] = "ramify"  # the same picture is the same file
    from matplotlib import pyplot

    return pyplot


def draw(path: Path, size: tuple[float, float], shape: tuple[int, int] = (1, 1), **how: Any) -> Any:
    """Give a figure to save to `path` and its axes; None without matplotlib."""
    pyplot = plotting()
    if pyplot is None:
        return None
    path.parent.mkdir(exist_ok=True)
    return pyplot.subplots(*shape, figsize=size, squeeze=False, layout="constrained", **how)
