"""Drawings: well-formed, escaped, complete where small and counted where large."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest
import sklearn
from helpers.handmade import N, tree_of
from sklearn.pipeline import make_pipeline

from ramify import OptimalTreeClassifier, TreeClassifier, TreeRegressor
from ramify.datasets import load_titanic, load_weather
from ramify.show import plot_tree
from ramify.show.cards import Cards, shorten, text_width
from ramify.show.numbers import condition_words
from ramify.show.visible import choose_visible

SVG = "{http://www.w3.org/2000/svg}"
EVIL = "<script>alert('x')</script>"


def titles(svg: str) -> list[str]:
    return [one.text or "" for one in ET.fromstring(svg).iter(f"{SVG}title")]


def words(svg: str) -> str:
    return " ".join("".join(one.itertext()) for one in ET.fromstring(svg).iter(f"{SVG}text"))


@pytest.fixture(scope="module")
def weather() -> TreeClassifier:
    data = load_weather()
    return TreeClassifier().fit(data.data, data.y)


@pytest.fixture(scope="module")
def large() -> TreeClassifier:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=4000), "b": rng.choice(list("abcdefgh"), 4000)})
    return TreeClassifier().fit(X, rng.integers(0, 2, 4000))


def test_every_node_of_a_small_tree_is_there(weather: TreeClassifier) -> None:
    svg = weather.tree_.to_svg()
    tree = weather.tree_
    assert len(titles(svg)) == tree.n_nodes
    for node in tree.nodes:
        if node.condition is not None:
            for branch in range(node.condition.n_branches):
                text = node.condition.describe(branch).replace("<=", "≤")
                assert text in words(svg)
                assert any(title.startswith(text + "\n") for title in titles(svg))
    assert "14 rows" in words(svg) and "yes 64 %" in words(svg)
    root = ET.fromstring(svg)
    assert root.get("role") == "img" and "Decision tree" in root.get("aria-label", "")


def test_bars_show_the_shares_of_the_classes() -> None:
    tree = tree_of(N(column=0, threshold=3.0, children=[N([1, 3]), N([4, 0])]))
    cards = Cards(tree)
    shown = [cards.card(place, -1 if i == 0 else 0) for i, place in enumerate(_all(tree))]
    assert [card.shares for card in shown] == [(0.625, 0.375), (0.25, 0.75), (1.0, 0.0)]
    assert [card.label for card in shown] == [0, 1, 0]
    assert [card.head for card in shown] == ["no 62 %", "yes 75 %", "no 100 %"]


def _all(tree: Any) -> Any:
    return choose_visible(tree, None, None)


def test_regression_shows_mean_and_spread() -> None:
    X = [[1.0], [2.0], [3.0], [4.0]]
    tree = TreeRegressor(max_depth=1).fit(X, [1.0, 3.0, 10.0, 14.0]).tree_
    assert "2 ± 1" in words(tree.to_svg()) and "12 ± 2" in words(tree.to_svg())
    cards = Cards(tree)
    low, mean, high = cards.card(_all(tree)[1], 0).shares
    assert (low, mean, high) == pytest.approx((0, 1 / 13, 2 / 13))


def test_weight_is_said_only_where_it_differs() -> None:
    X, y = [[1.0], [2.0]], ["a", "b"]
    assert "weight" not in words(TreeClassifier().fit(X, y).tree_.to_svg())
    assert "weight 2.5" in words(TreeClassifier().fit(X, y, [2.5, 1]).tree_.to_svg())


def test_branches_are_as_wide_as_their_rows(weather: TreeClassifier) -> None:
    root = ET.fromstring(weather.tree_.to_svg())
    widths = [float(p.get("stroke-width", 0)) for p in root.iter(f"{SVG}path") if "C" in p.get("d")]
    rows = weather.tree_.data["rows"]
    assert widths == pytest.approx(np.maximum(1.0, 14 * rows[1:] / rows[0]), abs=0.01)


# --- names that are no harmless words -----------------------------------------------------------


def test_everything_is_escaped() -> None:
    X = pd.DataFrame({EVIL: ["</svg>", "a & b", "\x00\x1b", "]]>"] * 3})
    y = pd.Series([EVIL, "<b>", '"', "ok"] * 3, name="</title>")
    for shown in (
        TreeClassifier(categorical_split="multiway").fit(X, y).tree_.to_svg(),
        TreeClassifier().fit(X, y).tree_.to_svg(),
    ):
        assert "<script>" not in shown and "<b>" not in shown
        assert "script>" in words(shown)
        assert "</title>" in ET.fromstring(shown).get("aria-label", "")
    page = TreeClassifier().fit(X, y).tree_._repr_html_()
    assert "<script>" not in page and page.count("</svg>") == 1


def test_long_sets_are_short_on_the_card_and_whole_on_hover() -> None:
    levels = [f"category number {i}" for i in range(40)]
    tree = (
        TreeClassifier(max_depth=1).fit([[one] for one in levels], [i % 2 for i in range(40)]).tree_
    )
    svg = tree.to_svg()
    assert re.search(r"in \{category number 0, \+19\}", words(svg))
    [title] = [one for one in titles(svg) if one.startswith("x0 in {category number 0,")]
    assert "+" not in title and all(one in title for one in levels[::2])


def test_20000_levels_do_not_fill_the_file() -> None:
    X = [[f"level {i}"] for i in range(20_000)]
    svg = TreeClassifier(max_depth=1).fit(X, [i % 2 for i in range(20_000)]).tree_.to_svg()
    assert len(svg) < 10_000
    assert "+9800" in svg


def test_long_words_are_shortened() -> None:
    text = "x" * 300
    assert text_width(shorten(text)) <= 210 and "…" in shorten(text)
    assert shorten("short") == "short"


def test_numbers_have_thousands_separators() -> None:
    X = [[1.0], [2.0], [3.0], [4.0]]
    svg = TreeRegressor(max_depth=1).fit(X, [1e5, 1.4e5, 2e6, 2.3e6]).tree_.to_svg()
    assert "120,000 ± 20,000" in words(svg)
    assert any("mean 2.15 M, standard deviation 150,000" in title for title in titles(svg))
    heavy = TreeClassifier().fit([["a"], ["b"]], ["no", "yes"], [12345.6, 1.0]).tree_.to_svg()
    assert "weight 12,346" in words(heavy)
    assert any("no: 12,346" in title for title in titles(heavy))


def test_rows_add_up_where_missing_values_divide_them() -> None:
    X = pd.DataFrame({"x": [1.0, 2, 3, 4, 5, 6, 7, None] * 5})
    y = (X["x"].fillna(9) > 3).map({True: "b", False: "a"})
    tree = TreeClassifier(max_depth=1).fit(X, y).tree_
    assert tree.data["rows"][1:].sum() > 40  # every divided row twice
    shown = [float(x) for x in re.findall(r"([\d.]+) rows", words(tree.to_svg()))]
    assert shown[0] == 40 and sum(shown[1:]) == pytest.approx(40, abs=0.11)
    assert "weight" not in words(tree.to_svg())


def test_tooltips_have_names_in_full() -> None:
    long = "United Kingdom of Great Britain and Northern Ireland"
    X = pd.DataFrame({"country": [long, "France", "Spain", "Portugal"] * 5})
    svg = TreeClassifier().fit(X, ["a rather long name of some class", "b", "b", "b"] * 5).tree_
    shown = titles(svg.to_svg())
    assert f"country = {long}" in " ".join(shown) and long not in words(svg.to_svg())
    assert any("a rather long name of some class: 5" in title for title in shown)
    ordered = X["country"].astype(pd.CategoricalDtype([long, "France", "Spain", "Portugal"], True))
    svg = TreeClassifier().fit(ordered.to_frame(), ["a", "b", "b", "b"] * 5).tree_.to_svg()
    assert f"country ≤ {long}" in " ".join(titles(svg))


# --- large trees --------------------------------------------------------------------------------


@pytest.mark.parametrize(("max_depth", "max_nodes"), [(None, 40), (3, None), (2, 5), (0, None)])
def test_large_trees_collapse_and_count(
    large: TreeClassifier, max_depth: int | None, max_nodes: int | None
) -> None:
    tree = large.tree_
    places = choose_visible(tree, max_depth, max_nodes)
    assert len(places) <= (max_nodes or 10**9)
    depth = max(int(tree.data["depth"][place.node]) for place in places)
    assert depth <= (10**9 if max_depth is None else max_depth)
    drawn = sum(not tree.data["n_children"][place.node] for place in places)
    assert drawn + sum(place.hidden for place in places) == tree.n_leaves
    svg = tree.to_svg(max_depth=max_depth, max_nodes=max_nodes)
    assert len(titles(svg)) == len(places)
    assert re.search(r"\+[\d,]+ leaves", words(svg))


def test_the_heaviest_nodes_are_drawn(large: TreeClassifier) -> None:
    tree = large.tree_
    places = choose_visible(tree, None, 41)
    drawn = {place.node for place in places}
    opened = [tree.data["weight"][place.node] for place in places if place.children]
    closed = [tree.data["weight"][place.node] for place in places if place.hidden]
    assert len(drawn) == 41 and min(opened) >= max(closed)


def test_many_branches_are_gathered() -> None:
    X = [[f"v{i % 300:03}"] for i in range(1200)]
    clf = TreeClassifier(categorical_split="multiway").fit(X, [i % 300 % 7 for i in range(1200)])
    assert clf.tree_.n_leaves == 300
    svg = clf.tree_.to_svg()
    assert len(titles(svg)) == 13
    assert "+289 branches" in words(svg) and "+289 leaves" in words(svg)
    assert len(titles(clf.tree_.to_svg(max_nodes=None))) == 301


def test_20_classes_keep_the_frequent_ones_apart() -> None:
    X = [[float(i)] for i in range(400)]
    y = [min(i // 10, 19) for i in range(400)]
    svg = TreeClassifier().fit(X, y).tree_.to_svg()
    assert svg.count("#9A9A9A") > 0 and svg.count("#0072B2") > 0


def test_wrong_parameters_are_named(weather: TreeClassifier) -> None:
    for parameters, message in (
        ({"max_depth": -1}, "max_depth=-1 must be None or an integer"),
        ({"max_nodes": 0}, "max_nodes=0 must be None or an integer"),
        ({"direction": "up"}, "direction='up'.*auto"),
        ({"precision": 0}, "precision=0 must be"),
    ):
        with pytest.raises(ValueError, match=message):
            weather.tree_.to_svg(**parameters)


# --- notebooks ----------------------------------------------------------------------------------


def test_a_tree_shows_itself_in_notebooks(weather: TreeClassifier) -> None:
    ET.fromstring(weather.tree_._repr_svg_())
    page = weather.tree_._repr_html_()
    assert "<svg" in page and "classification of" in page


def test_a_large_tree_fits_a_cell(large: TreeClassifier) -> None:
    page = large.tree_._repr_html_()
    assert "overflow" not in page  # nothing has to be scrolled to find the root
    drawing = ET.fromstring(page[page.index("<svg") : page.index("</svg>") + 6])
    assert drawing.get("style") == "max-width:100%;height:auto"
    width, height = float(drawing.get("width", 0)), float(drawing.get("height", 0))
    assert width <= 1040 and height <= 850
    assert 10.5 * width / float(drawing.get("viewBox", "").split()[2]) >= 8  # smallest text
    assert len(list(drawing.iter(f"{SVG}title"))) > 10 and "leaves" in page


def test_an_estimator_shows_its_tree_once_it_is_fitted() -> None:
    data = load_titanic()
    for clf in (TreeClassifier(max_depth=2), OptimalTreeClassifier(max_depth=2)):
        assert "<figure" not in clf._repr_html_()
        assert "<figure" not in clf._repr_mimebundle_()["text/html"]
        clf.fit(data.data, data.y)
        for page in (clf._repr_html_(), clf._repr_mimebundle_()["text/html"]):
            assert "sex" in page and page.count("<figure") == 1
            assert "max_depth" in page  # scikit-learn's box
        with sklearn.config_context(display="text"):
            assert not hasattr(clf, "_repr_html_")
            assert "text/html" not in clf._repr_mimebundle_()
    assert "<figure" not in make_pipeline(clf)._repr_html_()


# --- matplotlib ---------------------------------------------------------------------------------


@pytest.fixture
def plt() -> Any:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    yield plt
    plt.close("all")


def test_plot_fits_the_axes_and_texts_fit_their_cards(plt: Any) -> None:
    rng = np.random.default_rng(1)
    names = [f"a rather long name of a category {i}" for i in range(30)]
    X = pd.DataFrame({f"column number {j}": rng.choice(names, 3000) for j in range(5)})
    y = sum(X[name].str.len() + X[name].str[-1].map(ord) for name in X) % 17 > 8
    clf = TreeClassifier(max_depth=5, min_samples_leaf=20).fit(X, y)
    assert clf.tree_.depth == 5
    figure, ax = plt.subplots(figsize=(14, 10))
    assert plot_tree(clf, ax=ax) is ax
    figure.canvas.draw()
    page = ax.get_window_extent()
    boxes = [text.get_window_extent() for text in ax.texts]
    for box in boxes:
        assert page.x0 - 1 <= box.x0 and box.x1 <= page.x1 + 1
        assert page.y0 - 1 <= box.y0 and box.y1 <= page.y1 + 1
    pixel = [box.padded(-1) for box in boxes]
    assert not any(one.overlaps(two) for i, one in enumerate(pixel) for two in pixel[:i])
    assert min(text.get_fontsize() for text in ax.texts) >= 5


@pytest.fixture(scope="module")
def prices() -> TreeRegressor:
    """A tree of depth 5 with 32 leaves, of long names and large numbers."""
    rng = np.random.default_rng(3)
    names = [f"Neighbourhood_Number_{i:02}" for i in range(25)]
    X = pd.DataFrame({f"Total_Area_{j}": rng.uniform(0, 3000, 3000).round() for j in range(4)})
    X["Neighbourhood"] = rng.choice(names, 3000)
    y = 40 * X.iloc[:, :4].sum(axis=1) + 9000 * X["Neighbourhood"].str[-2:].astype(int)
    y += rng.normal(0, 5000, 3000)
    made = TreeRegressor(max_depth=5, min_samples_leaf=5).fit(X, y)
    assert made.tree_.n_leaves == 32
    return made


def test_32_leaves_can_be_read_on_a_page_and_fill_it(plt: Any, prices: TreeRegressor) -> None:
    figure, ax = plt.subplots(figsize=(16, 10))
    plot_tree(prices, ax=ax)
    figure.canvas.draw()
    sizes = [text.get_fontsize() for text in ax.texts]
    assert max(sizes) >= 6.5 and min(sizes) >= 5
    assert sum("rows" in text.get_text() for text in ax.texts) == 63  # all nodes are there
    page, boxes = ax.get_window_extent(), [text.get_window_extent() for text in ax.texts]
    for side, low, high in (("width", "x0", "x1"), ("height", "y0", "y1")):
        used = max(getattr(b, high) for b in boxes) - min(getattr(b, low) for b in boxes)
        assert used > 0.9 * getattr(page, side)


def test_what_has_no_room_is_counted(plt: Any, prices: TreeRegressor) -> None:
    for direction in ("auto", "down", "right"):
        _, ax = plt.subplots(figsize=(8, 5))
        plot_tree(prices, ax=ax, direction=direction)
        texts = [text.get_text() for text in ax.texts]
        assert min(text.get_fontsize() for text in ax.texts) >= 5
        hidden = sum(int(n) for n in re.findall(r"\+(\d+) leaves", " ".join(texts)))
        assert 0 < hidden <= 32 and 7 <= sum("rows" in text for text in texts) < 63
    _, ax = plt.subplots(figsize=(8, 5))
    plot_tree(prices, ax=ax, max_nodes=None)
    assert sum("rows" in text.get_text() for text in ax.texts) == 63


def test_the_children_of_the_root_are_drawn_on_any_page(plt: Any) -> None:
    X = [[f"level {i % 12}"] for i in range(240)]
    clf = TreeClassifier(categorical_split="multiway").fit(X, [i % 12 % 5 for i in range(240)])
    _, ax = plt.subplots(figsize=(3, 2))
    plot_tree(clf, ax=ax, direction="down")
    assert sum("rows" in text.get_text() for text in ax.texts) == 13


def test_a_shortened_condition_keeps_its_number(prices: TreeRegressor) -> None:
    tree = prices.tree_
    for widest in (240.0, 135.0):
        cards = Cards(tree, widest=widest)
        for place in _all(tree)[1:]:
            parent = _all(tree)[place.parent].node
            card, condition = cards.card(place, parent), tree.condition(parent)
            branch = place.node - int(tree.data["first_child"][parent])
            if hasattr(condition, "value"):
                text = condition_words(condition, branch)
                assert card.answer == text.removeprefix(condition.attribute + " ")
            else:
                assert text_width(card.name) + text_width(card.answer) < widest * 1.15


def test_plot_makes_a_figure_and_takes_trees(plt: Any, weather: TreeClassifier) -> None:
    ax = plot_tree(weather.tree_)
    assert max(text.get_fontsize() for text in ax.texts) == pytest.approx(8, rel=0.05)
    dollars = TreeClassifier().fit([["$a_1$"], ["$b^"]], ["$x", "$y$"])
    plot_tree(dollars).figure.canvas.draw()


def test_plot_refuses_what_is_no_tree(plt: Any) -> None:
    from sklearn.tree import DecisionTreeClassifier

    with pytest.raises(sklearn.exceptions.NotFittedError):
        plot_tree(TreeClassifier())
    with pytest.raises(TypeError, match="plot_tree takes a fitted tree of ramify"):
        plot_tree(DecisionTreeClassifier().fit([[1], [2]], [0, 1]))
