"""What a report says in numbers: scores on other rows, effects of columns, and the data."""

from __future__ import annotations

from typing import Any

import numpy as np

from ramify.learning.held_out import HeldOut
from ramify.show.report.columns import derived_columns, target_json
from ramify.show.report.effects import effects_json
from ramify.show.report.held_out import (
    also_json,
    errors_by_size,
    held_out_json,
    same_rows,
    training_json,
    validated_json,
)
from ramify.show.report.rows import ReportRows
from ramify.show.report.sizes import Sizes
from ramify.support.page.json_numbers import rounded
from ramify.tables import Profile
from ramify.tables import profile as make_profile
from ramify.tree import Tree


def figures_json(
    estimator: Any,
    sizes: Sizes,
    train: ReportRows | None,
    test: ReportRows | None,
    *,
    held_out: HeldOut | None,
    profile: Profile | None,
    max_rows: int,
    shown: list[int],
) -> dict[str, Any]:
    """The numbers of a report.

    Test rows lead. Without them, predictions that were made before do. The rows that are given
    decide what there is: nothing here needs any. `max_rows` limits the points of single rows,
    and `shown` are the columns that the page shows.
    """
    rows, of = (train, "training") if train is not None else (test, "test")
    found: dict[str, Any] = {
        "test": None,
        "held": None,
        "also": None,
        "training": None if train is None else training_json(estimator, train),
        "effects": None,
        "target_data": None if rows is None else target_json(estimator.tree_, rows),
        "derived": derived_columns(estimator.tree_.schema),
        **_profile_json(estimator.tree_, train, profile, shown),
    }
    if rows is not None:
        importances = np.asarray(estimator.attribute_importances())
        found["effects"] = effects_json(estimator, rows, of=of, importances=importances)
    if test is not None:
        loss = estimator.number_loss
        found["test"] = errors_by_size(sizes, test, loss=loss, n_jobs=estimator.n_jobs)
        same = same_rows(held_out, test)
        found["held"] = held_out_json(estimator, sizes, test, held_out if same else None)
        if held_out is not None and not same:
            found["also"] = also_json(held_out)
    elif held_out is not None:
        found["held"] = validated_json(sizes, held_out)
    if found["held"] is not None:
        for step in found["held"]["steps"].values():
            if "points" in step:
                step["points"] = step["points"][:max_rows] or None
    return found


def _profile_json(
    tree: Tree, train: ReportRows | None, given: Profile | None, shown: list[int]
) -> dict[str, Any]:
    """What was found out about the columns, and how much those shown say of the target alone.

    Without a profile of the user's table, one is made of the training rows. Then nothing was done
    about its findings.
    """
    found = given
    if found is None and train is not None:
        labels = train.target if tree.classes is None else tree.classes[train.target]
        task: Any = tree.task
        found = make_profile(train.table, labels, task=task, target=tree.target)
    if found is None:
        return {"findings": [], "left_out": [], "associations": None}
    shares = {one.name: one.association for one in found.columns}
    associations = [shares.get(tree.schema.columns[j].name) for j in shown]
    return {
        "findings": [
            {
                "text": one.text,
                "remedy": one.remedy if given is not None else "",
                "advice": "" if given is not None else one.in_python,
                "loud": one.loud,
            }
            for one in found.findings
        ],
        "left_out": list(found.left_out) if given is not None else [],
        "associations": [None if one is None else rounded(one) for one in associations],
    }
