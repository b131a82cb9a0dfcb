"""`ramify compare`: several learners on one table, as text and as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from ramify.cli.files import check_outputs
from ramify.cli.learners import read_learners
from ramify.cli.options import (
    OUTPUT,
    SCORE,
    TREE,
    ClassOptions,
    FileOptions,
    GrowingColumnOptions,
    Jobs,
    Json,
    TableFile,
    Target,
    TaskOption,
    option,
)
from ramify.steps.classes import class_parameters
from ramify.steps.learners import Learner, make_learner, usual_settings
from ramify.steps.task import Task

_BOOSTED = "boosted"
_FOR_CLASSES = "cart,ctree,c45,optimal,boosted"
_FOR_NUMBERS = "cart,ctree,optimal"  # the others predict classes
# Then the best tree found so far is taken, proven optimal or not.
_SECONDS = 5.0
# Of these, the presets only grow; the classic goes on to prune.
_PRUNED = (Learner.cart, Learner.twoing_cart)
_SIZES = ("n_leaves", "n_nodes", "depth", "fit_time", "predict_time")


def compare(
    file: TableFile,
    *,
    target: Target = None,
    learners: Annotated[
        str | None,
        option(
            f"Names with commas: {', '.join(Learner)}, {_BOOSTED}. "
            f"Default: {_FOR_CLASSES}; for numbers {_FOR_NUMBERS}.",
            panel=TREE,
            metavar="NAMES",
        ),
    ] = None,
    scores: Annotated[
        str | None,
        option(
            "Names with commas; the first decides who wins. Classes: accuracy, balanced_accuracy, "
            "roc_auc, pr_auc, log_loss, brier, f1, precision, recall, cost. Numbers: r2, rmse, "
            "mae. Also n_leaves, n_nodes, depth, fit_time, predict_time.",
            panel=SCORE,
            metavar="NAMES",
        ),
    ] = None,
    task: TaskOption = Task.auto,
    folds: Annotated[int, option("Folds of each cross-validation.", panel=SCORE, min=2)] = 10,
    repeats: Annotated[int, option("How many cross-validations.", panel=SCORE, min=1)] = 1,
    output: Annotated[
        Path | None,
        option(
            "Write the page to this file. Default: NAME-comparison.html in the working directory.",
            panel=OUTPUT,
        ),
    ] = None,
    store: Annotated[
        Path | None,
        option(
            "Keep the scores of every fold in this file (.jsonl), so that an interrupted run can "
            "go on.",
            panel=OUTPUT,
        ),
    ] = None,
    time_limit: Annotated[
        float, option("Seconds for each search for an optimal tree.", panel=TREE)
    ] = _SECONDS,
    columns: GrowingColumnOptions,
    classes: ClassOptions,
    jobs: Jobs = -1,
    json: Json = False,
    form: FileOptions,
) -> None:
    """Compare learners on one table: who predicts best, and whether that is sure."""
    from ramify.cli import output as out
    from ramify.cli.columns import prepare

    page = output or Path(f"{file.name.split('.')[0]}-comparison.html")
    check_outputs({"--output": page, "--store": store}, reads=[file])
    data = prepare(file, form, columns, target=target, task=task)
    data.ask()
    table, y, chosen = data.table, data.y, data.task
    weights = class_parameters(classes.class_weight, classes.costs, chosen, y)
    data = data.weighted(weights).without("missing_tells")
    shared = {**data.parameters(), **weights}
    regression = chosen is Task.regression
    usual = _FOR_NUMBERS if regression else _FOR_CLASSES
    if "costs" in shared:
        usual = usual.removesuffix(f",{_BOOSTED}")  # they take no costs
    named = _read_names(usual if learners is None else learners)
    with out.busy("loading the learners"):  # not earlier: reading a table does not need them
        import numpy as np

        from ramify.cli.comparison import (
            LARGEST,
            MEAN,
            FoldsOfFit,
            comparison_table,
            scores_json,
            verdict_lines,
        )
        from ramify.evaluate import compare as run
        from ramify.evaluate.constant import LargestClass, Mean

        wanted = _read_scores(scores, regression=regression, costs="costs" in shared)
        made = {name: _make(name, chosen, time_limit, shared, data.table.n_rows) for name in named}
        made |= {MEAN: Mean()} if regression else {LARGEST: LargestClass(costs=shared.get("costs"))}
    most = len(y) // 2 if regression else int(np.unique(y, return_counts=True)[1].max())
    if min(folds, most) < 2:
        raise ValueError(f"{len(y)} rows are too few for a comparison")
    found: Any = run(
        made,
        {file.name: (table.data, y)},
        cv=FoldsOfFit(min(folds, most), repeats, by_class=not regression),
        scores=wanted,
        n_jobs=jobs,
        store=store,
    )
    found.to_html(page, title=f"Predicting {table.target_name} in {file.name}")
    verdict = verdict_lines(found)
    if json:
        summary = {"verdict": verdict, "learners": scores_json(found, wanted), **data.to_dict()}
        out.print_json(summary | {"results": found.rows, "page": page})
        return
    console = out.make_console()
    out.print_line(console, verdict[0], text_style="bold")
    for line in verdict[1:]:
        out.print_line(console, line)
    console.print()
    data.introduce(console)
    labels = None if regression else np.unique(y)
    console.print(f"\n{comparison_table(found, wanted, labels, out.width_of(console))}\n")
    out.print_line(
        console,
        f"Mean ± standard deviation over {min(folds, most) * repeats} folds, the same for all. "
        "Surely: corrected resampled t-test against the best, 5 %, Holm's correction.",
    )
    out.print_line(console, f"Page written to {page}; open it in a browser")


def _read_names(names: str) -> list[str]:
    """Read the names of learners; boosted trees are one that only this command has."""
    parts = [part.strip() for part in names.split(",")]
    boosted = parts.count(_BOOSTED)
    trees = read_learners(",".join(part for part in parts if part != _BOOSTED))
    found = [*map(str, trees), *[_BOOSTED] * boosted]
    if len(found) < 2 or boosted > 1:
        raise ValueError(
            f"--learners: two different ones at least, of {', '.join(Learner)}, boosted"
        )
    return found


def _read_scores(names: str | None, *, regression: bool, costs: bool) -> tuple[str, ...]:
    from ramify.learning.measures import CLASSIFICATION, REGRESSION, measure_names

    task = REGRESSION if regression else CLASSIFICATION
    known = [name for name in (*measure_names(task), *_SIZES) if costs or name != "cost"]
    if names is None:
        first = ("cost", "accuracy") if costs else known[:1]
        return (*first, "n_leaves", "fit_time")
    found = [name.strip().replace("-", "_") for name in names.split(",") if name.strip()]
    for name in found:
        if name not in known:
            raise ValueError(f"--scores: {name!r} is not one of {', '.join(known)}")
    if not found or len(set(found)) < len(found):
        raise ValueError(f"--scores: different names with commas, of {', '.join(known)}")
    return tuple(found)


def _make(name: str, task: Task, time_limit: float, shared: dict[str, Any], n_rows: int) -> Any:
    if name == _BOOSTED:
        from ramify import BoostedTreesClassifier

        if task is Task.regression:
            raise ValueError("--learners: boosted predicts classes, and the target is a number")
        if "costs" in shared:
            raise ValueError("--costs: boosted trees take none; leave boosted out of --learners")
        return BoostedTreesClassifier(**shared)
    learner = Learner(name)
    options: dict[str, Any] = {}
    if learner in _PRUNED:  # as `ramify fit` grows it, but for the choice of the column
        options = {"pruning": "auto", **usual_settings(Learner.greedy, task, n_rows, shared)}
        options.pop("selection", None)
    if learner is Learner.optimal:
        options["time_limit"] = time_limit
    made = make_learner(learner, task, options | shared)
    # The seed of `fit`, so that both commands give the same scores.
    return made.set_params(random_state=0) if "random_state" in made.get_params() else made
