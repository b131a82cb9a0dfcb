"""Answers the questions of a questionnaire for the rows of a table: its script is run in node."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
from typing import Any

import pandas as pd
import pytest

from helpers.paths import ROOT
from ramify.export import to_questionnaire
from ramify.export.questionnaire.wording import Question, questions_of
from ramify.export.routing import route
from ramify.tables.levels import MISSING

Answers = tuple[Any, Any, Any]


def run_questionnaire(model: Any, X: pd.DataFrame) -> Answers:
    """Give labels (or numbers), class shares and leaves, as the runners of other exports do."""
    found = converse(model, X)
    leaves = [min(one["leaves"], key=lambda end: (-end[1], end[0]))[0] for one in found]
    if not hasattr(model, "classes_"):
        return [one["value"] for one in found], None, leaves
    labels = [model.classes_.tolist()[one["label"]] for one in found]
    return labels, [one["shares"] for one in found], leaves


def converse(model: Any, X: pd.DataFrame, *, texts: int = 3) -> list[dict[str, Any]]:
    """Answer every question of the page for every row; the first rows also give their texts."""
    asked, table = questions_of(route(model)), model.read(X)
    columns = [typed(one, table) for one in asked]
    rows = [list(row) for row in zip(*columns, strict=True)] or [[] for _ in range(len(X))]
    found = run_page({"page": to_questionnaire(model), "rows": rows, "texts": texts})
    return list(found["rows"])


def read_texts(model: Any, texts: list[str], question: int = 0) -> list[dict[str, Any]]:
    """Type texts into a question: what is read, or what the page complains of."""
    reads = [[question, text] for text in texts]
    return list(run_page({"page": to_questionnaire(model), "reads": reads})["reads"])


def run_page(given: dict[str, Any]) -> Any:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    script = ROOT / "tests" / "helpers" / "questionnaire.js"
    done = subprocess.run(
        [node, str(script)],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def typed(question: Question, table: Any) -> list[Any]:
    """Give what a user types or chooses, per row; None for "I do not know"."""
    abouts = [table.schema.columns[j] for j in question.columns]
    if len(abouts) == 1 and abouts[0].kind != "numeric":
        codes = table.column(question.columns[0]).tolist()
        return [None if code == MISSING else code for code in codes]
    place = next(j for j, about in enumerate(table.schema.columns) if about.name == question.input)
    form = table.schema.columns[place].form
    found = []
    for value in table.column(place).tolist():
        if math.isnan(value):
            found.append(None)
        elif form is not None and form.is_time:
            text = form.show(value)
            # On the clock of the column's zone, now with the difference to UTC, now without.
            found.append(
                re.sub(r"[+-]\d\d:\d\d$", "", text) if form.zone and len(found) % 2 else text
            )
        else:
            found.append(repr(value))
    return found
