"""How trees show themselves in notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from ramify.show._page import Page, draw_for
from ramify.show.svg import drawing_to_svg

if TYPE_CHECKING:
    from ramify.tree import Tree

#: As many nodes are drawn below a cell, and fewer if they would be too small.
IN_A_CELL = 60
#: Pixels that a cell has, in most notebooks.
_CELL = Page(1000.0, 800.0, readable=11.0, smallest=8.0)


def figure(tree: Tree) -> str:
    """A tree as HTML: the drawing, all of it as wide as the cell, and what it is of.

    A frame that scrolls would begin at its corner, far from the root of a large tree.
    """
    drawing = draw_for(
        tree, _CELL, max_depth=None, max_nodes=IN_A_CELL, direction="auto", precision=4
    )
    scale = min(1.0, _CELL.scale(drawing))
    shown = drawing_to_svg(tree, drawing, scale, style="max-width:100%;height:auto")
    return (
        f'<figure style="margin:0.5em 0;max-width:100%">{shown}'
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
