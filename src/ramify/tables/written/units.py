"""The units that may stand beside a number: currencies, percent, measures."""

from __future__ import annotations

import re

_CODES = (
    "usd eur gbp jpy cny rmb inr chf sek nok dkk isk pln czk huf ron bgn aud cad nzd brl mxn zar "
    "rub uah try krw sgd hkd twd thb php idr myr vnd ils aed sar egp ngn kes ars clp cop pen pkr"
)
_OTHER = r"kr\. kr sfr\. sfr fr\. zł kč (?-i:Ft) rs\. rs rp rm lei лв\. руб\. tl"
_SIGN = r"(?:(?:us|au|ca|nz|hk|sg|a|c|s|r|nt|mx)?\$|[€£¥₹₽₩₪₺₴₫฿₦₱¢])"
_CURRENCY = rf"{_SIGN}|{_OTHER.replace(' ', '|')}|{_CODES.replace(' ', '|')}"
CURRENCY = rf"(?i:{_CURRENCY})"
"""A pattern of the signs and codes of currencies."""

_SAME_CURRENCY = {
    "us$": "$", "usd": "$", "eur": "€", "gbp": "£", "jpy": "¥", "cny": "¥", "rmb": "¥", "inr": "₹",
    "rs": "₹", "rs.": "₹", "rub": "₽", "руб.": "₽", "krw": "₩", "ils": "₪", "try": "₺", "tl": "₺",
    "uah": "₴", "vnd": "₫", "thb": "฿", "kr.": "kr", "sfr": "CHF", "sfr.": "CHF", "fr.": "CHF",
    "chf": "CHF", "kč": "CZK", "czk": "CZK", "zł": "PLN", "pln": "PLN", "huf": "HUF",
}  # fmt: skip

SCALES = {
    "k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "mio": 1e6, "mio.": 1e6, "million": 1e6,
    "b": 1e9, "bn": 1e9, "billion": 1e9, "mrd": 1e9, "mrd.": 1e9,
}  # fmt: skip
"""Words that scale a sum of money: "$1.2M"."""
SCALE = rf"(?i:{'|'.join(re.escape(word) for word in sorted(SCALES, key=len, reverse=True))})"

_MEASURES = {
    "kg": "kg kgs", "g": "g gr", "mg": "mg", "lb": "lb lbs", "oz": "oz", "t": "t",
    "km": "km", "m": "m", "cm": "cm", "mm": "mm", "mi": "mi mile miles", "ft": "ft feet foot",
    "in": "in inch inches", "l": "l liter liters litre litres", "ml": "ml", "cl": "cl",
    "gal": "gal gallons", "hp": "hp ps bhp", "kW": "kw", "kWh": "kwh", "W": "w", "V": "v",
    "Hz": "hz", "MHz": "mhz", "GHz": "ghz", "KB": "kb", "MB": "mb", "GB": "gb", "TB": "tb",
    "px": "px", "mph": "mph", "km/h": "km/h kmh kph", "rpm": "rpm", "mpg": "mpg",
    "cc": "cc ccm cm3",
    "°C": "°c", "°F": "°f", "°": "°", "bar": "bar", "psi": "psi", "hPa": "hpa", "kcal": "kcal",
    "m²": "m² m2 sqm qm", "m³": "m³ m3", "sq ft": "sqft", "h": "h hr hrs hour hours",
    "min": "min mins minute minutes", "s": "s sec secs second seconds", "ms": "ms",
    "day": "day days", "week": "week weeks", "month": "month months mo",
    "year": "year years yrs yr",
}  # fmt: skip
_MEASURE_OF = {word: unit for unit, words in _MEASURES.items() for word in words.split()}
_LONGER = sorted((word for word in _MEASURE_OF if len(word) > 1), key=len, reverse=True)
_WORDS = "|".join(map(re.escape, _LONGER))
# One letter is a unit only as it is written: 5 m, but not the sizes 36 L, 38 L.
_LETTERS = "[gtmlhsWV°]"
SUFFIX = rf"(?:(?i:{_CURRENCY}|{_WORDS}|sq\.? ?ft\.?|percent|pct)|{_LETTERS}|%|‰)"
"""A pattern of what may follow a number."""


def unit_of(token: str) -> str:
    """Give one name for the spellings of a unit: "US$", "USD" and "$" are "$"."""
    if token.strip() == "Ft":
        return "HUF"  # "ft" are feet
    token = token.strip().lower()
    if token in _SAME_CURRENCY:
        return _SAME_CURRENCY[token]
    if token in ("%", "percent", "pct"):
        return "%"
    if token.startswith("sq"):
        return "sq ft"
    if token in _MEASURE_OF:
        return _MEASURE_OF[token]
    return token.upper() if token.isascii() and token.isalpha() and len(token) == 3 else token


def is_money(unit: str) -> bool:
    """Tell whether a unit is a currency."""
    return bool(unit) and re.fullmatch(CURRENCY, unit) is not None
