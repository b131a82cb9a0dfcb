"""The model of ONNX: inputs, the parts that answer, outputs."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ramify.export.onnx.graph import ML, Graph, need_onnx
from ramify.export.onnx.mixing import mix
from ramify.export.onnx.tree_ensemble import leaf_place
from ramify.export.refusals import ExportError, exact_number, plain_classes, plain_levels
from ramify.export.routing import RoutedTree, route
from ramify.export.text_forms import text_form_lines
from ramify.support.writer import write_bytes
from ramify.tables.levels import MISSING, UNSEEN

_OPSET, _ML_OPSET, _IR = 21, 5, 10


def to_onnx(model: Any, *, na: str = "", path: str | os.PathLike[str] | None = None) -> Any:
    """Write a tree as a model of ONNX.

    It has one input of shape (rows, 1) per column, by the name of the column: doubles for numbers
    and for levels that are numbers or bools (NaN if missing), strings for other levels. Its outputs
    are "label" (the class, or the number), "probability" (for classes, of shape (rows, classes))
    and "leaf". They equal those of the estimator, also for rows that missing values divide among
    leaves.

    Parameters
    ----------
    model : fitted estimator or Tree
        What to write.
    na : str, default=""
        The string that stands for a missing cell, since ONNX has no missing strings.
    path : str or path, optional
        A file to write as well.

    Returns
    -------
    onnx.ModelProto
        With operators of ai.onnx 21 and ai.onnx.ml 5; onnxruntime runs it from 1.18 on.

    Raises
    ------
    ExportError
        If `na` is a level, if a column has levels of text and of numbers, or if the tree has
        ``unseen="error"``: ONNX cannot raise errors.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> X = {"colour": ["red", "red", "blue"], "size": [1.0, 2.0, 3.0]}
    >>> clf = TreeClassifier().fit(X, ["no", "no", "yes"])
    >>> to_onnx(clf, path="tree.onnx")  # doctest: +SKIP
    """
    routed = route(model)
    onnx = need_onnx()
    if not isinstance(na, str):
        raise ValueError(f"na={na!r} must be a string")
    if routed.tree.unseen == "error" and any(
        routed.schema(j).kind != "numeric" for j in routed.columns
    ):
        raise ExportError(
            "the tree has unseen='error', and a model of ONNX cannot raise an error for an unseen "
            "level; fit with unseen='missing' or 'majority'"
        )
    if "" in routed.tree.schema.names:
        raise ExportError(
            "a column has the name '', and an input of ONNX must have a name; rename the column "
            "before fit"
        )
    graph = Graph(_prefix(routed))
    outputs = _outputs(graph, routed, na)
    made = onnx.helper.make_model(
        onnx.helper.make_graph(
            graph.nodes, "ramify", _inputs(graph, routed), outputs, graph.constants
        ),
        opset_imports=[
            onnx.helper.make_opsetid("", _OPSET),
            onnx.helper.make_opsetid(ML, _ML_OPSET),
        ],
        ir_version=_IR,
        producer_name="ramify",
        doc_string="\n".join(text_form_lines(routed)),
    )
    if path is not None:
        write_bytes(path, made.SerializeToString())
    return made


def _is_text(routed: RoutedTree, column: int) -> bool:
    return any(isinstance(level, str) for level in routed.schema(column).levels)


def _inputs(graph: Graph, routed: RoutedTree) -> list[Any]:
    """All columns, so that those which the tree does not ask about may be given too."""
    kinds = graph.onnx.TensorProto
    return [
        graph.onnx.helper.make_tensor_value_info(
            column.name, kinds.STRING if _is_text(routed, j) else kinds.DOUBLE, ["rows", 1]
        )
        for j, column in enumerate(routed.tree.schema.columns)
    ]


def _outputs(graph: Graph, routed: RoutedTree, na: str) -> list[Any]:
    n = len(routed.leaves)
    width = len(routed.values[routed.leaves[0]])
    values = np.array([*(routed.values[leaf] for leaf in routed.leaves), [0.0] * width])
    labels = [*routed.labels.values(), 0] if routed.classify else [0] * (n + 1)
    if routed.splits:
        place = {column: i for i, column in enumerate(routed.columns)}
        cells = [_codes(graph, routed, column, na) for column in routed.columns]
        table = graph.op("Concat", *cells, axis=1)
        answer = leaf_place(graph, routed, table, place)
        at = graph.cast(graph.op("Squeeze", answer, graph.constant([1], np.int64)), "INT64")
    else:
        rows = graph.op("Shape", routed.tree.schema.columns[0].name, start=0, end=1)
        at = graph.op("Expand", graph.constant(0, np.int64), rows)
    found = [
        graph.op("Gather", graph.constant(values), at, axis=0),
        graph.op("Gather", graph.constant(labels, np.int64), at, axis=0),
        graph.op("Gather", graph.constant([*routed.leaves, -1], np.int64), at, axis=0),
    ]
    if routed.spreads:
        found = _mixed(graph, routed, table, place, at, found)
    return _name_outputs(graph, routed, found)


def _codes(graph: Graph, routed: RoutedTree, column: int, na: str) -> str:
    """The cells of a column as doubles: numbers as they are, levels as codes."""
    about = routed.schema(column)
    if about.kind == "numeric":
        return about.name
    if _is_text(routed, column):
        levels = plain_levels(about, "ONNX, beside text,", (str,))
        if na in levels:
            raise ExportError(
                f"column {about.name!r} has the level {na!r}, which na={na!r} would take for a "
                "missing cell; give another na"
            )
        codes = graph.op(
            "LabelEncoder",
            about.name,
            keys_strings=[*(str(level).encode() for level in levels), na.encode()],
            values_int64s=[*range(len(levels)), MISSING],
            default_int64=len(levels) - 1 if about.pooled else UNSEEN,
        )
        return graph.cast(codes, "DOUBLE")
    levels = plain_levels(about, "ONNX", (int, float, bool))
    numbers = [exact_number(level, "ONNX") for level in levels]  # type: ignore[arg-type]
    known = graph.op(
        "LabelEncoder",
        about.name,
        keys_tensor=graph.tensor([*numbers, np.nan]),
        values_tensor=graph.tensor([*range(len(numbers)), MISSING]),
        default_tensor=graph.tensor([UNSEEN]),
    )
    missing = graph.op("IsNaN", about.name)
    return graph.op("Where", missing, graph.constant(float(MISSING)), known)


def _mixed(
    graph: Graph, routed: RoutedTree, table: str, place: dict[int, int], at: str, found: list[str]
) -> list[str]:
    """Replace the answers of the rows that spread, if there are any."""
    helper, kinds = graph.onnx.helper, graph.onnx.TensorProto
    width = len(routed.values[routed.leaves[0]])
    spread = graph.op("Equal", at, graph.constant(len(routed.leaves), np.int64))
    some = graph.op("ReduceMax", graph.cast(spread, "INT64"), keepdims=0)
    some = graph.op("Cast", some, to=kinds.BOOL)
    then, other = Graph(f"{graph.prefix}_t"), Graph(f"{graph.prefix}_e")
    rows = then.op("Squeeze", then.op("NonZero", spread), then.constant([0], np.int64))
    picked = then.op("Gather", table, rows, axis=0)
    where = then.op("Unsqueeze", rows, then.constant([1], np.int64))
    mixed = mix(then, routed, picked, place)
    types = [(kinds.DOUBLE, ["rows", width]), (kinds.INT64, ["rows"]), (kinds.INT64, ["rows"])]
    branches = []
    for part in (then, other):
        results = [
            part.op("ScatterND", base, where, new)
            if part is then and new
            else part.op("Identity", base)
            for base, new in zip(found, mixed, strict=True)
        ]
        named = [(name, *kind) for name, kind in zip(results, types, strict=True)]
        branches.append(part.part(part.prefix, [], named))
    names = [f"{graph.prefix}_mixed_{i}" for i in range(len(found))]
    graph.nodes.append(
        helper.make_node("If", [some], names, then_branch=branches[0], else_branch=branches[1])
    )
    return names


def _name_outputs(graph: Graph, routed: RoutedTree, found: list[str]) -> list[Any]:
    helper, kinds = graph.onnx.helper, graph.onnx.TensorProto
    values, label, leaf = found
    leaf = graph.op("Identity", leaf, name=_free(routed, "leaf"))
    outputs = [helper.make_tensor_value_info(leaf, kinds.INT64, ["rows"])]
    if not routed.classify:
        axis = graph.constant([1], np.int64)
        number = graph.op("Squeeze", values, axis, name=_free(routed, "label"))
        return [helper.make_tensor_value_info(number, kinds.DOUBLE, ["rows"]), *outputs]
    classes = plain_classes(routed.classes, "ONNX")
    texts = all(isinstance(one, str) for one in classes)
    if texts:
        kind, words = kinds.STRING, graph.strings(classes)
    else:
        dtype = np.array(classes).dtype
        if dtype.kind not in "bif":
            raise ExportError(f"the classes {classes!r:.80} are of no type that ONNX has")
        kind = {"b": kinds.BOOL, "i": kinds.INT64, "f": kinds.DOUBLE}[dtype.kind]
        words = graph.constant(classes, dtype)
    name = graph.op("Gather", words, label, axis=0, name=_free(routed, "label"))
    shares = graph.op("Identity", values, name=_free(routed, "probability"))
    return [
        helper.make_tensor_value_info(name, kind, ["rows"]),
        helper.make_tensor_value_info(shares, kinds.DOUBLE, ["rows", len(classes)]),
        *outputs,
    ]


def _free(routed: RoutedTree, name: str) -> str:
    if name in routed.tree.schema.names:
        raise ExportError(
            f"column {name!r} has the name of an output of the model; rename the column before fit"
        )
    return name


def _prefix(routed: RoutedTree) -> str:
    """The beginning of our own names; no column begins with it."""
    prefix = "ramify"
    while any(name.startswith(prefix) for name in routed.tree.schema.names):
        prefix += "_"
    return prefix
