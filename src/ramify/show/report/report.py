"""The report of a fitted tree: all that its page shows, collected."""

from __future__ import annotations

from typing import Any

from ramify.learning.held_out import HeldOut
from ramify.learning.measures.positive import positive_class
from ramify.learning.number_loss import NumberLoss
from ramify.show.cards import Cards
from ramify.show.report.columns import (
    example_rows,
    level_counts,
    shown_columns,
    summarise,
    unseen_counts,
)
from ramify.show.report.distributions import distributions_json
from ramify.show.report.facts import facts_of
from ramify.show.report.figures import figures_json
from ramify.show.report.held_out import class_places
from ramify.show.report.html import page
from ramify.show.report.levels import class_labels, columns_json, listed_levels
from ramify.show.report.nodes import nodes_json
from ramify.show.report.rows import ReportRows
from ramify.show.report.saved_rows import saved_rows
from ramify.show.report.sizes import Sizes, sizes_of
from ramify.show.svg import tree_to_svg
from ramify.tables import Profile
from ramify.tables.levels import RARE
from ramify.tree.colours import OTHER, class_colours
from ramify.tree.row_counts import RowCounts


def make_report(
    estimator: Any,
    train: ReportRows | None,
    test: ReportRows | None,
    *,
    title: str | None,
    max_rows: int = 1000,
    held_out: HeldOut | None = None,
    profile: Profile | None = None,
) -> str:
    """Give the report of a fitted estimator as HTML; the parameters are those of `report_data`."""
    data = report_data(
        estimator,
        train,
        test,
        title=title,
        max_rows=max_rows,
        held_out=held_out,
        profile=profile,
    )
    return page(data["title"], data, tree_to_svg(estimator.tree_, max_nodes=30))


def report_data(
    estimator: Any,
    train: ReportRows | None,
    test: ReportRows | None,
    *,
    title: str | None,
    max_rows: int = 1000,
    held_out: HeldOut | None = None,
    profile: Profile | None = None,
) -> dict[str, Any]:
    """Give all that the page shows of a fitted estimator, as JSON can hold it.

    Parameters
    ----------
    estimator : estimator of one tree
        A fitted one.
    train, test : ReportRows or None
        The rows it was fitted on, and others to judge it by.
    title : str or None
        Heading; None makes one.
    max_rows : int
        How many single rows the file may hold; 0 leaves them out.
    held_out : HeldOut or None
        Predictions of rows that were held out when the tree was scored.
    profile : Profile or None
        What was found out about the columns.
    """
    tree = estimator.tree_
    if tree.abstains:
        raise ValueError(
            "this tree abstains where costs say so, which the report cannot show; to_text(), "
            "rules(), plot() and to_svg() can"
        )
    sizes = sizes_of(estimator)
    summarised, examples = train or test, test or train
    table = None if summarised is None else summarised.table
    listed = listed_levels(tree, level_counts(tree.schema, table))
    title = title or f"Decision tree for {tree.target}"
    shown = shown_columns(sizes.base)
    data: dict[str, Any] = {
        "title": title,
        "task": tree.task,
        "target": tree.target,
        "classes": class_labels(tree),
        "colours": class_colours(tree),
        "positive": 0 if tree.classes is None else positive_class(tree.classes),
        "places": [] if tree.classes is None else class_places(sizes.base).tolist(),
        "other_colour": OTHER,
        "unseen": tree.unseen,
        "costs": None if tree.costs is None else tree.costs.tolist(),
        "columns": columns_json(tree, listed),
        "n_columns": len(tree.schema.input_names),  # those of the user, without parts of dates
        "nodes": nodes_json(sizes, listed),
        "weighted": RowCounts(sizes.base).weighted,
        "distributions": None
        if summarised is None
        else distributions_json(sizes, listed, summarised),
        "rows": None if summarised is None else saved_rows(summarised, shown, max_rows),
        "range": Cards(sizes.base).span,
        "path": _path(sizes, estimator.number_loss),
        "importances": _importances(estimator),
        "shown": shown,
        "data": None if table is None else summarise(table, shown),
        "data_rows": 0 if table is None else table.n_rows,
        "data_of": "training" if train else "test" if test else "",
        "unseen_in_test": None if test is None else unseen_counts(test.table, shown),
        "rare": RARE,
        "examples": None,
        "examples_of": "test" if test else "training",
        **facts_of(estimator),
    }
    if examples is not None and max_rows > 0:
        data |= example_rows(examples.table, examples.target, shown)
    data |= figures_json(
        estimator,
        sizes,
        train,
        test,
        held_out=held_out,
        profile=profile,
        max_rows=max_rows,
        shown=shown,
    )
    return data


def _path(sizes: Sizes, loss: NumberLoss) -> dict[str, Any]:
    return {
        "key_name": sizes.path.key_name,
        "leaves": sizes.leaves,
        "place": sizes.places,
        "key": sizes.column("key"),
        "training": sizes.column("training_error"),
        "error": sizes.column("error"),
        "se": sizes.column("standard_error"),
        "fitted": sizes.fitted,
        "measure": _measure(sizes, loss),
    }


def _measure(sizes: Sizes, loss: NumberLoss) -> str:
    """What the errors are."""
    if sizes.base.task == "classification":
        return "share of rows that are wrong" if sizes.base.costs is None else "mean cost"
    return loss.mean_name


def _importances(estimator: Any) -> dict[str, Any]:
    unbiased = getattr(estimator, "unbiased_importances_", None)
    if estimator.schema_.inputs is not None:
        unbiased = None  # they are known by column of the user, not by part of a date
    return {
        "gain": [round(float(x), 5) for x in estimator.attribute_importances()],
        "unbiased": None if unbiased is None else [round(float(x), 5) for x in unbiased],
    }
