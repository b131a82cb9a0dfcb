"""How trees show themselves in notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from ramify.show.svg import tree_to_svg

if TYPE_CHECKING:
    from ramify.tree import Tree

#: As many nodes are drawn below a cell.
IN_A_CELL = 60


def figure(tree: Tree) -> str:
    """A tree as HTML: the drawing, in a frame that scrolls, and what it is of."""
    drawing = tree_to_svg(tree, max_nodes=IN_A_CELL)
    return (
        '<figure style="margin:0.5em 0;max-width:100%">'
        f'<div style="overflow:auto;max-height:640px">{drawing}</div>'
        f"<figcaption><code>{escape(repr(tree))}</code></figcaption></figure>"
    )


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
        return html + figure(self.tree_) if hasattr(self, "tree_") else html
