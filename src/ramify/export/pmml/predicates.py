"""The predicates of PMML that tell the branches of a node apart."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable

from ramify.export.pmml.elements import attributes, content, data_type, element, text_of
from ramify.export.refusals import ExportError, plain_levels
from ramify.export.routing import RoutedTree, Split

# Readers differ in how they read other characters inside an array.
_PLAIN = re.compile(r"[\w.+:;,!?()/@#$%&=*<>-]+(?: [\w.+:;,!?()/@#$%&=*<>-]+)*")


class Predicates:
    """Writes predicates for one tree, and the derived fields that they need."""

    def __init__(self, routed: RoutedTree, *, mix: bool) -> None:
        self.routed, self.mix = routed, mix
        self.levels = {
            j: self._levels(j) for j in routed.columns if routed.schema(j).kind != "numeric"
        }
        self.derived: dict[tuple[int, tuple[int, ...]], str] = {}
        self.names = {j: self._name(j) for j in routed.columns}

    def _levels(self, column: int) -> list[str]:
        about = self.routed.schema(column)
        name, levels = about.name, plain_levels(about, "PMML", (str, int, float, bool))
        kinds = {type(level) for level in levels}
        if len(kinds) > 1 and kinds != {int, float}:
            raise ExportError(
                f"column {name!r} has levels of several types, and a field of PMML has one; "
                "convert it to strings before fit"
            )
        return [text_of(level, f"column {name!r}") for level in levels]

    def _name(self, column: int) -> str:
        """The field that predicates ask; a derived one has the levels that are pooled."""
        about = self.routed.schema(column)
        name = f"{about.name} pooled" if about.pooled else about.name
        while about.pooled and name in self.routed.tree.schema.names:
            name += "_"
        return name

    def branch(self, split: Split, branch: int, can_be: frozenset[int]) -> str | None:
        """The predicate of a branch; None if no row goes there.

        For a value that spreads, the predicate is unknown, not false.
        """
        name = self.names[split.column]
        missing = element("SimplePredicate", {"field": name, "operator": "isMissing"})
        if split.threshold is not None:
            known = self._number(split, branch, split.threshold)
        else:
            known = self._level(split, branch, can_be)
        if split.missing_to is None:
            return known
        if split.missing_to == branch:
            return missing if known is None else _compound("or", [known, missing])
        if known is None:
            return None
        there = element("SimplePredicate", {"field": name, "operator": "isNotMissing"})
        return known if known == there else _compound("and", [known, there])

    def _number(self, split: Split, branch: int, threshold: float) -> str | None:
        name = self.names[split.column]
        operator, value = ("greaterThan" if branch else "lessOrEqual"), threshold
        if threshold == math.inf:
            if branch:
                return None
            if split.missing_to is None:
                raise ExportError(
                    f"the tree asks whether {name!r} is at most infinite, and spreads a missing "
                    "value; PMML cannot say this"
                )
            return element("SimplePredicate", {"field": name, "operator": "isNotMissing"})
        if threshold == -math.inf:
            operator, value = ("greaterOrEqual" if branch else "lessThan"), -sys.float_info.max
        return element(
            "SimplePredicate", {"field": name, "operator": operator, "value": repr(value)}
        )

    def _level(self, split: Split, branch: int, can_be: frozenset[int]) -> str | None:
        name = self.names[split.column]
        if split.unknown_to == branch:
            others = sorted(split.listed - set(split.levels[branch]))
            if others:
                return self._set(split.column, name, others, inside=False)
            return element("SimplePredicate", {"field": name, "operator": "isNotMissing"})
        if not split.levels[branch]:
            return None
        # A level that the node does not list is made missing, so that the predicate is unknown.
        # Otherwise all predicates would be false, and there would be no prediction.
        if (
            self.mix
            and split.unknown_to is None
            and any(code >= 0 for code in split.unlisted(can_be))
        ):
            name = self._derive(split)
        return self._set(split.column, name, split.levels[branch], inside=True)

    def _set(self, column: int, name: str, codes: Iterable[int], *, inside: bool) -> str:
        texts = [self.levels[column][code] for code in codes]
        kind = {"string": "string", "integer": "int"}.get(
            data_type(self.routed.schema(column).levels)
        )
        if kind and len(texts) > 1 and all(_PLAIN.fullmatch(text) for text in texts):
            words = " ".join(f'"{text}"' if kind == "string" else text for text in texts)
            named = {"field": name, "booleanOperator": "isIn" if inside else "isNotIn"}
            array = attributes({"type": kind, "n": str(len(texts))})
            return (
                f"<SimpleSetPredicate{attributes(named)}><Array{array}>{content(words)}</Array>"
                "</SimpleSetPredicate>"
            )
        operator = "equal" if inside else "notEqual"
        parts = [
            element("SimplePredicate", {"field": name, "operator": operator, "value": text})
            for text in texts
        ]
        return _compound("or" if inside else "and", parts)

    def _derive(self, split: Split) -> str:
        """The name of a field that is missing for a level which the node does not list."""
        key = (split.column, tuple(sorted(split.listed)))
        if key not in self.derived:
            name = f"{self.names[split.column]} at {split.node}"
            while name in self.routed.tree.schema.names:
                name += "_"
            self.derived[key] = name
        return self.derived[key]

    def _pool(self, column: int) -> str:
        """The derived field of a column whose rare and unseen levels are one."""
        about, levels = self.routed.schema(column), self.levels[column]
        kind = data_type(about.levels)
        named = {"name": self.names[column], "optype": "categorical", "dataType": kind}
        field = element("FieldRef", {"field": about.name})
        constants = [
            f"<Constant{attributes({'dataType': kind})}>{content(level)}</Constant>"
            for level in levels
        ]
        known = f'<Apply function="isNotMissing">{field}</Apply>'
        pooled = constants[-1]
        if len(levels) > 1:
            kept = f'<Apply function="isIn">{field}{"".join(constants[:-1])}</Apply>'
            pooled = f'<Apply function="if">{kept}{field}{constants[-1]}</Apply>'
        return (
            f'<DerivedField{attributes(named)}><Apply function="if">{known}{pooled}</Apply>'
            "</DerivedField>"
        )

    def transformations(self) -> list[str]:
        """The derived fields."""
        lines = [self._pool(j) for j in self.routed.columns if self.routed.schema(j).pooled]
        for (column, codes), name in self.derived.items():
            about = self.routed.schema(column)
            kind = data_type(about.levels)
            named = {"name": name, "optype": "categorical", "dataType": kind}
            field = element("FieldRef", {"field": self.names[column]})
            tests = [
                f'<Apply function="equal">{field}'
                f"<Constant{attributes({'dataType': kind})}>{content(self.levels[column][code])}"
                "</Constant></Apply>"
                for code in codes
            ]
            test = tests[0] if len(tests) == 1 else f'<Apply function="or">{"".join(tests)}</Apply>'
            lines.append(
                f'<DerivedField{attributes(named)}><Apply function="if">{test}{field}'
                "</Apply></DerivedField>"
            )
        if not lines:
            return []
        return ["<LocalTransformations>", *lines, "</LocalTransformations>"]


def _compound(operator: str, parts: list[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    return f'<CompoundPredicate booleanOperator="{operator}">{"".join(parts)}</CompoundPredicate>'
