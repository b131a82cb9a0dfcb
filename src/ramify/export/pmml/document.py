"""The document of PMML: fields, outputs and nodes.

Every predicate says what it does with a missing value, unless the value spreads the row. Then the
predicate is unknown, and the strategy of the model says what follows: no prediction, or a mixture
of the branches by their record counts ("weightedConfidence").
"""

from __future__ import annotations

import os
from typing import Any

import ramify
from ramify.export.pmml.elements import attributes, content, data_type, element, text_of
from ramify.export.pmml.predicates import Predicates
from ramify.export.refusals import ExportError, plain_classes
from ramify.export.routing import RoutedTree, route
from ramify.export.source_text import write
from ramify.export.text_forms import text_form_lines
from ramify.learning import parameters as check

_TREATMENT = {"missing": "asMissing", "majority": "asIs", "error": "returnInvalid"}


def to_pmml(model: Any, *, mix: bool = False, path: str | os.PathLike[str] | None = None) -> str:
    """Write a tree as PMML 4.4.

    Parameters
    ----------
    model : fitted estimator or Tree
        What to write.
    mix : bool, default=False
        What becomes of a row that a missing or unseen value sends down several branches. False
        gives no prediction for it. True asks the reader to mix the leaves, as ``predict`` does, by
        the strategy "weightedConfidence" of the standard. Not every reader follows it where values
        are missing at several nodes (PMML4S 1.5 does not), so test yours.
    path : str or path, optional
        A file to write as well.

    Returns
    -------
    str
        A TreeModel. Its outputs are the prediction, the shares of the classes and, as entity, the
        number of the leaf.

    Raises
    ------
    ExportError
        If PMML cannot say what the tree does. It can mix only shares of classes. So ``mix=True`` is
        refused for a regressor, or a classifier with costs, that divides rows with missing values.

    Notes
    -----
    If classes have equal mixed shares, the reader decides which one it predicts.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> X = {"colour": ["red", "red", "blue"]}
    >>> text = to_pmml(TreeClassifier().fit(X, ["no", "no", "yes"]))
    >>> '<SimplePredicate field="colour" operator="equal" value="red"/>' in text
    True
    """
    routed = route(model)
    check.boolean("mix", mix)
    if mix and routed.spreads and not routed.classify:
        raise ExportError(
            "PMML cannot mix numbers of several leaves, which this tree does where a value is "
            "missing; leave mix=False, which gives no prediction for such a row"
        )
    if mix and routed.spreads and routed.costs is not None:
        raise ExportError(
            "PMML cannot weigh mixed shares by costs, which this tree does where a value is "
            "missing; leave mix=False, which gives no prediction for such a row"
        )
    return write(_Writer(routed, mix=mix and routed.spreads).text(), path)


class _Writer:
    def __init__(self, routed: RoutedTree, *, mix: bool) -> None:
        self.routed, self.mix = routed, mix
        self.predicates = Predicates(routed, mix=mix)
        names = set(routed.tree.schema.names)
        self.target = routed.tree.target or "target"
        while self.target in names:
            self.target += "_"
        self.labels = [text_of(one, "class") for one in self._classes()]

    def _classes(self) -> list[Any]:
        return plain_classes(self.routed.classes, "PMML") if self.routed.classify else []

    def text(self) -> str:
        nodes = self._nodes()  # first: it finds the derived fields
        function = "classification" if self.routed.classify else "regression"
        strategy = "weightedConfidence" if self.mix else "nullPrediction"
        lines = [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4">',
            "<Header>",
            element("Application", {"name": "ramify", "version": ramify.__version__}),
            *(f"<Annotation>{content(line)}</Annotation>" for line in text_form_lines(self.routed)),
            "</Header>",
            *self._dictionary(),
            f"<TreeModel{attributes({'functionName': function, 'missingValueStrategy': strategy})}"
            ' noTrueChildStrategy="returnNullPrediction" splitCharacteristic="multiSplit">',
            *self._mining_schema(),
            *self._output(),
            *self.predicates.transformations(),
            *nodes,
            "</TreeModel>",
            "</PMML>",
        ]
        return "\n".join(lines) + "\n"

    def _dictionary(self) -> list[str]:
        routed = self.routed
        lines = ["<DataDictionary>"]
        for column in routed.columns:
            about = routed.schema(column)
            if about.kind == "numeric":
                named = {"name": about.name, "optype": "continuous", "dataType": "double"}
                lines.append(element("DataField", named))
                continue
            # Readers do not agree on what "asIs" does. If no values are listed, none is invalid.
            anything = routed.tree.unseen == "majority" or about.pooled
            texts = [] if anything else self.predicates.levels[column]
            lines += _categories(about.name, list(about.levels), texts)
        if routed.classify:
            lines += _categories(self.target, routed.classes, self.labels)
        else:
            named = {"name": self.target, "optype": "continuous", "dataType": "double"}
            lines.append(element("DataField", named))
        return [*lines, "</DataDictionary>"]

    def _mining_schema(self) -> list[str]:
        lines = ["<MiningSchema>"]
        for column in self.routed.columns:
            about = self.routed.schema(column)
            named = {"name": about.name}
            if about.kind != "numeric":
                treatment = "majority" if about.pooled else self.routed.tree.unseen
                named["invalidValueTreatment"] = _TREATMENT[treatment]
            lines.append(element("MiningField", named))
        lines.append(element("MiningField", {"name": self.target, "usageType": "target"}))
        return [*lines, "</MiningSchema>"]

    def _output(self) -> list[str]:
        taken = {*self.routed.tree.schema.names, self.target}

        def free(name: str) -> str:
            while name in taken:
                name += "_"
            return name

        kind = data_type(self.routed.classes) if self.routed.classify else "double"
        optype = "categorical" if self.routed.classify else "continuous"
        named = {"name": free("prediction"), "optype": optype, "dataType": kind}
        lines = ["<Output>", element("OutputField", named | {"feature": "predictedValue"})]
        for label in self.labels:
            named = {"name": free(f"probability({label})"), "optype": "continuous"}
            named |= {"dataType": "double", "feature": "probability", "value": label}
            lines.append(element("OutputField", named))
        named = {"name": free("leaf"), "optype": "categorical", "dataType": "string"}
        return [*lines, element("OutputField", named | {"feature": "entityId"}), "</Output>"]

    def _nodes(self) -> list[str]:
        """The nodes, depth first. An entry of the stack is a node, or a line that closes one."""
        routed, lines = self.routed, []
        count = {0: 1.0}
        stack: list[tuple[int, str, dict[int, frozenset[int]]]] = [(0, "<True/>", {})]
        while stack:
            node, predicate, possible = stack.pop()
            if node < 0:
                lines.append(predicate)
                continue
            lines.append(self._open(node, count[node]))
            lines.append(predicate)
            stack.append((-1, "</Node>", {}))
            split = routed.splits.get(node)
            if split is None:
                lines += self._shares(node)
                continue
            can_be = possible.get(split.column, routed.all_values(split.column))
            for branch in range(len(split.children) - 1, -1, -1):
                child = split.children[branch]
                count[child] = count[node] * split.shares[branch]
                test = self.predicates.branch(split, branch, can_be)
                if test is None or (self.mix and split.spreads and split.shares[branch] == 0.0):
                    continue  # no row goes there
                # A row that spreads comes here as well, and its value is still missing.
                below = split.after(branch, can_be)
                if self.mix and split.spreads:
                    below |= can_be - split.listed
                stack.append((child, test, possible | {split.column: below}))
        return lines

    def _open(self, node: int, count: float) -> str:
        named = {"id": str(node)}
        if node not in self.routed.splits:
            value = self.routed.values[node][0]
            classify = self.routed.classify
            named["score"] = self.labels[self.routed.labels[node]] if classify else repr(value)
        return f"<Node{attributes(named | {'recordCount': repr(count)})}>"

    def _shares(self, leaf: int) -> list[str]:
        if not self.routed.classify:
            return []
        return [
            element(
                "ScoreDistribution",
                {
                    "value": label,
                    "recordCount": repr(share),
                    "confidence": repr(share),
                    "probability": repr(share),
                },
            )
            for label, share in zip(self.labels, self.routed.values[leaf], strict=True)
        ]


def _categories(name: str, values: list[Any], texts: list[str]) -> list[str]:
    named = {"name": name, "optype": "categorical", "dataType": data_type(values)}
    return [
        f"<DataField{attributes(named)}>",
        *(element("Value", {"value": text}) for text in texts),
        "</DataField>",
    ]
