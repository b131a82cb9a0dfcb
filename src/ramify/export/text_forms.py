"""What the head of an export says of columns that were read from text such as "$1,234".

An export takes numbers and dates. `predict` reads such text as the model has learnt to.
"""

from __future__ import annotations

from ramify.export.routing import RoutedTree
from ramify.export.source_text import one_line
from ramify.tables.forms import Form
from ramify.tables.written.units import is_money

_DATES = {"dmy": "31/12/2019", "mdy": "12/31/2019"}


def text_form_lines(routed: RoutedTree, *, dates: bool = True) -> list[str]:
    """Say of each column that the tree asks about how its text was read, if it was text.

    Without `dates` only numbers are told of: an export may say elsewhere what a date is in it.
    """
    forms = {routed.schema(j).input: routed.schema(j).form for j in routed.columns}
    shown = {
        name: example_of(form)
        for name, form in forms.items()
        if form is not None and (dates or not form.is_time)
    }
    found = {name: pair for name, pair in shown.items() if pair is not None}
    if not found:
        return []
    return [
        "These columns were read from text. Give them as the values behind the arrows:",
        *(one_line(f"  {name}: {before} -> {after}") for name, (before, after) in found.items()),
    ]


def example_of(form: Form) -> tuple[str, str] | None:
    """Give a text of a form and its value; None if the text is the value.

    Examples
    --------
    >>> example_of(Form("number", thousands=",", unit="$"))
    ('$1,234', '1234')
    >>> example_of(Form("number", decimal=",", unit="%"))
    ('12,5 %', '12.5')
    >>> example_of(Form("date", order="dmy"))
    ('31/12/2019', '2019-12-31')
    """
    if form.kind in ("date", "datetime") and form.order in _DATES:
        return _DATES[form.order], "2019-12-31"
    if form.kind != "number" or not (form.unit or form.thousands or form.decimal != "."):
        return None
    before, after = f"12{form.decimal}5", "12.5"
    if form.thousands:
        before, after = f"1{form.thousands}234", "1234"
        if form.decimal == ",":  # 1.234 alone could be either
            before, after = f"{before},5", "1234.5"
    if form.decimal == "." and is_money(form.unit) and not form.unit.isalpha():
        return f"{form.unit}{before}", after
    return f"{before} {form.unit}".rstrip(), after
