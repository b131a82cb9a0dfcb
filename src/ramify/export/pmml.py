"""A tree as PMML 4.4.

Every predicate says what it does with a missing value, unless the value spreads: then it is
unknown, and by the model's strategy there is no prediction, or the branches are mixed by their
record counts ("weightedConfidence").
"""

from __future__ import annotations

import os
from typing import Any

import ramify
from ramify.export._plan import ExportError, Plan, make_plan, plain_classes, write
from ramify.export._pmml_tests import Predicates
from ramify.export._pmml_text import attributes, data_type, element, text_of
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
        the strategy "weightedConfidence" of the standard; not every reader follows it where values
        are missing at several nodes (PMML4S 1.5 does not), so try yours.
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
        If PMML cannot say what the tree does. It mixes shares of classes only: a regressor, or a
        classifier with costs, that spreads missing values refuses ``mix=True``.

    Notes
    -----
    If classes have equal mixed shares, the reader decides which of them it predicts.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> X = {"colour": ["red", "red", "blue"]}
    >>> text = to_pmml(TreeClassifier().fit(X, ["no", "no", "yes"]))
    >>> '<SimplePredicate field="colour" operator="equal" value="red"/>' in text
    True
    """
    plan = make_plan(model)
    check.boolean("mix", mix)
    if mix and plan.spreads and not plan.classify:
        raise ExportError(
            "PMML cannot mix numbers of several leaves, which this tree does where a value is "
            "missing; leave mix=False, which gives no prediction for such a row"
        )
    if mix and plan.spreads and plan.costs is not None:
        raise ExportError(
            "PMML cannot weigh mixed shares by costs, which this tree does where a value is "
            "missing; leave mix=False, which gives no prediction for such a row"
        )
    return write(_Writer(plan, mix=mix and plan.spreads).text(), path)


class _Writer:
    def __init__(self, plan: Plan, *, mix: bool) -> None:
        self.plan, self.mix = plan, mix
        self.predicates = Predicates(plan, mix=mix)
        names = set(plan.tree.schema.names)
        self.target = plan.tree.target or "target"
        while self.target in names:
            self.target += "_"
        self.labels = [text_of(one, "class") for one in self._classes()]

    def _classes(self) -> list[Any]:
        return plain_classes(self.plan, "PMML") if self.plan.classify else []

    def text(self) -> str:
        nodes = self._nodes()  # first: it finds the derived fields
        function = "classification" if self.plan.classify else "regression"
        strategy = "weightedConfidence" if self.mix else "nullPrediction"
        lines = [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4">',
            "<Header>",
            element("Application", {"name": "ramify", "version": ramify.__version__}),
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
        plan = self.plan
        lines = ["<DataDictionary>"]
        for column in plan.columns:
            about = plan.schema(column)
            if about.kind == "numeric":
                named = {"name": about.name, "optype": "continuous", "dataType": "double"}
                lines.append(element("DataField", named))
                continue
            # Without values none is invalid: readers do not agree on what "asIs" does.
            texts = [] if plan.tree.unseen == "majority" else self.predicates.levels[column]
            lines += _categories(about.name, list(about.levels), texts)
        if plan.classify:
            lines += _categories(self.target, plan.classes, self.labels)
        else:
            named = {"name": self.target, "optype": "continuous", "dataType": "double"}
            lines.append(element("DataField", named))
        return [*lines, "</DataDictionary>"]

    def _mining_schema(self) -> list[str]:
        lines = ["<MiningSchema>"]
        for column in self.plan.columns:
            about = self.plan.schema(column)
            named = {"name": about.name}
            if about.kind != "numeric":
                named["invalidValueTreatment"] = _TREATMENT[self.plan.tree.unseen]
            lines.append(element("MiningField", named))
        lines.append(element("MiningField", {"name": self.target, "usageType": "target"}))
        return [*lines, "</MiningSchema>"]

    def _output(self) -> list[str]:
        taken = {*self.plan.tree.schema.names, self.target}

        def free(name: str) -> str:
            while name in taken:
                name += "_"
            return name

        kind = data_type(self.plan.classes) if self.plan.classify else "double"
        optype = "categorical" if self.plan.classify else "continuous"
        named = {"name": free("prediction"), "optype": optype, "dataType": kind}
        lines = ["<Output>", element("OutputField", named | {"feature": "predictedValue"})]
        for label in self.labels:
            named = {"name": free(f"probability({label})"), "optype": "continuous"}
            named |= {"dataType": "double", "feature": "probability", "value": label}
            lines.append(element("OutputField", named))
        named = {"name": free("leaf"), "optype": "categorical", "dataType": "string"}
        return [*lines, element("OutputField", named | {"feature": "entityId"}), "</Output>"]

    def _nodes(self) -> list[str]:
        """The nodes, depth first; an entry of the stack is a node or a line that closes one."""
        plan, lines = self.plan, []
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
            step = plan.steps.get(node)
            if step is None:
                lines += self._shares(node)
                continue
            can_be = possible.get(step.column, plan.anything(step.column))
            for branch in range(len(step.children) - 1, -1, -1):
                child = step.children[branch]
                count[child] = count[node] * step.shares[branch]
                test = self.predicates.branch(step, branch, can_be)
                if test is None or (self.mix and step.spreads and step.shares[branch] == 0.0):
                    continue  # nothing goes there
                # A row that spreads comes here too, with the value still missing.
                below = step.after(branch, can_be)
                if self.mix and step.spreads:
                    below |= can_be - step.listed
                stack.append((child, test, possible | {step.column: below}))
        return lines

    def _open(self, node: int, count: float) -> str:
        named = {"id": str(node)}
        if node not in self.plan.steps:
            value = self.plan.values[node][0]
            classify = self.plan.classify
            named["score"] = self.labels[self.plan.labels[node]] if classify else repr(value)
        return f"<Node{attributes(named | {'recordCount': repr(count)})}>"

    def _shares(self, leaf: int) -> list[str]:
        if not self.plan.classify:
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
            for label, share in zip(self.labels, self.plan.values[leaf], strict=True)
        ]


def _categories(name: str, values: list[Any], texts: list[str]) -> list[str]:
    named = {"name": name, "optype": "categorical", "dataType": data_type(values)}
    return [
        f"<DataField{attributes(named)}>",
        *(element("Value", {"value": text}) for text in texts),
        "</DataField>",
    ]
