"""The command prune."""

from __future__ import annotations

from pathlib import Path

from helpers.command_line import one_line, strict_json

import ramify


def test_a_pruned_model_can_be_pruned_on(run, weather: Path, tmp_path: Path) -> None:
    path = tmp_path / "pruned.json"
    code, _, err = run(
        *("fit", weather, "--target", "play", "--model", path),
        *("--pruning", "cost_complexity", "--folds", "0"),
    )
    assert (code, err) == (0, "")
    model = ramify.load(path)
    assert model.prune(alpha=0).tree_.target == model.tree_.target == "play"
    code, _, err = run("fit", weather, "--target", "play", "--pruning", "cart", "--folds", "0")
    assert code != 0
    assert one_line(err)
    assert "cost_complexity" in err


def test_prune_lists_the_sizes_and_cuts(run, titanic_model: Path, tmp_path: Path) -> None:
    code, printed, _ = run("prune", titanic_model, "--json")
    assert code == 0
    path = strict_json(printed)
    assert path["leaves"] == ramify.load(titanic_model).pruning_path_["leaves"].tolist()
    assert path["error"] == [None] * len(path["leaves"])  # nothing was cross-validated
    assert path["selected"] is None
    small = tmp_path / "small.json"
    code, printed, _ = run("prune", titanic_model, "--leaves", 3, "--model", small)
    assert code == 0
    assert "leaves before" in printed
    assert (
        ramify.load(small).tree_.n_leaves
        == ramify.load(titanic_model).prune(n_leaves=3).tree_.n_leaves
    )
    assert run("prune", titanic_model)[1].count("\n") == len(path["leaves"]) + 1
    code, _, err = run("prune", titanic_model, "--model", small)
    assert (code, "--leaves" in err) == (2, True)
    assert run("prune", titanic_model, "--leaves", 3, "--alpha", 0.1)[0] == 2


def test_prune_tells_which_size_was_chosen(run, titanic: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    given = ("--target", "survived", "--model", path, "--folds", 0)
    assert run("fit", titanic, *given, "--pruning", "cost_complexity")[0] == 0
    code, printed, _ = run("prune", path, "--json")
    assert code == 0
    found, kept = strict_json(printed), ramify.load(path)
    assert found["leaves"][found["selected"]] == kept.tree_.n_leaves
    assert found["error"] == kept.pruning_path_.error.tolist()
