"""What a reader did to the columns of a file beyond reading them as they are written."""

from __future__ import annotations

from dataclasses import dataclass

from ramify.tables.forms import Form


@dataclass(frozen=True)
class Reading:
    """How a column of text was read as numbers, dates or times.

    Parameters
    ----------
    form : Form
        What the numbers mean, and how the text writes them.
    example_before, example_after : str
        A cell of the file, and what it was read as.
    extra_missing : tuple of str
        Cells that count as missing here because all others are of the form, such as "unknown".

    Examples
    --------
    >>> str(Reading(Form("number", unit="$", thousands=","), "$1,234", "1234", ("tba",)))
    "read as number: $1,234 -> 1234; missing: 'tba'"
    """

    form: Form
    example_before: str
    example_after: str
    extra_missing: tuple[str, ...] = ()

    def __str__(self) -> str:
        kind = "date and time" if self.form.kind == "datetime" else self.form.kind
        shown = f", such as {self.example_after}"
        if self.example_before != self.example_after:
            shown = f": {self.example_before} -> {self.example_after}"
        text = f"read as {kind}{shown}"
        if self.form.unit and self.form.unit not in self.example_before:
            text += f" (in {self.form.unit})"
        if not self.extra_missing:
            return text
        shown = ", ".join(map(repr, self.extra_missing[:3]))
        more = len(self.extra_missing) - 3
        return f"{text}; missing: {shown}{f' and {more} more' if more > 0 else ''}"


@dataclass(frozen=True)
class Note:
    """Something about a file that its user should know.

    Parameters
    ----------
    column : str
        The column, as it is called now.
    kind : {"renamed", "unnamed", "mixed", "long_numbers"}
        What it is about.
    text : str
        The note, a sentence without a stop.
    """

    column: str
    kind: str
    text: str

    def __str__(self) -> str:
        return self.text
