"""How good the tree is: its report, its scores beside others, the rows behind a number."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.learning.held_out import HeldOut, predict_held_out
from ramify.show.report import read_rows, report_data
from ramify.show.report.routing import arrived_at
from ramify.show.report.rows import ReportRows
from ramify.steps.task import Task
from ramify.studio.editing import number
from ramify.studio.jobs import Job
from ramify.studio.session import Opened, Session
from ramify.tables.rows import take_rows

_SHOWN_ROWS = 200
_HOW = "a fifth of the rows, held out"
#: Beyond so many rows, the page has no single rows of them.
_SINGLE_ROWS = 1000


def some_rows(opened: Opened, rows: NDArray[np.intp], names: tuple[str, str]) -> ReportRows | None:
    """Read some rows of the table of a tree as its report takes them."""
    if not len(rows):
        return None
    prepared = opened.prepared
    weights = None if prepared.weights is None else prepared.weights[rows]
    table = take_rows(prepared.table.data, rows)
    return read_rows(opened.editor.estimator, table, prepared.y[rows], weights, names)


def training_rows(session: Session, opened: Opened) -> ReportRows:
    """Read the rows that the tree learned from; they are kept until another tree is grown."""
    kept = session.kept.get("training")
    if kept is None or kept[0] is not opened:
        kept = (opened, some_rows(opened, opened.grown.train, ("X_train", "y_train")))
        session.kept["training"] = kept
    rows = kept[1]
    assert rows is not None
    return rows


def test_rows(session: Session, opened: Opened) -> ReportRows | None:
    """Read the rows that were held out; they are kept until another tree is grown."""
    kept = session.kept.get("test")
    if kept is None or kept[0] is not opened:
        kept = (opened, some_rows(opened, opened.grown.test, ("X_test", "y_test")))
        session.kept["test"] = kept
    rows: ReportRows | None = kept[1]
    return rows


def tree_json(session: Session) -> dict[str, Any]:
    """Give all that the page shows of the tree, as the report has it."""
    with session.lock:
        opened, version, tree_number = session.present_tree(), session.version, session.tree_number
        estimator = opened.editor.estimator
        by_hand = by_hand_json(estimator.tree_)
    train, test = training_rows(session, opened), test_rows(session, opened)
    found = report_data(
        estimator,
        train,
        test,
        title=opened.prepared.target,
        max_rows=0,
        profile=opened.prepared.profile,
    )
    return found | {"version": version, "number": tree_number, "by_hand": by_hand}


def by_hand_json(tree: Any) -> dict[str, Any]:
    """Give what was set by hand, by the number of the node."""
    return {
        str(node): {
            "locked": mark.locked,
            "labelled": mark.labelled,
            "words": str(mark) if mark.is_set else "",
            "reason": mark.reason,
            "excluded": list(mark.excluded),
        }
        for node, mark in tree.by_hand.items()
    }


def held_out_of(opened: Opened, estimator: Any) -> HeldOut | None:
    """Predict the rows that were held out."""
    rows, prepared = opened.grown.test, opened.prepared
    if not len(rows):
        return None
    w, train = prepared.weights, opened.grown.train
    return predict_held_out(
        estimator,
        take_rows(prepared.table.data, rows),
        prepared.y[rows],
        how=_HOW,
        sample_weight=None if w is None else w[rows],
        y_train=prepared.y[train],
        weight_train=None if w is None else w[train],
    )


def judge_json(session: Session) -> dict[str, Any]:
    """Give the scores of the tree beside the baseline and the tree as it was grown."""
    with session.lock:
        opened, version = session.present_tree(), session.version
        estimator, edits = opened.editor.estimator, len(opened.editor.history)
    own, grown = held_out_of(opened, estimator), held_out_of(opened, opened.base.estimator)
    found: dict[str, Any] = {
        "version": version,
        "edits": edits,
        "rows": len(opened.grown.test),
        "scores": [],
        "differences": None,
        "leaves": [estimator.tree_.n_leaves, opened.base.estimator.tree_.n_leaves],
    }
    if own is None or grown is None:
        return found
    others = {one.name: one for one in grown.scores()}
    found["scores"] = [
        {
            "name": one.name,
            "label": one.label,
            "own": one.text,
            "grown": others[one.name].text if one.name in others else "",
            "baseline": one.baseline_text,
            "better": _better(one, others.get(one.name)),
        }
        for one in own.scores()
    ]
    found["differences"] = _differences(opened, own, grown)
    return found


def _better(own: Any, other: Any) -> int:
    """Tell whether a score is better (1) or worse (-1) than another, beyond one standard error."""
    if other is None:
        return 0
    gain = (own.mean - other.mean) * (1 if own.greater_is_better else -1)
    if not np.isfinite(gain) or abs(gain) <= own.spread:
        return 0
    return 1 if gain > 0 else -1


def _differences(opened: Opened, own: HeldOut, grown: HeldOut) -> dict[str, Any]:
    """Give the held-out rows for which two trees answer differently."""
    if own.task == "classification":
        differ = own.predicted != grown.predicted
    else:
        differ = ~np.isclose(own.predicted, grown.predicted, rtol=1e-12, atol=0)
    places = np.flatnonzero(differ)
    right_own, right_grown = _right(own, places), _right(grown, places)
    return {
        "count": len(places),
        "own_right": int(right_own.sum()) if right_own is not None else None,
        "grown_right": int(right_grown.sum()) if right_grown is not None else None,
        "rows": [
            [
                int(opened.prepared.rows[opened.grown.test[i]]) + 1,
                _answer(own, i),
                _answer(grown, i),
                _truth(own, i),
            ]
            for i in places[:_SHOWN_ROWS].tolist()
        ],
    }


def _right(held: HeldOut, places: NDArray[np.intp]) -> NDArray[np.bool_] | None:
    if held.task != "classification":
        return None
    return np.asarray(held.predicted[places] == held.y[places])


def _answer(held: HeldOut, i: int) -> Any:
    if held.classes is None:
        return number(float(held.predicted[i]))
    code = int(held.predicted[i])
    return "(no answer)" if code < 0 else str(held.classes[code])


def _truth(held: HeldOut, i: int) -> Any:
    return number(float(held.y[i])) if held.classes is None else str(held.classes[int(held.y[i])])


# --- rows -------------------------------------------------------------------------------------


def rows_json(session: Session, query: Mapping[str, str]) -> dict[str, Any]:
    """Give the rows of a leaf, or of a cell of the confusion matrix; the first of many."""
    title, names, rows = _found_rows(session, query, _SHOWN_ROWS)
    return {"title": title, "names": names, "rows": rows[0], "count": rows[1]}


def rows_csv(session: Session, query: Mapping[str, str]) -> tuple[str, str]:
    """Give all of these rows as a CSV file, and its name."""
    title, names, (cells, _) = _found_rows(session, query, None)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(names)
    writer.writerows([[_plain_text(cell) for cell in row] for row in cells])
    name = "".join(sign if sign.isalnum() else "-" for sign in title.lower()).strip("-")
    return f"{name or 'rows'}.csv", text.getvalue()


def _plain_text(cell: Any) -> Any:
    """Give a cell that no spreadsheet runs as a formula."""
    if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return f"'{cell}"
    return cell


def _found_rows(
    session: Session, query: Mapping[str, str], most: int | None
) -> tuple[str, list[str], tuple[list[list[Any]], int]]:
    with session.lock:
        opened = session.present_tree()
        estimator = opened.editor.estimator
    grown, prepared = opened.grown, opened.prepared
    which = query.get("of", "training")
    if which not in ("training", "test"):
        raise ValueError(f"of={which!r} is not one of training, test")
    base = grown.test if which == "test" else grown.train
    read = test_rows(session, opened) if which == "test" else training_rows(session, opened)
    if read is None:
        raise ValueError("no rows were held out")
    if "node" in query:
        node = query["node"]
        if not node.isdecimal() or int(node) >= estimator.tree_.n_nodes:
            raise ValueError(f"node {node} is not in this tree")
        places = arrived_at(estimator.tree_, int(node), read.table).rows
        title = f"{prepared.target} node {node}"
    else:
        true, predicted = query.get("true"), query.get("predicted")
        names = [str(label) for label in prepared.classes]
        if true not in names or predicted not in names:
            raise ValueError(f"true={true!r}, predicted={predicted!r}: give two classes")
        answers = np.array(
            [str(one) for one in estimator.predict(take_rows(prepared.table.data, base))]
        )
        truths = np.array([str(one) for one in prepared.y[base]])
        places = np.flatnonzero((answers == predicted) & (truths == true))
        title = f"{prepared.target} {true} predicted as {predicted}"
    count = len(places)
    chosen = base[places[:most] if most is not None else places]
    columns = [prepared.rows[chosen] + 1, prepared.y[chosen]]
    columns += [cells[chosen] for cells in prepared.table.data.values()]
    header = ["row", prepared.target, *prepared.table.data]
    rows = [
        [_cell(cell) for cell in row] for row in zip(*(c.tolist() for c in columns), strict=True)
    ]
    return title, header, (rows, count)


def _cell(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return None if not np.isfinite(value) else int(value) if value.is_integer() else value
    return str(value)


# --- comparing on the same folds --------------------------------------------------------------


def start_comparison(session: Session, given: Mapping[str, Any], version: int | None) -> None:
    """Compare the edited tree with the learner and others on the same folds, in the background."""
    folds = given.get("folds", 10)
    if type(folds) is not int or not 2 <= folds <= 20:
        raise ValueError(f"folds={folds!r} must be a whole number from 2 to 20")
    with session.change(version):
        opened = session.present_tree()
        editor = opened.editor

        def work(job: Job) -> None:
            found = compare(opened, editor.estimator, folds, job)
            with session.lock:
                session.comparison = found
                session.version += 1

        session.start("comparing on the same folds", work)


def compare(opened: Opened, edited: Any, folds: int, job: Job) -> dict[str, Any]:
    """Score the learner, the edited tree with its conditions fixed, and a baseline on folds.

    In every fold, the conditions that were edited or locked are kept and the others are grown
    again, so that no learner has seen the rows that it is scored on.
    """
    from ramify.evaluate import compare as run
    from ramify.evaluate.constant import LargestClass, Mean
    from ramify.evaluate.tables.score_table import moments

    prepared = opened.prepared
    learners: dict[str, Any] = {"as grown": _fresh(opened.base.estimator)}
    if opened.editor.history:
        learners["as edited"] = policy_of(edited)
    regression = prepared.task is Task.regression
    base = "the mean" if regression else "largest class"
    learners[base] = Mean() if regression else LargestClass(costs=getattr(edited, "costs", None))
    scores = (
        ["r2", "rmse", "n_leaves"]
        if regression
        else ["accuracy", "balanced_accuracy", "roc_auc", "n_leaves"]
    )
    if not regression and len(prepared.classes) > 2:
        scores.remove("roc_auc")
    if getattr(edited, "costs", None) is not None:
        scores.insert(0, "cost")
    job.say("comparing", 0.0)
    found = run(
        learners,
        {prepared.target: (prepared.table.data, prepared.y)},
        cv=(folds, 1),
        scores=scores,
        n_jobs=1,
    )
    dataset = found.datasets[0]
    rows = []
    values = {score: moments(found.values(dataset, score)) for score in scores}
    for j, name in enumerate(found.learners):
        rows.append(
            {
                "name": name,
                "scores": {
                    s: [number(float(values[s][0][j])), number(float(values[s][1][j]))]
                    for s in scores
                },
            }
        )
    p_value = None
    if "as edited" in found.learners:
        p_value = _paired(found, dataset, scores[0])
    return {
        "folds": folds,
        "scores": scores,
        "rows": rows,
        "p": p_value,
        "rows_used": len(prepared.y),
    }


def _paired(found: Any, dataset: str, score: str) -> float | None:
    from ramify.evaluate import corrected_ttest

    values = found.values(dataset, score)
    one, other = (
        np.asarray(values[:, found.learners.index(name)]) for name in ("as edited", "as grown")
    )
    n = len(one)
    result = corrected_ttest(one, other, test_fraction=1 / max(n - 1, 1))
    return number(float(result.pvalue))


def _fresh(estimator: Any) -> Any:
    from sklearn.base import clone

    return clone(estimator)


def policy_of(edited: Any) -> Any:
    """Give a learner that begins with what was edited or locked, and grows the rest."""
    from ramify.edit import skeleton_of

    return _fresh(edited).set_params(skeleton=skeleton_of(edited))
