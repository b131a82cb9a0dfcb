"""Giving the tree away: the report, the model, and every form that ramify exports."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ramify import export
from ramify.files import dumps
from ramify.show.report import make_report
from ramify.studio.code import python_script
from ramify.studio.judging import held_out_of, test_rows, training_rows
from ramify.studio.session import Session

_NEEDS = {"sql": "sqlglot", "onnx": "onnx"}
_WORDS = {
    "report": ("Report", "One page with the tree, its scores and its rules; opens in any browser."),
    "model": ("Model", "For ramify predict and ramify.load; keeps what was edited, and why."),
    "script": ("Python script", "Does again what was clicked, on this table or on a new one."),
    "questionnaire": ("Questionnaire", "One page that asks one question after the other."),
    "sql": ("SQL", "One expression; the database predicts."),
    "python": ("Python", "A function without dependencies."),
    "onnx": ("ONNX", "For runtimes of models on any platform."),
    "pmml": ("PMML", "For scoring engines and older systems."),
    "c": ("C", "A function without dependencies."),
    "dot": ("DOT", "For Graphviz."),
    "svg": ("Picture (SVG)", "For documents; stays sharp at any size."),
    "rules": ("Rules as text", "One sentence per leaf."),
    "markdown": ("Rules as Markdown", "A table of rules for documents."),
    "csv": ("Rules as CSV", "A table of rules for spreadsheets."),
}
_ORDER = tuple(_WORDS)
_MEDIA = {"report": "text/html", "questionnaire": "text/html", "svg": "image/svg+xml"}


@dataclass(frozen=True)
class Shipped:
    """A file to give away."""

    name: str
    content: bytes
    media_type: str


def forms_json(session: Session) -> list[dict[str, Any]]:
    """Give all forms, and which cannot be written on this machine or for this tree."""
    forms = {one.name: one for one in export.FORMATS}
    found = []
    for name in _ORDER:
        if name not in forms and name not in ("report", "model", "script"):
            continue
        label, words = _WORDS[name]
        needs = _NEEDS.get(name)
        missing = "" if needs is None or find_spec(needs) else f"pip install 'ramify[{name}]'"
        found.append({"name": name, "label": label, "words": words, "missing": missing})
    return found


def ship(session: Session, query: Mapping[str, str]) -> Shipped:
    """Write the tree in a form; gives the file."""
    name = query.get("form", "")
    if name not in _ORDER:
        raise ValueError(f"form={name!r} is not one of {', '.join(_ORDER)}")
    with session.lock:
        opened = session.present_tree()
        estimator = opened.editor.estimator
        if query.get("which") == "grown":
            estimator = opened.base.estimator
    stem = opened.prepared.file.name.split(".")[0]
    media = _MEDIA.get(name, "application/octet-stream")
    if name == "model":
        return Shipped(f"{stem}-tree.json", dumps(estimator).encode(), media)
    if name == "script":
        return Shipped(f"{stem}-studio.py", python_script(session).encode(), media)
    if name == "report":
        text = make_report(
            estimator,
            training_rows(session, opened),
            test_rows(session, opened),
            title=None,
            held_out=held_out_of(opened, estimator),
            profile=opened.prepared.profile,
        )
        return Shipped(f"{stem}-report.html", text.encode(), media)
    return _exported(estimator, name, stem, query)


def _exported(estimator: Any, name: str, stem: str, query: Mapping[str, str]) -> Shipped:
    form = next((one for one in export.FORMATS if one.name == name), None)
    if form is None:
        raise ValueError(f"form={name!r} is not written by this version")
    write = getattr(import_module(f"ramify.export.{form.module}"), form.function)
    options = {}
    if name == "sql" and query.get("dialect"):
        options["dialect"] = query["dialect"]
    ending = form.endings[0]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"tree{ending}"
        write(estimator, path=file, **options)
        content = file.read_bytes()
    media = _MEDIA.get(name, "application/octet-stream")
    return Shipped(f"{stem}-tree{ending}", content, media)
