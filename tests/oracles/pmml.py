"""A reader of PMML tree models, written from the standard (dmg.org, version 4.4), slowly."""

from __future__ import annotations

import math
import re
import shlex
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

SPACE = "{http://www.dmg.org/PMML-4_4}"


@dataclass
class Answer:
    """A score, or none, and the share of each class."""

    score: str | None = None
    shares: dict[str, float] = field(default_factory=dict)


class PmmlTree:
    """One TreeModel."""

    def __init__(self, text: str) -> None:
        root = ElementTree.fromstring(text.encode())
        assert root.get("version") == "4.4"
        self.model = root.find(f"{SPACE}TreeModel")
        fields = root.findall(f"{SPACE}DataDictionary/{SPACE}DataField")
        assert len({one.get("name") for one in fields}) == len(fields)
        self.kind = {one.get("name"): one.get("dataType") for one in fields}
        self.valid = {
            one.get("name"): [value.get("value") for value in one.findall(f"{SPACE}Value")]
            for one in fields
        }
        mining = self.model.findall(f"{SPACE}MiningSchema/{SPACE}MiningField")
        assert all(one.get("name") in self.kind for one in mining)
        self.treatment = {
            one.get("name"): one.get("invalidValueTreatment", "returnInvalid")
            for one in mining
            if one.get("usageType") != "target"
        }
        self.derived = self.model.findall(f"{SPACE}LocalTransformations/{SPACE}DerivedField")

    @staticmethod
    def text(value: Any) -> str:
        if isinstance(value, bool):
            return "true" if value else "false"
        return value if isinstance(value, str) else repr(value)

    def answer(self, row: dict[str, Any]) -> Answer:
        cells: dict[str, str | float | None] = {}
        for name, treatment in self.treatment.items():
            cell = row.get(name)
            if cell is None:
                cells[name] = None
            elif self.kind[name] == "double" and not self.valid[name] and treatment != "asIs":
                cells[name] = float(cell)
            else:
                cells[name] = self.text(cell)
                if self.valid[name] and cells[name] not in self.valid[name]:
                    if treatment == "returnInvalid":
                        return Answer()
                    cells[name] = None if treatment == "asMissing" else cells[name]
        for one in self.derived:
            cells[one.get("name")] = self.derive(one[0], cells)
        return self.score(self.model.find(f"{SPACE}Node"), cells)

    def derive(self, apply: Any, cells: dict[str, Any]) -> Any:
        """The only form that is written: if (x = a or x = b ...) then x."""
        assert apply.get("function") == "if" and len(apply) == 2
        test, result = apply
        parts = list(test) if test.get("function") == "or" else [test]
        for part in parts:
            assert part.get("function") == "equal"
            if cells[part[0].get("field")] == part[1].text:
                return cells[result.get("field")]
        return None

    def score(self, node: Any, cells: dict[str, Any]) -> Answer:
        children = node.findall(f"{SPACE}Node")
        if not children:
            counts = node.findall(f"{SPACE}ScoreDistribution")
            shares = {one.get("value"): float(one.get("probability")) for one in counts}
            return Answer(node.get("score"), shares)
        truths = [self.holds(child[0], cells) for child in children]
        for child, truth in zip(children, truths, strict=True):
            if truth:
                return self.score(child, cells)
            if truth is None:
                if self.model.get("missingValueStrategy") == "nullPrediction":
                    return Answer()
                return self.mix(
                    [c for c, t in zip(children, truths, strict=True) if t is not False], cells
                )
        assert self.model.get("noTrueChildStrategy") == "returnNullPrediction"
        return Answer()

    def mix(self, nodes: list[Any], cells: dict[str, Any]) -> Answer:
        """Strategy weightedConfidence."""
        assert self.model.get("missingValueStrategy") == "weightedConfidence"
        total = sum(float(node.get("recordCount")) for node in nodes)
        shares: dict[str, float] = {}
        for node in nodes:
            part = float(node.get("recordCount")) / total
            for label, share in self.score(node, cells).shares.items():
                shares[label] = shares.get(label, 0.0) + part * share
        return Answer(max(shares, key=lambda label: shares[label]), shares)

    def holds(self, predicate: Any, cells: dict[str, Any]) -> bool | None:
        """True, false or unknown."""
        name = predicate.tag.removeprefix(SPACE)
        if name == "True":
            return True
        if name == "CompoundPredicate":
            parts = [self.holds(part, cells) for part in predicate]
            decisive = predicate.get("booleanOperator") == "or"
            if decisive in parts:
                return decisive
            return None if None in parts else not decisive
        cell = cells[predicate.get("field")]
        if name == "SimpleSetPredicate":
            [array] = predicate
            words = shlex.split(array.text, posix=True)
            assert len(words) == int(array.get("n"))
            assert not re.search(r"[\\']", array.text)
            if cell is None:
                return None
            return (cell in words) == (predicate.get("booleanOperator") == "isIn")
        operator = predicate.get("operator")
        if operator in ("isMissing", "isNotMissing"):
            return (cell is None) == (operator == "isMissing")
        if cell is None:
            return None
        value = predicate.get("value")
        if operator in ("equal", "notEqual"):
            return (cell == value) == (operator == "equal")
        number, cell = float(value), float(cell)
        assert not math.isnan(number)
        return {
            "lessOrEqual": cell <= number,
            "greaterThan": cell > number,
            "lessThan": cell < number,
            "greaterOrEqual": cell >= number,
        }[operator]
