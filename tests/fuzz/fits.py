"""The campaign of fits: a random problem, and everything that must hold once it is fitted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from fuzz.campaign import Case
from fuzz.drawing import draw_problem
from fuzz.invariants import CHECKS, Fitted
from fuzz.problem import Column, Problem

name = "fits"


def draw(number: int) -> Case:
    return draw_problem(number).case()


def run(case: Case, number: int) -> str:
    problem = Problem.of(case)
    try:
        model = problem.fit()
    except ValueError as error:
        return refused(problem, error)
    fitted = Fitted(problem, model)
    for place, (check, often) in enumerate(CHECKS.items()):
        if number and (number + place) % often:
            continue  # its turn comes with another number; 0 makes all of them
        try:
            check(fitted)
        except BaseException as error:
            error.add_note(f"in {check.__name__}")
            raise
    return "fitted"


def refused(problem: Problem, error: ValueError) -> str:
    """A refusal names what it is about: a parameter, a column, or the target."""
    text = str(error)
    names = [*problem.make().get_params(), *problem.columns, "sample_weight", "weights", "target"]
    if not any(name in text for name in names) and not re.search(r"\by\b|\bX\b", text):
        raise AssertionError(f"a refusal that names nothing: {text}") from error
    return "refused"


def smaller(case: Case) -> Iterator[Case]:
    problem = Problem.of(case)
    for candidate in _smaller(problem):
        yield candidate.case()


def _smaller(problem: Problem) -> Iterator[Problem]:
    rows = len(problem.target)
    size = rows // 2
    while size:
        for start in range(0, rows, size):
            kept = [i for i in range(rows) if not start <= i < start + size]
            if kept:
                yield problem.take(kept)
        size //= 2
    for column in problem.columns:
        if len(problem.columns) > 1:
            yield replace(
                problem, columns={k: v for k, v in problem.columns.items() if k != column}
            )
    for parameter in problem.parameters:
        given = {k: v for k, v in problem.parameters.items() if k != parameter}
        yield replace(problem, parameters=given)
    if problem.weights is not None:
        yield replace(problem, weights=None)
        if any(w != 1 for w in problem.weights):
            yield replace(problem, weights=[1.0 if w else 0.0 for w in problem.weights])
    if problem.frame != "pandas":
        yield replace(problem, frame="pandas")
    if problem.seed:
        yield replace(problem, seed=0)
    yield from _plainer(problem)


def _plainer(problem: Problem) -> Iterator[Problem]:
    """Plain names, plain cells."""
    for i, (column, cells) in enumerate(problem.columns.items()):
        plain = f"x{i}"
        if column != plain and not _names(problem.parameters, column):
            yield replace(
                problem,
                columns={plain if k == column else k: v for k, v in problem.columns.items()},
            )
        ranks = _ranks(cells.values)
        if cells.kind == "number" and ranks != cells.values:
            changed = Column(cells.kind, ranks, cells.levels)
            yield replace(problem, columns=problem.columns | {column: changed})
    labels = {label: i for i, label in enumerate(sorted(set(problem.target)))}
    plain_target: list[Any] = [labels[label] for label in problem.target]
    if problem.classifies and plain_target != problem.target and len(labels) > 1:
        yield replace(problem, target=plain_target)


def _ranks(values: list[Any]) -> list[Any]:
    order = {v: float(i) for i, v in enumerate(sorted({v for v in values if v is not None}))}
    return [None if v is None else order[v] for v in values]


def _names(parameters: dict[str, Any], column: str) -> bool:
    return repr(column) in repr(parameters)
