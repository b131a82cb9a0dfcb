"""`ramify prune`: another size of a saved model, without growing again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from ramify.cli.files import load_model
from ramify.cli.options import OUTPUT, Json, ModelFile, ShowDepth, given, option


def prune(
    model: ModelFile,
    *,
    leaves: Annotated[int | None, "Cut it to at most this many leaves."] = None,
    alpha: Annotated[float | None, "Cut it where a leaf must lower the error by this much."] = None,
    rule: Annotated[
        str | None,
        "Cut it to the size with the least error (min), or to the smallest that is as good within "
        "a standard error (1se), and within a point, too, and better than no tree (1point). The "
        "model must be one that a cross-validation pruned.",
    ] = None,
    output: Annotated[
        Path | None, option("Save the pruned model to this file.", "--model", panel=OUTPUT)
    ] = None,
    show_depth: ShowDepth = None,
    json: Json = False,
) -> None:
    """Cut a saved model back; without a size, list the sizes to choose from."""
    from ramify.cli import output as out

    estimator = load_model(model)
    if not hasattr(estimator, "prune"):
        raise ValueError(f"{model}: this kind of model ({type(estimator).__name__}) has no sizes")
    console = out.make_console()
    wanted = given({"n_leaves": leaves, "alpha": alpha, "rule": rule})
    if not wanted:
        if output is not None:
            raise ValueError("--model needs a size: --leaves, --alpha or --rule")
        path = estimator.pruning_path_
        if json:
            out.print_json({**{name: path[name] for name in path}, "selected": path.selected})
        else:
            console.print(out.sizes_table(path, out.width_of(console)))
            if path.selected is not None:
                out.print_line(
                    console, "* is the size of this model; --leaves N cuts it to another"
                )
        return
    pruned: Any = estimator.prune(**wanted)
    if output is not None:
        pruned.save(output)
    if json:
        tree = pruned.tree_
        sizes = {"leaves": tree.n_leaves, "depth": tree.depth, "tree": tree.to_text()}
        out.print_json({**sizes, "model": output})
        return
    out.print_tree(console, pruned, depth=show_depth)
    before = f"{estimator.tree_.n_leaves:,} leaves before"
    console.print()
    out.print_line(console, f"{out.size_line(pruned)}; {before}")
    if output is not None:
        console.print(f"Saved to {output}")
