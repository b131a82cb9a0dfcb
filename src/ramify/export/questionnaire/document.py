"""The page of a questionnaire: template, style, scripts and data, put together in one file.

Invariant: the page loads and sends nothing. Its policy allows the one style and the one script that
are in it, by their hashes, and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import resources
from typing import Any

from ramify.export.questionnaire.data import page_data
from ramify.export.questionnaire.wording import questions_of, words_of
from ramify.export.routing import route
from ramify.export.source_text import write
from ramify.support.page.parts import (
    as_script,
    as_text,
    fill_template,
    read,
    scripts,
    shared,
    source_hash,
)
from ramify.tree.words import format_name

#: In the order in which they run, after those that all pages share.
SCRIPTS = ("walk.js", "reading.js", "phrases.js", "changes.js", "asking.js", "texts.js", "view.js")


def to_questionnaire(
    model: Any,
    *,
    path: str | os.PathLike[str] | None = None,
    title: str | None = None,
    questions: Mapping[str, str] | None = None,
) -> str:
    """Write a tree as a page that asks its questions and gives the answer with its reasons.

    The page is one HTML file that works without a network and sends nothing. It asks only what the
    way through the tree needs, and answers as ``predict`` does, also if some answers are not known.

    Parameters
    ----------
    model : fitted estimator or Tree
        What to write.
    path : str or path, optional
        A file to write as well.
    title : str, optional
        The heading of the page. By default it names the target.
    questions : mapping from str to str, optional
        How the page asks for a column: ``{"age": "How old are you?"}``. By default it shows the
        name of the column. Columns that the tree does not ask about may be among them.

    Returns
    -------
    str
        The page.

    Raises
    ------
    ExportError
        If the model is not one tree, or abstains.
    ValueError
        If a name in `questions` is no column of the tree.

    Notes
    -----
    "I do not know" is a missing value. If the tree divides rows with a missing value, the page goes
    on with the questions of all branches, the weightiest first. A tree with ``unseen="error"`` has
    no answer "something else".

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> X = {"colour": ["red", "red", "blue"], "size": [1.0, 1.0, 1.0]}
    >>> page = to_questionnaire(
    ...     TreeClassifier().fit(X, ["no", "no", "yes"]),
    ...     title="Is it a good one?",
    ...     questions={"colour": "What colour has it?"},
    ... )
    >>> page.splitlines()[0], "What colour has it?" in page
    ('<!DOCTYPE html>', True)
    """
    routed = route(model)
    if title is not None and (not isinstance(title, str) or not title.strip()):
        raise ValueError(f"title={title!r:.80} must be None or a text")
    asked = questions_of(routed)
    data = page_data(routed, asked, words_of(routed, asked, questions))
    data["title"] = format_name(title.strip()) if title else f"Questions about {data['target']}"
    own = resources.files("ramify.export.questionnaire") / "page"
    style = f"\n{shared('theme.css')}\n{read(own, 'questionnaire.css')}\n"
    script = f'\n"use strict";\n(() => {{\n{scripts(own, SCRIPTS)}\n}})();\n'
    page = fill_template(
        read(own, "template.html"),
        title=as_text(data["title"]),
        style=style,
        style_hash=source_hash(style),
        script=script,
        script_hash=source_hash(script),
        data=as_script(data),
    )
    return write(page, path)
