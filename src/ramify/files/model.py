"""Writing and reading model files, and checking all that is common to them.

The estimators write and read their own state (`to_state`, `from_state`).
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import ramify.trees  # noqa: F401  # registers the estimators
from ramify.learning.model import MODELS, TableModel
from ramify.support.writer import write_text
from ramify.tables.level_json import least_version
from ramify.tables.values import Unsaveable, decode, encode

__all__ = ["ModelFileError", "dumps", "load", "loads", "save"]

FORMAT = "ramify"
VERSION = 9
#: The entries of every file. Those of the estimator's state follow.
_HEAD = (
    "format",
    "version",
    "estimator",
    "ramify_version",
    "parameters",
    "unsaved_parameters",
)


class ModelFileError(ValueError):
    """A file that is not a model, or not one that this version can read."""


def save(estimator: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted estimator to a file.

    Parameters
    ----------
    estimator : estimator of a tree
        A fitted estimator.
    path : str or path
        The file. An existing file is replaced; if writing fails, it stays as it was.

    Notes
    -----
    The file only names a parameter that JSON cannot hold, such as a callable criterion. The loaded
    estimator has the default instead, which matters only if it is fitted again.
    """
    write_text(path, dumps(estimator))


def load(path: str | os.PathLike[str]) -> Any:
    """Read an estimator that :func:`save` wrote.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    estimator
        As it was saved, ready to predict.

    Raises
    ------
    ModelFileError
        If the file is not a complete and consistent model.

    Examples
    --------
    >>> import os, tempfile
    >>> import ramify
    >>> model = ramify.TreeClassifier().fit([[1.0], [2.0], [3.0]], ["a", "b", "b"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model.json")
    ...     model.save(path)
    ...     print(ramify.load(path).predict([[1.2], [5.0]]))
    ['a' 'b']
    """
    data = Path(path).read_bytes()
    try:
        return loads(data)
    except ModelFileError as error:
        raise ModelFileError(f"{os.fspath(path)}: {error}") from error.__cause__


def dumps(estimator: Any) -> str:
    """Give the text of the model file of a fitted estimator."""
    name = type(estimator).__name__
    if name not in MODELS:
        raise TypeError(f"cannot save a {name}; valid choices: {', '.join(MODELS)}")
    if not estimator.__sklearn_is_fitted__():
        from sklearn.exceptions import NotFittedError

        raise NotFittedError(f"this {name} is not fitted, so there is no model to save")
    parameters: dict[str, Any] = {}
    unsaved = []
    given = estimator.get_params(deep=False)
    later = {one.name: one for one in MODELS[name].PARAMETERS if one.since > 1}
    usual = [key for key, one in later.items() if _same(given[key], one.default)]
    for key in usual:
        del given[key]  # older releases do not know it
    for key, value in given.items():
        try:
            parameters[key] = encode(value)
        except Unsaveable:
            parameters[key] = None
            unsaved.append(key)
    state = estimator.to_state()
    version = max(
        MODELS[name].file_version,
        least_version(state["schema"]),
        _least_version_of_trees(state),
        *(later[key].since for key in later.keys() & given.keys()),
    )
    document = {
        "format": FORMAT,
        "version": version,  # the lowest possible, so that older releases can read the file
        "estimator": name,
        "ramify_version": _ramify_version(),
        "parameters": parameters,
        "unsaved_parameters": unsaved,
        **state,
    }
    try:
        return json.dumps(document, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise ValueError(f"this model cannot be written as JSON: {error}") from error


def _same(value: Any, default: Any) -> bool:
    return type(value) is type(default) and bool(value == default)


def loads(text: str | bytes) -> Any:
    """Give the estimator that the text of a model file describes."""
    try:
        document = json.loads(
            text, parse_constant=_refuse_constant, object_pairs_hook=_refuse_duplicates
        )
    except RecursionError:
        raise ModelFileError("not a model file: nested too deeply") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ModelFileError("not a model file, or a damaged one: it is not JSON") from error
    except ValueError as error:  # NaN, a key twice, a number of thousands of digits
        raise ModelFileError(f"not a model file, or a damaged one: {error}") from error
    _check_head(document)
    try:
        return _build(document)
    except ModelFileError:
        raise
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise ModelFileError(f"damaged model file: {error}") from error


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def _refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise ValueError("an object names the same entry twice")
    return entries


def _check_head(document: Any) -> None:
    """Refuse what is not a model file, or one of a version or estimator that is not known."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelFileError('not a model file: "format" is not "ramify"')
    version = document.get("version")
    if type(version) is not int or version < 1:
        raise ModelFileError(f"version={version!r} must be an integer of at least 1")
    if version > VERSION:
        raise ModelFileError(
            f"the file has format version {version}, written by ramify "
            f"{document.get('ramify_version')}; this ramify {_ramify_version()} reads versions up "
            f"to {VERSION}: install a newer one"
        )
    if missing := [entry for entry in _HEAD if entry not in document]:
        raise ModelFileError(f"damaged model file: {missing[0]!r} is missing")
    if not isinstance(document["ramify_version"], str):
        raise ModelFileError("damaged model file: ramify_version must be a string")
    name = document["estimator"]
    if not isinstance(name, str) or name not in MODELS:
        raise ModelFileError(f"estimator={name!r} is unknown; valid choices: {', '.join(MODELS)}")
    model = MODELS[name]
    if missing := [entry for entry in model.state_entries if entry not in document]:
        raise ModelFileError(f"damaged model file: {missing[0]!r} is missing, which {name} needs")
    known = {*_HEAD, *model.state_entries, *model.optional_entries}
    if unknown := sorted(set(document) - known):
        raise ModelFileError(
            f"damaged model file: unknown entry {unknown[0]!r}, which {name} does not have"
        )


def _build(document: dict[str, Any]) -> TableModel:
    model = MODELS[document["estimator"]]
    estimator = model()
    estimator.set_params(**_parameters(document, estimator))
    # Only a fit checks the parameters otherwise, and a loaded model is not fitted again.
    estimator.check_parameters()
    entries = (*model.state_entries, *model.optional_entries)
    estimator.from_state({key: document[key] for key in entries if key in document})
    return estimator


def _parameters(document: dict[str, Any], estimator: Any) -> dict[str, Any]:
    """Give the parameters of the file, without those that it only names."""
    given, unsaved = document["parameters"], document["unsaved_parameters"]
    if not isinstance(given, dict):
        raise ModelFileError("damaged model file: parameters must be an object")
    if not isinstance(unsaved, list) or not all(isinstance(key, str) for key in unsaved):
        raise ModelFileError("damaged model file: unsaved_parameters must be a list of names")
    known = estimator.get_params(deep=False)
    if unknown := sorted(given.keys() - known.keys()):
        raise ModelFileError(
            f"parameter {unknown[0]!r} is unknown to this {document['estimator']} of ramify "
            f"{_ramify_version()}; the file was written by ramify {document['ramify_version']}"
        )
    return {
        key: decode(value, f"parameters.{key}")
        for key, value in given.items()
        if key not in unsaved
    }


def _least_version_of_trees(state: dict[str, Any]) -> int:
    """Give the first version that can hold the trees.

    Version 7 has p-values of competitors, and version 8 what was set by hand.
    """
    trees = [state.get("tree"), (state.get("pruning") or {}).get("grown")]
    if any(tree and ("by_hand" in tree or "history" in tree) for tree in trees):
        return 8
    return 7 if any(tree and "log_p" in tree.get("competitors", ()) for tree in trees) else 1


def _ramify_version() -> str:
    import ramify

    return str(getattr(ramify, "__version__", "unknown"))
