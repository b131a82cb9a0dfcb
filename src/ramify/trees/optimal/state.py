"""The search for an optimal tree in a model file: error, bound, proof, history."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ramify.tables.values import decode, encode
from ramify.trees.optimal.search import SearchHistory

#: Facts of known type. Others may be any number, word or null.
_WORDS = ("features", "stopped_by")
_ANSWERS = ("all_thresholds", "all_level_sets", "below_upper_bound")
_COUNTS = ("n_features", "n_thresholds", "rows_ranked", "searches")
_ENTRIES = ("error", "lower_bound", "proven_optimal", "history", "facts")


def write_search(estimator: Any) -> dict[str, Any]:
    """Give the search of a fitted estimator as JSON values."""
    history = estimator.history_
    return {
        "error": estimator.error_,
        "lower_bound": estimator.lower_bound_,
        "proven_optimal": bool(estimator.proven_optimal_),
        "history": {name: history[name].tolist() for name in history},
        "facts": encode(estimator.search_),
    }


def read_search(document: Any, estimator: Any) -> None:
    """Set the search of an estimator; a ValueError names the entry that is wrong."""
    if not isinstance(document, dict) or set(document) != set(_ENTRIES):
        raise ValueError(f"search must be an object with {', '.join(_ENTRIES)}")
    for name in ("error", "lower_bound"):
        value = document[name]
        if type(value) not in (int, float) or not math.isfinite(value) or value < 0:
            raise ValueError(f"search.{name}={value!r:.80} must be a number of at least 0")
    if type(document["proven_optimal"]) is not bool:
        raise ValueError("search.proven_optimal must be true or false")
    estimator.error_ = float(document["error"])
    estimator.lower_bound_ = float(document["lower_bound"])
    estimator.proven_optimal_ = document["proven_optimal"]
    estimator.history_ = _history(document["history"])
    estimator.search_ = _facts(document["facts"])


def _facts(document: Any) -> dict[str, Any]:
    """Read the facts about the search. Other releases may write more or fewer of them."""
    facts = decode(document, "search.facts")
    if not isinstance(facts, dict) or not all(isinstance(key, str) for key in facts):
        raise ValueError("search.facts must be a dict from names")
    for key, value in facts.items():
        if value is not None and not isinstance(value, str | bool | int | float):
            raise ValueError(f"search.facts: {key} must be a number, a word or null")
    for keys, kind, what in (
        (_WORDS, str, "a word"),
        (_ANSWERS, bool, "true, false or null"),
        (_COUNTS, int, "an integer or null"),
    ):
        for key in facts.keys() & set(keys):
            value = facts[key]
            if type(value) is not kind and (value is not None or kind is str):
                raise ValueError(f"search.facts: {key}={value!r:.80} must be {what}")
    seconds: Any = facts.get("seconds")
    if type(seconds) not in (int, float) or not 0 <= seconds < math.inf:
        raise ValueError(f"search.facts: seconds={seconds!r:.80} must be a number of at least 0")
    return facts


def _history(document: Any) -> SearchHistory:
    names = SearchHistory.COLUMNS
    if not isinstance(document, dict) or set(document) != set(names):
        raise ValueError(f"search.history must be an object with {', '.join(names)}")
    columns: list[Any] = []
    for name in names:
        values = document[name]
        kinds = {int} if name == "n_features" else {int, float}
        if not isinstance(values, list) or not set(map(type, values)) <= kinds:
            raise ValueError(f"search.history.{name} must be a list of numbers")
        column = np.array(values, dtype=np.int64 if name == "n_features" else np.float64)
        if not np.isfinite(column).all() or len(values) != len(document[names[0]]):
            raise ValueError(f"search.history.{name} does not fit the other columns")
        columns.append(column)
    return SearchHistory(*columns)
