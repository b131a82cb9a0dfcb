"""What is kept of a fitted model: digests of its tree, predictions, texts, file and exports.

Numbers are rounded to nine digits, so that a compiler's choice of instructions changes nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from golden.cases import Case
from golden.tables import example
from ramify import export

PATH = Path(__file__).parent / "digests.json"
DIGITS = 9
NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?|-?\d+e[-+]?\d+")
Digests = dict[str, dict[str, str]]  # case -> part -> digest


def rounded(value: Any) -> Any:
    """Round every number of a nested value."""
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(each) for each in value]
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") + 0.0
    return value


def digest(value: Any) -> str:
    """Give a short digest of text, bytes or a nested value."""
    if not isinstance(value, str):
        value = json.dumps(rounded(value), sort_keys=True)
    value = NUMBER.sub(lambda found: f"{float(found[0]):.{DIGITS}g}", value)
    return hashlib.sha256(value.encode()).hexdigest()[:10]


def plain(array: Any) -> Any:
    """Give an array as a list of lists of numbers or text."""
    return np.asarray(array).tolist()


def model_file(model: Any) -> Any:
    """Give the saved model without what names a version or a time."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save(path)
        saved = json.loads(path.read_text())
    return without_versions(saved)


def without_versions(value: Any) -> Any:
    """Leave out versions and times, which may change without the model changing."""
    if isinstance(value, dict):
        kept = {k: v for k, v in value.items() if "version" not in k and "seconds" not in k}
        return {key: without_versions(each) for key, each in kept.items()}
    if isinstance(value, list):
        timed = len(value) == 2 and value[0] == "seconds"  # an item of a dict
        return "seconds" if timed else [without_versions(each) for each in value]
    return value


def parts(case: Case) -> dict[str, str]:
    """Fit a case and give its digests, by part."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = case.fit()
        X = example(case.table).X
        found: dict[str, Callable[[], Any]] = {"predict": lambda: plain(model.predict(X))}
        if hasattr(model, "predict_proba"):
            found["proba"] = lambda: plain(model.predict_proba(X))
        if hasattr(model, "tree_"):
            tree = model.tree_
            found |= {
                "tree": tree.to_dict,
                # Different rows: sums of their parts are words alone, tested elsewhere.
                "text": lambda: tree.to_text(different_rows=True),
                "rules": lambda: "\n".join(map(str, tree.rules(different_rows=True))),
                "apply": lambda: plain(model.apply(X)),
                "importances": lambda: plain(model.feature_importances_),
            }
        if hasattr(model, "pruning_path_"):
            found["path"] = lambda: {key: plain(v) for key, v in dict(model.pruning_path_).items()}
        found["to_dot"] = lambda: export.to_dot(model, different_rows=True)
        for name in ("to_python", "to_c", "to_sql", "to_pmml"):
            found[name] = lambda name=name: getattr(export, name)(model)
        found["file"] = lambda: model_file(model)
        return {part: of(make) for part, make in found.items()}


def of(make: Callable[[], Any]) -> str:
    """Give a digest; if the call is refused, the class of its error."""
    try:
        return digest(make())
    except (ValueError, TypeError, AttributeError, NotImplementedError) as error:
        return f"{type(error).__name__}"


def read() -> Digests:
    """Read the digests that are kept."""
    return dict(json.loads(PATH.read_text())) if PATH.exists() else {}


def write(found: Digests) -> None:
    """Keep digests, one line a case."""
    lines = [f"{json.dumps(name)}: {json.dumps(found[name])}" for name in sorted(found)]
    PATH.write_text("{\n" + ",\n".join(lines) + "\n}\n")
