"""Names of months and weekdays in dates: English, German, French, Spanish, Italian, Dutch."""

from __future__ import annotations

import re

_MONTHS = (
    "january jan januar jänner janvier janv enero ene gennaio gen januari",
    "february feb februar feber février févr fév fevrier fevr febrero febbraio februari",
    "march mar märz mär mrz maerz mars marzo maart mrt",
    "april apr avril avr abril abr aprile",
    "may mai mayo maggio mag mei",
    "june jun juni juin junio giugno giu",
    "july jul juli juillet juil julio luglio lug",
    "august aug août aout agosto ago augustus",
    "september sep sept septembre septiembre setiembre settembre set",
    "october oct oktober okt octobre octubre ottobre ott",
    "november nov novembre noviembre",
    "december dec dezember dez décembre déc decembre diciembre dic dicembre",
)
_NUMBER = {word: i for i, words in enumerate(_MONTHS, start=1) for word in words.split()}
_LONGEST_FIRST = sorted(_NUMBER, key=len, reverse=True)
MONTH = rf"(?:{'|'.join(_LONGEST_FIRST)})"
"""A pattern of months in small letters."""

_WEEKDAYS = (
    "monday mon tuesday tues tue wednesday wed thursday thurs thur thu friday fri saturday sat "
    "sunday sun montag mo dienstag di mittwoch mi donnerstag do freitag fr samstag sonnabend sa "
    "sonntag so lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves "
    "viernes sábado domingo"
)
WEEKDAY = rf"(?:{'|'.join(sorted(_WEEKDAYS.split(), key=len, reverse=True))})(?:\.?,? |\., ?)"
"""A pattern of weekdays in small letters, before a date."""
_LEADING_WEEKDAY = re.compile(rf"(?<=\n){WEEKDAY}(?=\S)")


def without_weekdays(text: str) -> str:
    """Leave out the weekdays with which lines begin."""
    return text if text[1:2].isdecimal() else _LEADING_WEEKDAY.sub("", text)


def with_numbers(text: str) -> str:
    """Write the names of months as numbers."""
    for word in _LONGEST_FIRST:
        if word in text:
            text = text.replace(word, f" {_NUMBER[word]} ")
    return text
