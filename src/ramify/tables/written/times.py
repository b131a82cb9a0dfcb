"""Times of the day and durations as people write them: 14:05, 2:05 PM, 26:30:00, 1h 30m, PT1H30M.

A time has at most 24 hours, and the times of a column do not all lie soon after midnight. A
duration in two parts is minutes and seconds.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ramify.tables.forms import DAY, Form
from ramify.tables.written.cells import Cells, digit_fields, lines_with
from ramify.tables.written.numbers import Found

_LONGEST_CALL = 6 * 3600  # durations with seconds are mostly shorter than that
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?"
_HALVES = rf"{_CLOCK} ?[ap]\.?m\.?|\d{{1,2}} ?[ap]\.?m\.?"
_LONG = r"[+-]?\d{1,5}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?"
_NAMED_LONG = re.compile(r"(?i)duration|elapsed|runtime|run_time|length|(?:^|[\W_])lap(?:$|[\W_])")

_UNITS = (
    (7 * DAY, r"w|weeks?|wks?"),
    (DAY, r"d|days?|tage?|jours?"),
    (3600, r"h|hrs?|hours?|std\.?|stunden?|heures?"),
    (60, r"m|mins?|minutes?|minuten?"),
    (1, r"s|secs?|seconds?|sekunden?"),
    (1e-3, r"ms|msecs?|milliseconds?"),
    (1e-6, r"us|µs|microseconds?"),
)
_AMOUNT = r"\d+(?:[.,]\d+)?"
# From large to small; each part at most once.
_WORDS = r"[+-]?(?=\d)" + "".join(
    rf"(?:{_AMOUNT} ?(?:{words})(?![a-zµ]),? ?(?:and )?)?" for _, words in _UNITS
)
_DAYS = rf"[+-]?\d+ ?(?:d|days?),? ?(?:{_LONG})?"
_ISO = (
    r"[+-]?p(?=[\dt])(?:\d+w)?(?:\d+(?:[.,]\d+)?d)?"
    r"(?:t(?=\d)(?:\d+(?:[.,]\d+)?h)?(?:\d+(?:[.,]\d+)?m)?(?:\d+(?:[.,]\d+)?s)?)?"
)
_ANY_DURATION = rf"(?:{_DAYS}|{_ISO}|{_WORDS}|{_LONG})"
_PART = re.compile(rf"({_AMOUNT}) ?([a-zµ.]+)")
_SECONDS = tuple((re.compile(words), float(size)) for size, words in _UNITS)


def could_be_time(cells: Cells) -> bool:
    """Tell whether all cells have one of the shapes of times and durations."""
    return any(map(cells.all_fit, (_HALVES, _LONG, _ANY_DURATION)))


def find_time(cells: Cells, *, name: str = "") -> Found | None:
    """Say whether all cells of a column, in small letters, are times of the day or durations."""
    if cells.all_fit(_HALVES):
        return None if np.isnan(_times(cells.text)).any() else Found(Form("time"), True)
    if cells.all_fit(_LONG):
        if np.isnan(_clocks(cells.text)).any():
            return None
        is_time = cells.all_fit(_CLOCK) and not _NAMED_LONG.search(name)
        is_time = is_time and _is_of_day(cells)
        return Found(Form("time" if is_time else "duration"), True)
    if cells.all_fit(_ANY_DURATION) and parse_time(cells, Form("duration"))[1] is None:
        return Found(Form("duration"), True)
    return None


def _is_of_day(cells: Cells) -> bool:
    """Tell times of the day from durations, of which most are short, such as 0:07:54."""
    seconds = _times(cells.text)
    if np.isnan(seconds).any() or seconds.max() < 3600:
        return False
    counted = cells.all_fit(r"\d+:\d\d:.*") and re.search(r"\n0:", cells.shapes) is not None
    return not counted or bool(seconds.max() >= _LONGEST_CALL)


def parse_time(cells: Cells, form: Form) -> tuple[NDArray[np.float64], int | None]:
    """Read times or durations; also give the position of the first cell that is none."""
    if form.kind == "time":
        unfit = cells.first_unfit(f"{_HALVES}|{_CLOCK}")
        if unfit is not None:
            return np.empty(0), unfit
        values = _times(cells.text)
    elif cells.all_fit(_LONG):
        values = _clocks(cells.text)
    else:
        values = np.array([_duration(line) for line in cells.lines])
    wrong = np.flatnonzero(np.isnan(values))
    return values, int(wrong[0]) if len(wrong) else None


def _times(text: str) -> NDArray[np.float64]:
    """Seconds since midnight; NaN for times that no clock shows."""
    fields, sizes = digit_fields(text, 4)
    hour, minute, second, part = fields.T
    good = (hour < 24) & (minute < 60) & (second < 60)
    if "m" in text:
        late = lines_with(text, "p")
        half = late | lines_with(text, "a")
        good &= ~half | ((hour >= 1) & (hour <= 12))
        hour = np.where(half, hour % 12 + 12 * late, hour)
    seconds = hour * 3600.0 + minute * 60.0 + second + part / 10.0 ** sizes[:, 3]
    return np.where(good, seconds, np.nan)


def _clocks(text: str) -> NDArray[np.float64]:
    """Seconds of durations like 26:30:00; in two parts they are minutes and seconds."""
    fields, sizes = digit_fields(text, 4)
    large, middle, small, part = fields.T
    short = sizes[:, 2] == 0
    seconds = np.where(short, large * 60.0 + middle, large * 3600.0 + middle * 60.0 + small)
    seconds = seconds + part / 10.0 ** sizes[:, 3]
    seconds = np.where((middle > 59) | (small > 59), np.nan, seconds)
    return np.where(lines_with(text, "-"), -seconds, seconds) if "-" in text else seconds


def _duration(line: str) -> float:
    """Read one duration in words, in ISO's way, or as days and a clock; NaN if it is none."""
    if re.fullmatch(_LONG, line):
        return float(_clocks(f"\n{line}\n")[0])
    days = re.fullmatch(rf"([+-]?\d+) ?(?:d|days?),? ?({_LONG})", line)
    if days is not None:  # pandas writes "-1 days +23:00:00"
        rest = float(_clocks(f"\n{days[2]}\n")[0])
        negative = days[1].startswith("-") and days[2][0] not in "+-"
        return int(days[1]) * DAY + (-rest if negative else rest)
    if re.fullmatch(_ISO, line) is None and re.fullmatch(_WORDS, line) is None:
        return float("nan")
    total = 0.0
    for amount, word in _PART.findall(line.lstrip("+-p").replace("t", "")):
        for pattern, size in _SECONDS:
            if pattern.fullmatch(word):
                total += float(amount.replace(",", ".")) * size
                break
    return -total if line.startswith("-") else total
