"""The comparison with J48: its printed trees are read, and their sizes counted as Weka does."""

from __future__ import annotations

import j48_agreement as experiment
import numpy as np
import pytest

from ramify import presets
from ramify.datasets import Dataset, load_weather

PRINTED = """
x0 = v0: c1 (4.31)
x0 = v1
|   x3 = v0: c1 (2.31)
|   x3 = v1: c0 (2.0)
x0 = v2
|   x2 <= 75: c1 (2.0)
|   x2 > 75: c0 (3.38/0.38)

Number of Leaves  : \t5

Size of the tree : \t8
"""


def test_trees_that_j48_prints_are_read() -> None:
    loaded = load_weather()
    weather = Dataset({name: column.copy() for name, column in loaded.data.items()}, loaded.y)
    weather.data["outlook"][3] = None
    assert experiment.printed_size(PRINTED) == (5, 8)
    ours = presets.c45(pruning=None).fit(weather.data, weather.y).tree_
    read = experiment.make_tree(experiment.read_branches(PRINTED), weather, ours)
    for name in ("kind", "attribute", "n_children", "rows", "level_code", "level_branch"):
        assert np.array_equal(read.data[name], ours.data[name]), name
    for name in ("proportion", "weight", "value"):
        np.testing.assert_allclose(read.data[name], ours.data[name])
    assert 75.0 in read.data["threshold"]  # a value of the data, where ours is a midpoint
    given = experiment.OfGiven(grown=read.core)
    again = presets.c45(pruning=given).fit(weather.data, weather.y).tree_
    assert experiment.size_in_weka(again) == (5, 8)
    wrong = experiment.read_branches(PRINTED.replace("(2.31)", "(3.0)"))
    with pytest.raises(ValueError, match=r"2\.31 rows are here"):
        experiment.make_tree(wrong, weather, ours)


def test_levels_without_rows_are_leaves_in_weka() -> None:
    data = {"a": np.array(list("ppqqqq"), object), "b": np.array(list("uwuuvv"), object)}
    table = Dataset(data, np.array(list("nnnnyy"), object))
    printed = "x0 = v0: c0 (2.0)\nx0 = v1\n|   x1 = v0: c0 (2.0)\n|   x1 = v1: c1 (2.0)\n"
    printed += "|   x1 = v2: c0 (0.0)\n"
    like = presets.c45().fit(table.data, table.y).tree_
    tree = experiment.make_tree(experiment.read_branches(printed), table, like)
    assert (tree.n_leaves, tree.n_nodes) == (3, 5)
    assert experiment.size_in_weka(tree) == (4, 6)
