"""The experiment on ties: both rules are compared on the same trees."""

from __future__ import annotations

from ties import CLASSES, NUMBERS, learners, report


def test_every_tree_is_grown_by_both_rules():
    for kind, trees in (("classes", CLASSES), ("numbers", NUMBERS)):
        made = learners(kind)
        assert len(made) == 2 * len(trees)
        assert {model.ties for model in made.values()} == {"first", "balanced"}
        for model in made.values():
            model.check_parameters()


def test_report():
    lines = []
    for kind, trees, better in (("classes", CLASSES, "81.00"), ("numbers", NUMBERS, "39.00")):
        for tree in trees:
            lines.append([kind, "made up", tree, "first", "80.00", "20.0"])
            lines.append([kind, "made up", tree, "balanced", better, "10.0"])
    text = report(lines)
    assert "| GG, any | balanced | 81.00 | 10.0 | 1 of 1 | 1 of 1 |" in text
    assert "| absolute error | first | 80.00 | 20.0 | 0 of 1 | 0 of 1 |" in text
    assert "| made up | 80.00 | 81.00 | 20.0 | 10.0 |" in text
