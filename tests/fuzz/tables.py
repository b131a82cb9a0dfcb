"""The campaign of tables: hostile CSV files through the command line."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
from helpers.command_line import one_line, strict_json
from helpers.export_data import ODD_LEVELS

from fuzz.campaign import Case
from fuzz.drawing import LABELS, NAMES
from fuzz.parameters import one
from ramify.cli import main

name = "tables"
NUMBERS = ["1", "-2.5", "1e5", "1,000", "1.000,5", "007", "+3", "1e400", "-0", "0x10", "1_000"]
NUMBERS += ["12 kg", "5 %", "$3", "(4)", ".5", "5.", "NaN", "inf", "-Infinity", "9007199254740993"]
DATES = [
    "2024-02-29",
    "2023-02-29",
    "1/2/24",
    "31.12.1999",
    "2024-01-01T05:00Z",
    "12:30",
    "9999-12-31",
]
HOLES = ["", "?", "NA", "null", "-", "n/a", " "]
TEXTS = [
    *ODD_LEVELS,
    "=SUM(A1)",
    "@x",
    "a" * 3000,
    "ä",
    "\u2028",
    "\x00",
    "\ufeff",
    '"',
    "a,b",
    "x;y",
    "\r",
]
ENCODINGS = ["utf-8"] * 5 + ["utf-8-sig", "utf-16", "latin-1", "cp1252"]
EXPORTS = ["sql", "pmml", "python", "c", "dot", "svg", "rules", "markdown", "csv"]


def draw(number: int) -> Case:
    rng = np.random.default_rng(number)
    rows, width = int(one(rng, [0, 1, 2, 5, 10, 20, 20, 60, 60])), int(rng.integers(2, 6))
    header = [one(rng, NAMES) for _ in range(width)]
    if rng.random() < 0.9:
        header = [
            f"{title}{i}" if header.count(title) > 1 else title for i, title in enumerate(header)
        ]
    pools = [one(rng, [NUMBERS, NUMBERS[:4], DATES, TEXTS, ["a", "b"]]) for _ in header]
    pools[-1] = one(rng, [[str(label) for label in one(rng, LABELS[:6])], ["1", "2.5", "4"], TEXTS])
    header[-1] = header[-1].strip() or "target"
    if rng.random() < 0.02:
        pools[0] = ["\x00"]
    holes = one(rng, [0.0, 0.1, 0.5])
    cells = [
        [one(rng, HOLES) if rng.random() < holes else one(rng, pool) for pool in pools]
        for _ in range(rows)
    ]
    for row in cells:
        if rng.random() < 0.002:
            row.append("too many")
        if rng.random() < 0.002:
            row.pop()
    return {
        "rows": [header, *cells],
        "separator": one(rng, [",", ",", ";", "\t", "|"]),
        "end": one(rng, ["\n", "\n", "\r\n"]),
        "encoding": one(rng, ENCODINGS),
        "cut": int(rng.integers(1, 30)) if rng.random() < 0.05 else 0,
        "form": one(rng, EXPORTS),
    }


def run(case: Case, number: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        table, model = Path(folder) / "table.csv", Path(folder) / "model.json"
        table.write_bytes(_text(case))
        fitted = _command("fit", table, "--target", case["rows"][0][-1], "--model", model,
                          "--folds", "2", "--jobs", "1")  # fmt: skip
        _command("profile", table, "--json")
        if fitted or not model.exists():
            return "refused"
        predictions = Path(folder) / "predictions.csv"
        assert _command("predict", model, table, "--output", predictions) == 0
        with predictions.open(newline="", encoding="utf-8") as file:
            written = list(csv.reader(file))
        assert len({len(row) for row in written}) == 1
        formulas = [row[-1] for row in written if row[-1][:1] in ("=", "@", "\t", "\r")]
        assert not formulas, formulas
        assert _command("show", model) == 0
        assert _command("show", model, "--json") == 0
        assert _command("report", model, "--output", Path(folder) / "report.html") == 0
        _command("export", model, "--format", case["form"], "--output", Path(folder) / "export")
    return "fitted"


def _text(case: Case) -> bytes:
    file = io.StringIO()
    csv.writer(file, delimiter=case["separator"], lineterminator=case["end"]).writerows(
        case["rows"]
    )
    text = file.getvalue()
    return text[: len(text) - case["cut"]].encode(case["encoding"], "replace")


def _command(*arguments: Any) -> int:
    """Run a command: it ends with 0, or says in one line why not."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main([str(argument) for argument in arguments])
    if code:
        assert one_line(_last(err.getvalue())), (arguments, err.getvalue())
    elif "--json" in arguments:
        strict_json(out.getvalue())
    return code


def _last(text: str) -> str:
    """The error, without the warnings before it."""
    return text[text.rfind("ramify: ") :] if "ramify: " in text else text


def smaller(case: Case) -> Iterator[Case]:
    header, *rows = case["rows"]
    size = max(1, len(rows) // 2)
    while size and rows:
        for start in range(0, len(rows), size):
            yield case | {"rows": [header, *rows[:start], *rows[start + size :]]}
        size //= 2
    for j in range(len(header) - 1):
        if all(len(row) == len(header) for row in rows):
            yield case | {"rows": [row[:j] + row[j + 1 :] for row in case["rows"]]}
    for key, plain in (("separator", ","), ("end", "\n"), ("encoding", "utf-8"), ("cut", 0)):
        if case[key] != plain:
            yield case | {key: plain}
