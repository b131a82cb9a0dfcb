"""Data sets from OpenML through scikit-learn's loader, with nominal columns kept nominal."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ramify.datasets.dataset import Dataset
from ramify.learning.parameters import choice
from ramify.tables.levels import is_missing

# UCI's number -> OpenML's name and version of the same table. Version 1 is Weka's copy, as a rule.
UCI: Mapping[int, tuple[str, int]] = {
    1: ("abalone", 1),
    2: ("adult", 2),
    3: ("anneal", 1),
    5: ("arrhythmia", 1),
    9: ("autoMpg", 1),
    10: ("autos", 1),
    12: ("balance-scale", 1),
    14: ("breast-cancer", 1),
    15: ("breast-w", 1),
    17: ("wdbc", 1),
    19: ("car", 1),
    22: ("kr-vs-kp", 1),
    27: ("credit-approval", 1),
    30: ("cmc", 1),
    33: ("dermatology", 1),
    39: ("ecoli", 1),
    42: ("glass", 1),
    46: ("hepatitis", 1),
    50: ("segment", 1),
    52: ("ionosphere", 1),
    53: ("iris", 1),
    59: ("letter", 1),
    69: ("splice", 1),
    73: ("mushroom", 1),
    76: ("nursery", 1),
    80: ("optdigits", 1),
    81: ("pendigits", 1),
    90: ("soybean", 1),
    94: ("spambase", 1),
    101: ("tic-tac-toe", 1),
    105: ("vote", 1),
    108: ("waveform-5000", 1),
    109: ("wine", 1),
    110: ("yeast", 1),
    111: ("zoo", 1),
    144: ("credit-g", 1),
    149: ("vehicle", 1),
    151: ("sonar", 1),
}


def fetch(
    name: str | int,
    *,
    source: Literal["openml", "uci"] = "openml",
    version: int | Literal["active"] = "active",
    target: str | None = None,
    data_home: str | None = None,
) -> Dataset:
    """Fetch a data set from OpenML; needs a network the first time, then comes from the cache.

    Nominal columns arrive as text with their declared levels, whatever they look like; numbers as
    float64. Without a network, use the built-in data (`load_titanic`, `load_car`, ...) or files
    (`read_table_file`).

    Parameters
    ----------
    name : str or int
        The name of the data set or its number at the source.
    source : {"openml", "uci"}
        "uci" takes the number that the UCI repository gives its classical sets, and fetches the
        copy at OpenML.
    version : int or "active"
        For a name at OpenML: which version; "active" is the oldest that is active.
    target : str, optional
        The column to predict, if it is not OpenML's default.
    data_home : str, optional
        The folder of the cache; scikit-learn's own if not given.

    Raises
    ------
    ConnectionError
        If OpenML cannot be reached.
    ValueError
        If it has no such data set.

    Examples
    --------
    >>> fetch("credit-g", version=1)  # doctest: +SKIP
    Dataset(1000 rows, 7 numeric and 13 nominal columns, target 'class')
    >>> fetch(19, source="uci").target_name  # doctest: +SKIP
    'class'
    """
    choice("source", source, ("openml", "uci"))
    if isinstance(name, bool) or not isinstance(name, (str, int, np.integer)):
        raise ValueError(f"name={name!r} must be the name of a data set or its number")
    wanted: dict[str, Any]
    if source == "uci":
        if name not in UCI:
            known = ", ".join(f"{number} ({known})" for number, (known, _) in UCI.items())
            raise ValueError(f"name={name!r} is not one of the UCI numbers {known}")
        found, number = UCI[int(name)]
        wanted = {"name": found, "version": number}
    elif isinstance(name, str):
        wanted = {"name": name, "version": version}
    else:
        wanted = {"data_id": int(name)}
    bunch = _download(name, wanted, target=target, data_home=data_home)
    return _dataset(bunch, name)


def _download(
    name: str | int, wanted: dict[str, Any], *, target: str | None, data_home: str | None
) -> Any:
    from sklearn.datasets import fetch_openml

    # Columns of free text need a frame; without pandas, nominal columns come as coded arrays.
    framed = importlib.util.find_spec("pandas") is not None
    try:
        return fetch_openml(
            **wanted,
            target_column="default-target" if target is None else target,
            data_home=data_home,
            as_frame=framed,
            parser="auto" if framed else "liac-arff",
        )
    except OSError as error:  # URLError, time-outs and refused connections are kinds of it
        raise ConnectionError(
            f"cannot fetch {name!r} from OpenML ({error}); without a network use a built-in data "
            "set (ramify.datasets.load_...) or a file (read_table_file)"
        ) from error


def _dataset(bunch: Any, name: str | int) -> Dataset:
    names = list(bunch.feature_names)
    levels = {column: tuple(map(str, known)) for column, known in (bunch.categories or {}).items()}
    y = None if bunch.target is None else _plain(bunch.target)
    if y is not None and y.ndim != 1:
        raise ValueError(f"{name!r} has several targets ({bunch.target_names}); name one as target")
    if hasattr(bunch.data, "columns"):
        columns = {column: _plain(bunch.data[column]) for column in names}
    else:
        columns = {
            column: _decoded(bunch.data[:, j], levels[column])
            if column in levels
            else _plain(bunch.data[:, j])
            for j, column in enumerate(names)
        }
    about = bunch.details or {}
    return Dataset(
        data=columns,
        target=y,
        target_name=None if y is None else bunch.target_names[0],
        description=f"OpenML {about.get('id', '?')}: {about.get('name', name)}, "
        f"version {about.get('version', '?')}.",
        levels={column: known for column, known in levels.items() if column in columns},
    )


def _plain(column: Any) -> NDArray[Any]:
    """Turn an array or a pandas column into float64 if it holds numbers, else into text."""
    values = np.asarray(column)
    # A category of numbers is an array of numbers by now, but not a column of them.
    if str(getattr(column, "dtype", "")) != "category" and values.dtype.kind in "iuf":
        return values.astype(np.float64)
    texts = np.empty(values.shape, dtype=object)
    flat = [None if is_missing(cell) else str(cell) for cell in values.ravel().tolist()]
    texts.ravel()[:] = flat
    return texts


def _decoded(codes: NDArray[Any], levels: tuple[str, ...]) -> NDArray[Any]:
    """Turn positions of levels, NaN where missing, into the levels."""
    texts = np.empty(len(codes), dtype=object)
    texts[:] = [None if is_missing(code) else levels[int(code)] for code in codes.tolist()]
    return texts
