"""How trees, and what they say, show themselves in notebooks: HTML that needs no script."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from ramify.learning.measures import write_score
from ramify.show.drawing import DrawingOptions
from ramify.show.html_table import Cell, details, number, table
from ramify.show.page import Page, draw_for
from ramify.show.svg import drawing_to_svg
from ramify.tree import Tree
from ramify.tree.rules import Rule, rule_answer
from ramify.tree.tree import IN_A_CELL
from ramify.tree.words import format_label, format_name, label_share, percent

#: The pixels of a cell in most notebooks.
_CELL = Page(1000.0, 800.0, readable=11.0, smallest=8.0)
#: Longer lists are folded.
_STEPS, _RULES, _CONDITIONS, _SIZES, _ROWS, _COLUMNS = 6, 12, 4, 12, 10, 8


def figure(tree: Tree, caption: str = "") -> str:
    """A tree as HTML: the drawing, no wider than the cell, and a caption.

    The drawing shrinks instead of scrolling: a frame that scrolls would begin at its corner, far
    from the root of a large tree.
    """
    drawing = draw_for(tree, _CELL, DrawingOptions(max_nodes=IN_A_CELL))
    scale = min(1.0, _CELL.scale(drawing))
    shown = drawing_to_svg(tree, drawing, scale, style="max-width:100%;height:auto")
    return (
        f'<figure style="margin:0.5em 0;max-width:100%">{shown}'
        f"<figcaption>{caption}<code>{escape(repr(tree))}</code></figcaption></figure>"
    )


def estimator_html(estimator: Any, parameters: str) -> str:
    """A fitted estimator: its tree and score first, its parameters below."""
    words = "<br>".join(escape(line) for line in score_lines(estimator))
    drawn = figure(estimator.tree_, f"{words}<br>")
    return f"{drawn}{details('Parameters', parameters)}"


def score_lines(estimator: Any) -> list[str]:
    """What is known of the score of a fitted tree, beside its baseline.

    A fitted tree holds no data. It knows its errors on training rows, and those of the
    cross-validation that chose its size.
    """
    tree, path = estimator.tree_, estimator.fitted_.path
    if tree.task == "classification" and tree.costs is not None:
        return []
    scale = _accuracy if tree.task == "classification" else _squared_error
    loss = getattr(estimator, "number_loss", None)
    others = loss is not None and loss.name != "squared"
    if others or getattr(path, "error_name", "error") != "error":
        return []
    lines = []
    selected = None if path is None else path.selected
    if selected is not None and np.isfinite(path.error[selected]):
        error, spread = float(path.error[selected]), float(path.standard_error[selected])
        lines.append(f"Cross-validated, to choose its size: {scale(tree, error, spread)}")
    lines.append(f"On the rows it was fitted on: {scale(tree, _training_error(tree), None)}")
    if len(lines) == 1:
        lines.append("report(path, X_test, y_test) scores it on rows that it has not seen.")
    return lines


def _training_error(tree: Tree) -> float:
    leaves = tree.data["n_children"] == 0
    weight = tree.data["weight"][leaves]
    if tree.task == "classification":
        right = np.where(weight > 0, np.nan_to_num(tree.confidence[leaves]), 0.0)
        return 1.0 - float((weight * right).sum() / weight.sum())
    predicted = np.array(tree.predictions, dtype=np.float64)[leaves]
    inside = np.nan_to_num(tree.spread[leaves]) ** 2
    off = np.where(weight > 0, inside + (np.nan_to_num(tree.mean[leaves]) - predicted) ** 2, 0.0)
    return float((weight * off).sum() / weight.sum())


def _accuracy(tree: Tree, error: float, spread: float | None) -> str:
    base = float(tree.confidence[0])
    largest = format_label(tree.predictions[0])
    return (
        f"accuracy {write_score(1 - error, spread, percent=True)} "
        f"(baseline {write_score(base, percent=True)}: always {largest})"
    )


def _squared_error(tree: Tree, error: float, spread: float | None) -> str:
    variance = float(tree.spread[0]) ** 2
    root = float(np.sqrt(error))
    base = write_score(float(np.sqrt(variance)))
    words = f"RMSE {write_score(root)} (baseline {base}: always the mean)"
    if not variance > 0:
        return words
    share = None if spread is None else spread / variance
    return f"R2 {write_score(1 - error / variance, share)} (baseline 0), {words}"


# --- what trees say -----------------------------------------------------------------------------


def explanation_html(explanation: Any) -> str:
    """The way of a row: one line per condition, the middle of a long way folded."""
    rows = [
        [
            Cell(str(i)),
            Cell(str(step)),
            Cell(f"{step.rows:,} of {explanation.rows:,}", right=True),
            Cell(step.note),
            Cell("; ".join(step.competitors), quiet=True),
        ]
        for i, step in enumerate(explanation.steps, start=1)
    ]
    head = ["", "condition", "rows", "answer there", "nearly won"]
    answer = f"<p><b>{escape(explanation.answer)}</b></p>"
    if not rows:
        return f"{answer}<p>The tree is a single leaf, of {explanation.rows:,} rows.</p>"
    if len(rows) <= _STEPS:
        return answer + table(head, rows)
    first, middle, last = rows[:2], rows[2:-2], rows[-2:]
    folded = details(f"{len(middle)} conditions more", table(head, middle))
    return answer + table(head, first) + folded + table(head, last)


def rules_html(rules: Sequence[Rule]) -> str:
    """Rules as a table; long conditions and long lists are folded."""
    if not rules:
        return "<p>no rules</p>"
    head = ["if", "then", "rows", "of all", "±" if rules[0].confidence is None else "share"]
    rows = []
    for rule in rules:
        answer, note = rule_answer(rule)
        rows.append(
            [
                Cell(_conditions(rule.conditions), raw=True),
                Cell(answer),
                Cell(rule.rows.rpartition(" ")[0], right=True),
                Cell(percent(rule.coverage), right=True),
                Cell(note.lstrip("± "), right=True),
            ]
        )
    shown = table(head, rows[:_RULES])
    if len(rows) > _RULES:
        shown += details(f"{len(rows) - _RULES:,} rules more", table(head, rows[_RULES:]))
    return shown


def _conditions(conditions: Sequence[str]) -> str:
    words = [escape(one) for one in conditions] or ["always"]
    joint = " <i>and</i> "
    if len(words) <= _CONDITIONS:
        return joint.join(words)
    rest = f"{len(words) - _CONDITIONS} conditions more"
    return joint.join(words[:_CONDITIONS]) + details(rest, joint.join(words[_CONDITIONS:]))


def competitors_html(competitors: Sequence[Any]) -> str:
    """What nearly won at a node, by falling gain."""
    if not competitors:
        return "<p>no other column could split here, or there is no record of it</p>"
    head = ["what nearly won", "gain"]
    rows = [
        [Cell(one.condition.describe(0)), Cell(number(one.gain), right=True)] for one in competitors
    ]
    if any(one.p_value is not None for one in competitors):
        head.append("p-value")
        for row, one in zip(rows, competitors, strict=True):
            row.append(Cell("" if one.p_value is None else number(one.p_value), right=True))
    return table(head, rows)


def contributions_html(found: Any) -> str:
    """What each column adds: the first rows, and the columns that add most."""
    classify = found.classes is not None
    answers = found.prediction
    label = answers.argmax(axis=1) if classify else np.zeros(len(answers), dtype=int)
    places = np.arange(len(answers))
    values = found.values[places, :, label] if classify else found.values
    values = np.where(np.abs(values) < 1e-9 * np.abs(values).max(initial=0.0), 0.0, values)
    size = np.abs(values).mean(axis=0) if len(values) else np.zeros(len(found.features))
    columns = [j for j in np.argsort(-size, kind="stable").tolist() if size[j] > 0][:_COLUMNS]
    most = float(np.abs(values[:_ROWS]).max(initial=0.0)) or 1.0
    head = ["", "all rows", *(format_name(found.features[j]) for j in columns), "prediction"]
    rows = []
    for i in range(min(_ROWS, len(values))):
        bias = found.bias[label[i]] if classify else found.bias
        answer = float(answers[i, label[i]]) if classify else float(answers[i])
        said = label_share(found.classes[label[i]], answer) if classify else number(answer)
        cells = [Cell(str(i)), Cell(_part(bias, classify), right=True)]
        cells += [
            Cell(_signed(values[i, j], classify), right=True, shade=float(values[i, j]) / most)
            for j in columns
        ]
        rows.append([*cells, Cell(said)])
    about = "share of the predicted class, in points" if classify else "prediction"
    note = f"What each column adds to the {about}. {len(values):,} rows"
    used = int((size > 0).sum())
    more = f"; the {len(columns)} columns of {used} that add most" if used > len(columns) else ""
    return table(head, rows) + f"<p><small>{escape(note + more)}.</small></p>"


def _part(value: float, classify: bool) -> str:
    return f"{100 * value:.1f} %" if classify else number(value)


def _signed(value: float, classify: bool) -> str:
    if value == 0:
        return "0"
    sign = "+" if value > 0 else "−"
    return sign + (f"{100 * abs(value):.1f}" if classify else number(abs(value)))


def pruning_path_html(path: Any) -> str:
    """The sizes that a pruning chooses from; those far from the chosen one are folded."""
    validated = bool(np.isfinite(path.error).any())
    head = [path.key_name, "leaves", "training error", *(["cross-validated"] if validated else [])]
    rows = []
    for i in range(len(path)):
        chosen = i == path.selected
        cells = [
            Cell(number(float(path.key[i])), right=True, bold=chosen),
            Cell(f"{int(path.leaves[i]):,}", right=True, bold=chosen),
            Cell(number(float(path.training_error[i])), right=True, bold=chosen),
        ]
        if validated:
            error, spread = float(path.error[i]), float(path.standard_error[i])
            words = f"{number(error)} ± {number(spread)}" if np.isfinite(error) else ""
            cells.append(Cell(words + (" (chosen)" if chosen else ""), right=True, bold=chosen))
        rows.append(cells)
    if len(rows) <= _SIZES:
        return table(head, rows)
    # The chosen size and its neighbours, or the smallest trees.
    middle = len(rows) - _SIZES // 2 if path.selected is None else path.selected
    start = max(0, min(middle - _SIZES // 2, len(rows) - _SIZES))
    end = start + _SIZES
    larger = details(f"{start:,} larger trees", table(head, rows[:start])) if start else ""
    rest = len(rows) - end
    smaller = details(f"{rest:,} smaller trees", table(head, rows[end:])) if rest else ""
    return larger + table(head, rows[start:end]) + smaller
