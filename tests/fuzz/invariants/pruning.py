"""What must hold for the trees that are cut from a fitted one."""

from __future__ import annotations

import numpy as np

from fuzz.invariants.fitted import Fitted, answers


def every_size_can_be_cut(f: Fitted) -> None:
    """The path and `prune` agree, and smaller trees are parts of the larger."""
    if not f.single or f.answers_by_rule:
        return
    path, model = f.model.pruning_path_, f.model
    leaves = [int(n) for n in np.asarray(path.leaves)]
    # Entries may repeat the largest tree: only trees of the folds had so many expansions.
    assert leaves == sorted(leaves, reverse=True)
    assert len(set(leaves)) == len(leaves) or path.key_name == "expansions"
    least = f.n_rows
    grown = model.fitted_.grown.n_leaves
    sizes = range(1, grown + 1) if grown <= 12 else {1, 2, 3, grown // 2, grown - 1, grown}
    for size in sizes:
        fitting = [n for n in leaves if n <= size]
        if not fitting:
            continue
        smaller = model.prune(n_leaves=size)
        smaller.tree_.check()
        assert smaller.tree_.n_leaves == max(fitting), (size, leaves)
        assert len(answers(smaller, f.rows)[0]) == f.n_rows
        least = min(least, smaller.tree_.n_leaves)
    key = path.key
    for i in {0, len(leaves) // 2, len(leaves) - 1}:
        if np.isfinite(key[i]) and path.key_name == "alpha":
            assert model.prune(alpha=float(key[i])).tree_.n_leaves <= leaves[i]
