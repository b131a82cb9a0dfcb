"""The modules by the names they had before version 0.2, which pickles of that time contain.

Model files (``save`` and ``load``) contain no module names, and are the way to keep a model.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

#: From the former name to the present one, both without "ramify.".
FORMER = {
    "_boosting_file": "trees.boosted.state",
    "_bottom_up_pruning": "pruning.bottom_up",
    "_conditional_chi2": "aggregate.chi2",
    "_conditional_means": "aggregate.means",
    "_conditions": "tree.conditions",
    "_cross_validated_errors": "pruning.cross_validation",
    "_csv_rows": "support.csv_rows",
    "_discretize_base": "discretize.base",
    "_discretize_chimerge": "discretize.chimerge",
    "_discretize_equal": "discretize.equal",
    "_discretize_equal_frequency": "discretize.equal",
    "_discretize_equal_width": "discretize.equal",
    "_discretize_mdlp": "discretize.mdlp",
    "_discretize_mid": "discretize.mid",
    "_discretize_output": "discretize.output",
    "_discretize_ranking": "discretize.ranking",
    "_encode": "tables.encode",
    "_join_columns": "tables.join",
    "_json_values": "tables.values",
    "_level_json": "tables.level_json",
    "_mdl_pruning": "pruning.mdl",
    "_merge_levels": "splits.merge",
    "_mixture_file": "trees.mixture.state",
    "_nodes": "tree.nodes",
    "_nominal_methods": "splits.methods",
    "_optimal_claim": "trees.optimal.claim",
    "_optimal_clock": "learning.clock",
    "_optimal_features": "trees.optimal.features",
    "_optimal_search": "trees.optimal.search",
    "_optimal_target": "learning.target",
    "_optimal_tree": "trees.optimal.features",
    "_output_file": "support.writer",
    "_parameters": "learning.parameters",
    "_pruning_file": "trees.single.state",
    "_pruning_path": "pruning.path",
    "_search_file": "trees.optimal.state",
    "_sequence_pruning": "pruning.sequences",
    "_table_columns": "tables.columns",
    "_table_levels": "tables.levels",
    "_table_source": "tables.source",
    "_training": "learning.training",
    "_tree_arrays": "tree.arrays",
    "_tree_dict": "tree.as_dict",
    "datasets._dataset": "datasets.dataset",
    "datasets._folder": "datasets.folder",
    "evaluate._beats": "evaluate.tables.beats",
    "evaluate._comparison": "evaluate.comparison",
    "evaluate._friedman": "evaluate.significance.friedman",
    "evaluate._paired_tests": "evaluate.significance.paired",
    "evaluate._ranks": "evaluate.tables.ranks",
    "evaluate._score_table": "evaluate.tables.score_table",
    "discretize.equal_frequency": "discretize.equal",
    "discretize.equal_width": "discretize.equal",
    "export._plan": "export.refusals",
    "export.arrays": "tree.sklearn_arrays",
    "export.rules": "tree.rules",
    "show.frame": "tables.frame",
    "show.text": "tree.text",
    "trees._base": "trees.single.base",
    "trees._boosted_algorithms": "trees.boosted.algorithms",
    "trees._boosted_criterion": "trees.boosted.parameters",
    "trees._boosted_leaves": "trees.boosted.leaves",
    "trees._boosted_predict": "trees.boosted.predict",
    "trees._boosted_rounds": "trees.boosted.rounds",
    "trees._contributions": "trees.single.contributions",
    "trees._core_table": "tables.table",
    "trees._explain": "trees.single.explain",
    "trees._importance": "trees.single.importance",
    "trees._mixture_base": "trees.mixture.base",
    "trees._mixture_em": "trees.mixture.em",
    "trees._mixture_encoding": "trees.mixture.encoding",
    "trees._mixture_hard_tree": "trees.mixture.hard_tree",
    "trees._mixture_lbfgs": "trees.mixture.lbfgs",
    "trees._mixture_model": "trees.mixture.model",
    "trees._mixture_softmax": "trees.mixture.softmax",
    "trees._mixture_start": "trees.mixture.start",
    "trees._mixture_sums": "trees.mixture.sums",
    "trees._optimal_base": "trees.optimal.base",
    "trees._optimal_given": "trees.optimal.given",
    "trees._optimal_loop": "trees.optimal.loop",
    "trees._optimal_start": "trees.optimal.start",
    "trees._optimal_task": "trees.optimal.feature_search",
    "trees._predict": "trees.single.base",
    "trees._pruned": "trees.single.base",
    "trees._reports": "trees.single.reports",
    "trees._table_model": "learning.model",
    "trees._target": "learning.labels",
    "trees.boosted": "trees.boosted.classifier",
    "trees.classifier": "trees.greedy.classifier",
    "trees.mixture": "trees.mixture.classifier",
    "trees.mixture_regressor": "trees.mixture.regressor",
    "trees.optimal": "trees.optimal.classifier",
    "trees.optimal_regressor": "trees.optimal.regressor",
    "trees.regressor": "trees.greedy.regressor",
}


class _FormerNames:
    """Finds modules by former names. Python asks it last, so other imports stay fast."""

    def __init__(self) -> None:
        self._specs: dict[str, Any] = {}

    def find_spec(self, name: str, path: Any, target: ModuleType | None = None) -> Any:
        """Give a specification for former names, and None for all others."""
        known = name.startswith("ramify.") and name.removeprefix("ramify.") in FORMER
        return ModuleSpec(name, self) if known else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Give the present module."""
        present = import_module(f"ramify.{FORMER[spec.name.removeprefix('ramify.')]}")
        self._specs[present.__name__] = present.__spec__
        return present

    def exec_module(self, module: ModuleType) -> None:
        """Run nothing, since the module has run already; give it back its own specification."""
        module.__spec__ = self._specs.pop(module.__name__)


def answer_to_former_names() -> None:
    """Let imports find modules by their former names."""
    if not any(isinstance(finder, _FormerNames) for finder in sys.meta_path):
        sys.meta_path.append(_FormerNames())
