"""Numbers as people write them: groups of digits, decimal commas, currencies, percent, negatives.

A cell is a number under a decimal sign and a sign between groups. Which two signs a column uses is
decided from all of its cells; where they leave it open, a hint decides, or else what is usual.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ramify.tables.forms import Form
from ramify.tables.written.cells import Cells
from ramify.tables.written.units import CURRENCY, SCALE, SCALES, SUFFIX, is_money, unit_of

_ANY = r"(?:\d(?:[\d.,' ]*\d)?[.,]?|[.,]\d+)"
_EXPONENT = r"(?:[eE][+-]?\d{1,3})?"
_CODE = re.compile(r"(?<![\d.,'])0\d")
_ZERO = re.compile(r"[+-]?0*[.,]?0*")
_NO_UNIT = re.compile(r"[\d\s.,'()+\-]*")
_WORD = re.compile(rf"(?:{CURRENCY}|{SUFFIX})(?![^\W\d])")
_SCALED = re.compile(rf"(?<=[\d ]){SCALE}(?= ?(?:{CURRENCY})?[ )\-]*$)", re.MULTILINE)
_CODE_NAME = re.compile(
    r"(?i)(?:^|[\W_])(?:phone|telephone|tel|fax|mobile|zip|zipcode|postcode|postal|plz|ssn|iban|isbn|"
    r"ean|gtin|ip|version)(?:$|[\W_])"
)
#: A float64 keeps all whole numbers of fewer digits.
_LONG_DIGITS, _ALIKE = 16, 0.9
_LONG = re.compile(rf"\d{{{_LONG_DIGITS}}}")


@dataclass(frozen=True)
class Found:
    """A form, and what the cells prove.

    Parameters
    ----------
    form : Form
        The form.
    proven : bool
        Whether the cells alone prove it; otherwise a hint would be heard.
    shows : {"", ".", ",", "dmy", "mdy"}
        The decimal sign or the order of dates that the cells prove, a hint for other columns.
    """

    form: Form
    proven: bool
    shows: str = ""


def could_be_number(cells: Cells) -> bool:
    """Tell whether all cells have digits, signs and units where a number may have them."""
    return cells.all_fit(_cell(_ANY))


def find_number(
    cells: Cells, *, name: str = "", decimal: str | None = None, codes: bool = False
) -> Found | None:
    """Say how the numbers of a column are written; None if a cell is no number.

    Parameters
    ----------
    cells : Cells
        The distinct cells, without gaps.
    name : str
        The column's name: telephone numbers and zip codes are no numbers.
    decimal : {".", ","}, optional
        The likely decimal sign, heard where the cells leave it open.
    codes : bool
        Whether codes like 007 are numbers.
    """
    if not could_be_number(cells) or (not codes and _CODE.search(cells.shapes)):
        return None
    if not codes and are_long_keys(cells):
        return None
    unit = _find_unit(cells)
    if unit is None or (not codes and _is_mark(cells)):
        return None
    body = _bodies(cells.shapes)
    ways = [way for way in _ways(body) if cells.all_fit(_cell(_digits(*way, codes=codes)))]
    if not ways:
        return None
    proven = len(ways) == 1
    sign, group = ways[0] if proven else _choose(ways, body, unit, decimal)
    if not codes and group and _is_code(body, name, unit, sign, group):
        return None
    shows = sign if proven and set(body) & {".", ","} else ""
    return Found(Form("number", decimal=sign, thousands=group, unit=unit), proven, shows)


def are_long_keys(cells: Cells) -> bool:
    """Tell whether cells are long whole numbers, of about one length, that float64 would round.

    Such numbers are keys; quantities of that size differ in length.
    """
    if not _LONG.search(cells.shapes) or not cells.all_fit(r"[+-]?\d+"):
        return False
    lengths = np.array([len(shape.lstrip("+-")) for shape in cells.shape_lines])
    usual = int(np.bincount(lengths).argmax())
    alike = float((np.abs(lengths - usual) <= 1).mean())
    if usual < _LONG_DIGITS or alike < _ALIKE:
        return False
    return any(int(float(cell)) != int(cell) for cell in cells.lines)


def parse_number(cells: Cells, form: Form) -> tuple[NDArray[np.float64], int | None]:
    """Read numbers of a form; also give the position of the first cell that does not fit."""
    unfit = cells.first_unfit(_cell(_digits(form.decimal, form.thousands, codes=True)))
    if unfit is None and form.unit != _find_unit(cells):
        unfit = cells.first(lambda shape: bool(_units(shape) - {form.unit}))
    if unfit is not None:
        return np.empty(0), unfit
    text = cells.text
    words = _words(cells.shapes)
    scales = _scales(cells) if is_money(form.unit) else None
    if scales is not None:
        words |= set(_SCALED.findall(cells.shapes))
    for word in sorted(words, key=len, reverse=True):
        text = text.replace(word, "")
    text = text.translate(_drop(form.decimal, form.thousands))
    if "-\n" in text:
        text = re.sub(r"\n([^\n]+)-(?=\n)", r"\n-\1", text)
    values = np.fromiter(map(float, text[1:-1].split("\n")), np.float64, cells.n)
    return (values if scales is None else values * scales), None


@cache
def _drop(decimal: str, thousands: str) -> dict[int, str | None]:
    table: dict[int, str | None] = {ord(" "): None, ord("'"): None, ord(")"): None, ord("("): "-"}
    if thousands:
        table[ord(thousands)] = None
    return table | {ord(decimal): "."}


@cache
def _digits(decimal: str, thousands: str, *, codes: bool) -> str:
    """Give the pattern of digits under two signs; groups begin with a digit other than 0."""
    whole = r"\d+" if codes else r"(?:0|[1-9]\d*)"
    if thousands:
        sign = re.escape(thousands)
        whole = rf"(?:[1-9]\d{{0,2}}(?:{sign}\d{{3}})+(?!\d)|{whole})"
        if thousands == ",":  # lakh and crore: 12,34,567
            whole = rf"(?:[1-9]\d?(?:,\d\d)+,\d{{3}}(?!\d)|{whole})"
    point = re.escape(decimal)
    return rf"(?:{whole}(?:{point}\d*)?|{point}\d+)"


@cache
def _cell(digits: str) -> str:
    """Give the pattern of a cell: digits with a sign and a unit, or in parentheses."""
    number = rf"{digits}{_EXPONENT}"
    money = rf"{CURRENCY} ?{number}(?: ?{SCALE})?(?: ?{CURRENCY})?|{number} ?{SCALE} ?{CURRENCY}"
    plain = rf"(?:{number}(?: ?{SUFFIX})?|{money})"
    return (
        rf"(?:[+-] ?)?{plain}|{CURRENCY} ?[+-] ?{number}(?: ?{SCALE})?|{plain} ?-|\( ?{plain} ?\)"
        rf"|{CURRENCY} ?\({number}\)|\({number}\) ?{SUFFIX}"
    )


def _words(shapes: str) -> set[str]:
    """Give the words of units; the letters of exponents and scales are none."""
    if _NO_UNIT.fullmatch(shapes):
        return set()
    shapes = re.sub(r"(?<=\d)[eE](?=[+-]?\d)", " ", shapes)
    if re.search(CURRENCY, shapes):
        shapes = _SCALED.sub(" ", shapes)
    return set(_WORD.findall(shapes))


def _units(shapes: str) -> set[str]:
    return {unit_of(word) for word in _words(shapes)}


def _find_unit(cells: Cells) -> str | None:
    """Give the unit of all cells, "" if there is none, None if there are several.

    Beside a measure or a percentage only a zero may stand alone: other numbers could be of another
    unit, such as 0.5 beside 50 %.
    """
    units = _units(cells.shapes)
    if len(units) != 1:
        return None if units else ""
    unit = units.pop()
    bare = [shape for shape in cells.shapes[1:-1].split("\n") if _NO_UNIT.fullmatch(shape)]
    if is_money(unit) or not bare:
        return unit
    alone = (cell for cell in cells.lines if _NO_UNIT.fullmatch(cell))
    return unit if all(_ZERO.fullmatch(cell) for cell in alone) else None


def _scales(cells: Cells) -> NDArray[np.float64] | None:
    if not _SCALED.search(cells.shapes):
        return None
    found = (_SCALED.search(cell) for cell in cells.lines)
    return np.array([1.0 if one is None else SCALES[one[0].lower()] for one in found])


def _is_mark(cells: Cells) -> bool:
    """Tell what looks like a number and is a mark: (1), (2), the grade 2-, or +49 170 123 456."""
    shapes = cells.shapes
    if cells.all_fit(r"\+\d+(?: \d+)+"):
        return True
    if "(" in shapes and cells.n > 1 and shapes.count("(") == shapes.count("\n") - 1:
        return True
    return re.search(r"\n\d ?-(?=\n)", shapes) is not None


def _bodies(shapes: str) -> str:
    """Give the digits of the cells with the signs between them."""
    if not _NO_UNIT.fullmatch(shapes):
        shapes = re.sub(r"(?<=\d)[eE][+-]?\d+", "", shapes)
        shapes = re.sub(r"[^\d\n.,' ()+\-]+\.?", "", shapes)  # with the point of "kr." and "Rs."
    shapes = re.sub(r"[()+\-]", "", shapes)
    return re.sub(r" *\n *", "\n", shapes)


def _ways(body: str) -> list[tuple[str, str]]:
    """Give the pairs of signs (decimal, thousands) that could explain the cells."""
    seen = set(body)
    group = next((sign for sign in "' " if sign in seen), "")
    if not seen & {".", ","}:
        return [(".", group)]
    if group:
        return [(".", group)] if "," not in seen else [(",", group)] if "." not in seen else []
    if "," not in seen:
        return [(".", ""), (",", ".")]
    if "." not in seen:
        return [(".", ","), (",", "")]
    return [(".", ","), (",", ".")]


def _choose(
    ways: list[tuple[str, str]], body: str, unit: str, decimal: str | None
) -> tuple[str, str]:
    """Choose a way where the cells allow two: every sign has exactly three digits behind it."""
    by_sign = dict(ways)
    if decimal in by_sign:
        return decimal, by_sign[decimal]
    sign = "," if "," in body else "."
    other = "." if sign == "," else ","
    as_decimal, as_group = (sign, by_sign[sign]), (other, by_sign[other])
    if re.search(r"\n\d{4}", body):
        return as_decimal  # the digits of large numbers are not in groups
    if sign == ",":
        return as_decimal if unit == "%" else as_group
    # Few sums have three decimals, but those of dollars and pounds have a point before them.
    return as_group if is_money(unit) and unit not in ("$", "£", "¥", "₹") else as_decimal


def _is_code(body: str, name: str, unit: str, decimal: str, group: str) -> bool:
    """Tell groups of digits that are no number: telephone numbers and internet addresses."""
    if unit or group == ",":
        return False
    if _CODE_NAME.search(name):
        return True
    if decimal in body:
        return False
    shapes = body[1:-1].split("\n")
    groups = {shape.count(group) for shape in shapes}
    if min(groups) < 2:
        return False
    return len({len(shape) for shape in shapes}) == 1 or groups == {3}
