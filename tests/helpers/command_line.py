"""What the commands print: errors of one line, and JSON."""

from __future__ import annotations

import json
from typing import Any


def one_line(text: str) -> bool:
    return text.startswith("ramify: ") and text.count("\n") == 1 and "Traceback" not in text


def strict_json(text: str) -> Any:
    def refuse(word: str) -> None:
        raise ValueError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)
