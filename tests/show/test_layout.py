"""The layout: nothing overlaps, order is kept, parents stand in the middle, it is symmetric."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ramify.show.layout import GAP, layout, tidy

SIZES = st.integers(1, 60)


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[list[int]], list[float], list[float]]:
    """Any tree of up to 60 nodes, as children per node, with widths and heights."""
    n = draw(st.integers(1, 60))
    children: list[list[int]] = [[] for _ in range(n)]
    for node in range(1, n):
        children[draw(st.integers(max(0, node - 8), node - 1))].append(node)
    sizes = st.lists(SIZES.map(float), min_size=n, max_size=n)
    return children, draw(sizes), draw(sizes)


def depths(children: list[list[int]]) -> list[int]:
    depth = [0] * len(children)
    for node, below in enumerate(children):
        for child in below:
            depth[child] = depth[node] + 1
    return depth


@settings(max_examples=150, deadline=None)
@given(trees(), st.booleans())
def test_no_two_nodes_overlap_and_all_are_inside(tree, sideways) -> None:
    children, widths, heights = tree
    made = layout(children, widths, heights, sideways=sideways)
    boxes = list(zip(made.x, made.y, widths, heights, strict=True))
    for i, (x, y, w, h) in enumerate(boxes):
        assert x >= -1e-6 and x + w <= made.width + 1e-6
        assert y >= -1e-6 and y + h <= made.height + 1e-6
        for x2, y2, w2, h2 in boxes[:i]:
            apart = x + w <= x2 + 1e-6 or x2 + w2 <= x + 1e-6
            assert apart or y + h <= y2 + 1e-6 or y2 + h2 <= y + 1e-6


@settings(max_examples=150, deadline=None)
@given(trees())
def test_rows_keep_their_order_and_distance_and_parents_stand_in_the_middle(tree) -> None:
    children, widths, _ = tree
    centre = tidy(children, widths)
    depth = depths(children)
    rows: dict[int, list[int]] = {}
    stack = [0]
    while stack:  # depth first, so that every row is filled from left to right
        node = stack.pop()
        rows.setdefault(depth[node], []).append(node)
        stack += reversed(children[node])
        if children[node]:
            first, last = children[node][0], children[node][-1]
            assert centre[node] == pytest.approx((centre[first] + centre[last]) / 2, abs=1e-6)
    for row in rows.values():
        for one, other in itertools.pairwise(row):
            needed = (widths[one] + widths[other]) / 2 + GAP
            assert centre[other] - centre[one] >= needed - 1e-6


@settings(max_examples=100, deadline=None)
@given(trees())
def test_a_mirrored_tree_is_drawn_mirrored(tree) -> None:
    children, widths, _ = tree
    mirrored = tidy([list(reversed(below)) for below in children], widths)
    assert mirrored == pytest.approx([-x for x in tidy(children, widths)], abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(trees())
def test_two_children_stand_as_close_as_can_be(tree) -> None:
    children, widths, _ = tree
    centre, depth = tidy(children, widths), depths(children)
    parent = {child: node for node, below in enumerate(children) for child in below}

    def under(node: int, top: int) -> bool:
        while node != top and node in parent:
            node = parent[node]
        return node == top

    for below in children:
        if len(below) != 2:
            continue
        gaps = [
            centre[b] - centre[a] - (widths[a] + widths[b]) / 2
            for a in range(len(children))
            for b in range(len(children))
            if depth[a] == depth[b] and under(a, below[0]) and under(b, below[1])
        ]
        assert min(gaps) == pytest.approx(GAP, abs=1e-6)


def test_a_small_tree_by_hand() -> None:
    # Root over a leaf of width 30 and a node with two leaves of width 10: the leaves of the lower
    # row have room below the wide one.
    children = [[1, 2], [], [3, 4], [], []]
    assert tidy(children, [10, 30, 10, 10, 10], gap=2) == [0, -11, 11, 5, 17]


def test_inner_siblings_stand_in_the_middle_of_their_room() -> None:
    # Three children; the outer two are pushed apart by what is below them.
    children = [[1, 2, 3], [4, 5], [], [6, 7], [], [], [], []]
    centre = tidy(children, [10.0] * 8, gap=10)
    assert centre[2] == pytest.approx(0)


def test_deep_and_wide_trees_are_no_problem() -> None:
    n = 40_001
    comb = [[i + 1, i + 2] if i % 2 == 0 and i + 2 < n else [] for i in range(n)]
    centre = tidy(comb, [1.0] * n)
    assert all(centre[i + 1] < centre[i] < centre[i + 2] for i in range(0, n - 2, 2))
    star = tidy([list(range(1, 3000)), *([[]] * 2999)], [1.0] * 3000, gap=1)
    assert star[1:] == pytest.approx([2.0 * i - 2998 for i in range(2999)])
