"""A report that is shown in a notebook, or saved later."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path

from ramify.support.writer import write_text


class Report:
    """The report of a tree, not yet in a file.

    A notebook shows it in a frame of its own, so that its style and scripts touch nothing else.

    Parameters
    ----------
    html : str
        The whole page.
    """

    def __init__(self, html: str) -> None:
        self.html = html

    def __repr__(self) -> str:
        size = len(self.html.encode("utf-8")) / 1e6
        return f"<Report, {size:.1f} MB: a notebook shows it, save(path) writes it>"

    def _repr_html_(self, height: int = 820) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html)}" title="Report of a tree" '
            f'sandbox="allow-scripts allow-downloads allow-modals" '
            f'style="width:100%;height:{height}px;border:1px solid #d5dce3;border-radius:8px">'
            "</iframe>"
        )

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page to a file; an existing file is replaced.

        Examples
        --------
        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     print(Report("<p>").save(os.path.join(folder, "r.html")).name)
        r.html
        """
        write_text(path, self.html)
        return Path(path)
