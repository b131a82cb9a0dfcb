"""How the estimators of one tree show themselves in notebooks."""

from __future__ import annotations

from typing import Any

from ramify.tree import Tree
from ramify.tree.doors import door


class NotebookTree:
    """Mixed into the estimators: what is fitted shows its tree below scikit-learn's box."""

    tree_: Tree

    @property
    def _repr_html_(self) -> Any:
        inherited = super()._repr_html_  # type: ignore[misc]  # or AttributeError, by set_config

        def html() -> str:
            return self._with_tree(inherited())

        return html

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        if "text/html" in bundle:
            bundle["text/html"] = self._with_tree(bundle["text/html"])
        return bundle

    def _with_tree(self, html: str) -> str:
        return html + door("figure")(self.tree_) if hasattr(self, "tree_") else html
