"""Random problems: awkward little tables for estimators with random parameters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from helpers.export_data import ODD_LEVELS, ODD_NAMES

from fuzz.parameters import ESTIMATORS, draw_parameters, one
from fuzz.problem import Column, Problem

NUMBERS = [0.0, -0.0, 1.0, 1.5, 2.0, -3.0, 1e-300, -1e300, 5e-324, float("inf"), -float("inf")]
NUMBERS += [2.0**53, 2.0**53 + 2, 1.0 + 2.0**-52, 0.1, 1 / 3]
NAMES = [*ODD_NAMES.values(), "a", "B c", "é", "x" * 60, "1", "=1+1", "</script>", "%s{0}", "\t"]
LABELS: list[list[Any]] = [
    ["no", "yes"],
    [0, 1],
    [-1, 0, 5],
    ["a'1", "b\n2", "c√3", "d"],
    [False, True],
    ["<b>", "*/", '"; --'],
    ["only"],
    [f"class {i}" for i in range(12)],
]


def draw_problem(number: int, *, only: str = "") -> Problem:
    """The problem of a number, always the same; `only` begins the names of the estimators."""
    rng = np.random.default_rng(number)
    shares = np.array(
        [often if name.startswith(only) else 0 for name, (often, _, _) in ESTIMATORS.items()],
        dtype=float,
    )
    estimator = str(rng.choice([*ESTIMATORS], p=shares / shares.sum()))
    parameters = draw_parameters(rng, estimator)
    if estimator in ("presets.cart", "presets.ctree", "presets.chaid") and rng.random() < 0.4:
        parameters["task"] = "regression"
    rows = int(one(rng, [1, 2, 3, 5, 8, 13, 20, 30, 40, 60, 120, 300]))
    if estimator[0] in "OMB":
        rows = min(rows, 40)
    frame = one(rng, ["pandas"] * 6 + ["polars", "arrow", "dict", "lists", "array"])
    holes = one(rng, [0.0, 0.0, 0.1, 0.3, 0.9])
    if holes > 0.1 and rows > 40:
        parameters.pop("missing_count", None)  # trees of pieces get very large
    names = list(dict.fromkeys(one(rng, NAMES) for _ in range(int(rng.integers(1, 6)))))
    columns = {name: draw_column(rng, rows, frame, holes) for name in names}
    if estimator.startswith("Mixture"):  # linear functions have no infinity
        columns = {name: _finite(column) for name, column in columns.items()}
    numbers = estimator.endswith("Regressor") or parameters.get("task") == "regression"
    target = draw_numbers(rng, rows, parameters) if numbers else draw_labels(rng, rows, columns)
    if not numbers:
        classes = len(set(target))
        if estimator[0] in "TO" and rng.random() < 0.12:
            parameters["costs"] = draw_costs(rng, classes)
        if "class_weight" in parameters and rng.random() < 0.5:
            weights = {str(label): one(rng, [0.5, 1, 3]) for label in sorted(set(target))}
            parameters["class_weight"] = weights
    if estimator.startswith("Tree"):
        draw_constraints(rng, parameters, columns, frame)
    if estimator.startswith("Optimal"):
        draw_of_optimal_trees(rng, parameters, columns, frame, target)
    return Problem(
        estimator, parameters, columns, target, draw_weights(rng, rows), frame, seed=number % 1000
    )


def draw_column(rng: np.random.Generator, rows: int, frame: str, holes: float) -> Column:
    kinds = ["number"] * 4 + ["whole"] * 2
    if frame != "array":
        kinds += ["text"] * 4 + ["bool", "date", "duration"]
    if frame in ("pandas", "polars"):
        kinds += ["category", "ordered", "ordered"]
    if frame in ("pandas", "dict"):
        kinds += ["codes"]
    kind = one(rng, kinds)
    levels: list[Any] = []
    values: list[Any]
    few = int(one(rng, [1, 2, 3, 6, 10, 40]))
    match kind:
        case "number":
            eighths = (rng.integers(-20, 20, few) / 8).tolist()
            pool = one(rng, [NUMBERS, eighths, eighths, rng.normal(size=50).tolist()])
            values = [one(rng, pool) for _ in range(rows)]
        case "whole":
            values = rng.integers(-few, few + 1, rows).tolist()
        case "text":
            pool = [*ODD_LEVELS[: max(1, few)]] + [f"l{i}" for i in range(few)]
            values = [one(rng, pool) for _ in range(rows)]
        case "category" | "ordered":
            levels = [f"l{i}" for i in range(few)]
            values = [levels[i] for i in rng.integers(0, few, rows)]
        case "bool":
            values = (rng.random(rows) < 0.5).tolist()
        case "codes":
            values = rng.integers(0, few, rows).tolist()
        case _:
            values = rng.integers(0, 10 ** int(rng.integers(1, 5)), rows).tolist()
    if kind != "whole":
        values = [None if rng.random() < holes else v for v in values]
    return Column(kind, values, levels)


def _finite(column: Column) -> Column:
    endless = (float("inf"), -float("inf"))
    return replace(column, values=[7.0 if v in endless else v for v in column.values])


def draw_labels(rng: np.random.Generator, rows: int, columns: dict[str, Column]) -> list[Any]:
    labels = one(rng, LABELS)
    if rng.random() < 0.5:
        return [one(rng, labels) for _ in range(rows)]
    # Something that a tree can learn, with noise.
    ranks = [repr(value) for value in columns[one(rng, [*columns])].values]
    code = {rank: i for i, rank in enumerate(sorted(set(ranks)))}
    return [
        one(rng, labels) if rng.random() < 0.15 else labels[code[rank] % len(labels)]
        for rank in ranks
    ]


def draw_numbers(rng: np.random.Generator, rows: int, parameters: dict[str, Any]) -> list[float]:
    """Numbers; most are whole eighths, so that all sums are exact."""
    if parameters.get("criterion") in ("poisson", "gamma"):
        return (rng.integers(1, 80, rows) / 8).tolist()
    match one(rng, ["eighths"] * 4 + ["few", "wild", "far"]):
        case "few":
            return rng.integers(0, 2, rows).astype(float).tolist()
        case "wild":
            return (rng.normal(size=rows) * 10.0 ** rng.integers(-100, 100)).tolist()
        case "far":
            return (1e15 + rng.integers(0, 9, rows)).tolist()
    return (rng.integers(-80, 80, rows) / 8).tolist()


def draw_weights(rng: np.random.Generator, rows: int) -> list[float] | None:
    match one(rng, ["none"] * 4 + ["whole", "whole", "zeros", "quarters", "real", "scale"]):
        case "none":
            return None
        case "whole":
            return rng.integers(1, 4, rows).astype(float).tolist()
        case "zeros":
            weights = rng.integers(0, 3, rows).astype(float)
            weights[int(rng.integers(rows))] = 1.0
            return weights.tolist()
        case "quarters":
            return (rng.integers(1, 20, rows) / 4).tolist()
        case "scale":
            return (rng.random(rows) * 10.0 ** rng.integers(-60, 60) + 1e-60).tolist()
    return (rng.random(rows) + 1e-3).tolist()


def draw_costs(rng: np.random.Generator, classes: int) -> list[list[float]]:
    costs = rng.integers(1, 9, (classes, classes)).astype(float)
    np.fill_diagonal(costs, 0)
    if rng.random() < 0.3:  # it may give no answer
        costs = np.column_stack([costs, np.full(classes, float(one(rng, [0.5, 2.0])))])
    return [[float(c) for c in row] for row in costs]


def draw_constraints(
    rng: np.random.Generator, parameters: dict[str, Any], columns: dict[str, Column], frame: str
) -> None:
    """Monotone columns, columns that may meet, columns left out."""
    named = frame in ("pandas", "polars", "arrow", "dict")
    places: list[Any] = [*columns] if named else list(range(len(columns)))
    if rng.random() < 0.06:
        parameters["exclude"] = [one(rng, places)]
    if rng.random() < 0.06:
        parameters["interactions"] = [[place] for place in places]
    kinds = dict(zip(places, columns.values(), strict=True))
    ordered = [place for place in places if kinds[place].kind in ("number", "whole", "ordered")]
    if ordered and named and rng.random() < 0.06:
        parameters["monotone"] = {one(rng, ordered): one(rng, [-1, 1])}


def draw_of_optimal_trees(
    rng: np.random.Generator,
    parameters: dict[str, Any],
    columns: dict[str, Column],
    frame: str,
    target: list[Any],
) -> None:
    """What is minimised, and constraints, most of which go together."""
    named = frame in ("pandas", "polars", "arrow", "dict")
    places: list[Any] = [*columns] if named else list(range(len(columns)))
    kinds = dict(zip(places, columns.values(), strict=True))
    labels = sorted(set(target))
    objective = parameters.get("objective")
    if objective == "f1" and rng.random() < 0.95:
        for name in ("costs", "class_weight", "upper_bound"):
            parameters.pop(name, None)
        if rng.random() < 0.5:
            parameters["positive"] = one(rng, labels)
    if objective == "balanced_accuracy":
        parameters.pop("class_weight", None)
    by_class = objective != "f1" and "criterion" not in parameters and not _is_number(target[0])
    if by_class and len(labels) < 5 and rng.random() < 0.15:
        wanted = [label for label in labels if rng.random() < 0.6] or labels[:1]
        shares = [0.3, 0.5, 0.9, 1.0]
        parameters["min_recall"] = {str(label): one(rng, shares) for label in wanted}
        parameters.pop("upper_bound", None)
        if parameters.get("max_depth", 2) is None:
            parameters["max_depth"] = 2
    constrained = "min_recall" not in parameters or rng.random() < 0.05
    if rng.random() < 0.1:
        parameters["exclude"] = [one(rng, places)]
    ordered = [place for place in places if kinds[place].kind in ("number", "whole", "ordered")]
    two = isinstance(target[0], float) or len(labels) == 2
    if ordered and named and two and constrained and rng.random() < 0.3:
        parameters["monotone"] = {one(rng, ordered): one(rng, [-1, 1])}
        if parameters.get("criterion") in ("absolute_error", "quantile"):
            del parameters["criterion"]
    if constrained and rng.random() < 0.3:
        parameters["skeleton"] = draw_skeleton(rng, places, kinds, int(rng.integers(1, 3)))
    laid_down = "monotone" in parameters or "skeleton" in parameters
    if laid_down and parameters.get("n_thresholds") == "grow" and rng.random() < 0.9:
        del parameters["n_thresholds"]


def _is_number(target: Any) -> bool:
    """Whether it is the target of a regression, whose numbers are all floats."""
    return isinstance(target, float)


def draw_skeleton(
    rng: np.random.Generator, places: list[Any], kinds: dict[Any, Column], depth: int
) -> dict[str, Any]:
    """The beginning of a tree; conditions need not divide any rows."""
    node: dict[str, Any] = {}
    if rng.random() < 0.15:
        node["exclude"] = [one(rng, places)]
    if depth == 0 or rng.random() < 0.1:
        return node | ({"closed": True} if rng.random() < 0.3 else {})
    place = one(rng, places)
    column = kinds[place]
    known = [value for value in column.values if value is not None]
    if not known:
        return node
    node["column"] = place
    if column.kind in ("number", "whole", "date", "duration"):
        # Dates are numbers of seconds; this one need not lie among them.
        number = column.kind in ("number", "whole")
        node["threshold"] = float(one(rng, known)) if number else 1.7e9
    elif column.kind == "ordered":
        node["threshold"] = one(rng, column.levels)
    else:
        some = sorted(set(map(str, known)))[: int(rng.integers(1, 3))]
        levels: list[Any] = [value == "True" for value in some] if column.kind == "bool" else some
        if column.kind == "codes":
            levels = [int(value) for value in some]
        node["levels"] = levels
        node["other"] = 1
    if rng.random() < 0.3:
        node["missing"] = int(rng.integers(2))
    return node | {side: draw_skeleton(rng, places, kinds, depth - 1) for side in ("left", "right")}
