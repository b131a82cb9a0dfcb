"""A graph of ONNX under construction: every operation gives the name of its result."""

from __future__ import annotations

from typing import Any

import numpy as np

from ramify.export.refusals import ExportError, how_to_install

ML = "ai.onnx.ml"


def need_onnx() -> Any:
    """Import onnx, or say how to get it."""
    try:
        import onnx
    except ImportError:
        raise ExportError(f"to_onnx needs the package onnx ({how_to_install('onnx')})") from None
    return onnx


class Graph:
    """Nodes and constants. A part of another graph has its own prefix, and sees all names."""

    def __init__(self, prefix: str) -> None:
        self.onnx = need_onnx()
        self.prefix = prefix
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def name(self) -> str:
        """A name that is not taken."""
        return f"{self.prefix}_{len(self.nodes) + len(self.constants)}"

    def constant(self, values: Any, dtype: Any = np.float64) -> str:
        """Put an array into the graph."""
        name = self.name()
        array = np.asarray(values, dtype=dtype)
        self.constants.append(self.onnx.numpy_helper.from_array(array, name))
        return name

    def strings(self, values: list[str]) -> str:
        """Put strings into the graph."""
        name = self.name()
        encoded = [value.encode() for value in values]
        kind = self.onnx.TensorProto.STRING
        self.constants.append(self.onnx.helper.make_tensor(name, kind, [len(encoded)], encoded))
        return name

    def op(self, kind: str, *inputs: str, name: str | None = None, **attributes: Any) -> str:
        """Apply an operation."""
        result = name or self.name()
        domain = ML if kind in ("LabelEncoder", "TreeEnsemble") else ""
        self.nodes.append(
            self.onnx.helper.make_node(kind, list(inputs), [result], domain=domain, **attributes)
        )
        return result

    def tensor(self, values: Any, dtype: Any = np.float64) -> Any:
        """An array as an attribute."""
        return self.onnx.numpy_helper.from_array(np.asarray(values, dtype=dtype), "values")

    def cast(self, value: str, kind: str) -> str:
        """Change the type: "DOUBLE" or "INT64"."""
        return self.op("Cast", value, to=getattr(self.onnx.TensorProto, kind))

    def pick(self, value: str, places: Any, axis: int = 1) -> str:
        """Take columns, or rows, by their places."""
        return self.op("Gather", value, self.constant(places, np.int64), axis=axis)

    def part(self, name: str, inputs: list[Any], outputs: list[Any]) -> Any:
        """Close the graph; inputs and outputs are tuples of name, type and shape."""
        info = self.onnx.helper.make_tensor_value_info
        return self.onnx.helper.make_graph(
            self.nodes,
            name,
            [info(*one) for one in inputs],
            [info(*one) for one in outputs],
            self.constants,
        )
