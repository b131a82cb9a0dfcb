"""`ramify show`: a saved model as a tree, as rules, or as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from ramify.cli.files import load_tree
from ramify.cli.options import OUTPUT, Json, ModelFile, ShowDepth, option


def show(
    model: ModelFile,
    *,
    rules: Annotated[
        bool, option("Print if-then rules, one for each leaf.", "--rules", panel=OUTPUT)
    ] = False,
    show_depth: ShowDepth = None,
    json: Json = False,
) -> None:
    """Print a saved model as a tree, or as rules."""
    from ramify.cli import output as out

    estimator = load_tree(model)
    if json:
        tree = estimator.tree_
        out.print_json([asdict(rule) for rule in tree.rules()] if rules else tree.to_dict())
        return
    console = out.make_console()
    if rules:
        out.print_rules(console, estimator.tree_.rules(), estimator)
    else:
        out.print_tree(console, estimator, depth=show_depth)
