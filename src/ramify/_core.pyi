"""The compiled core of Ramify."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

class Table:
    def __init__(self, rows: int) -> None: ...
    def add_matrix(
        self, matrix: NDArray[np.float64] | NDArray[np.float32], threads: int = 1
    ) -> None: ...
    def add_numeric(self, columns: Sequence[NDArray[np.float64]], threads: int = 1) -> None: ...
    def add_codes(self, kind: str, codes: NDArray[np.int32], levels: int) -> None: ...
    @property
    def rows(self) -> int: ...
    @property
    def columns(self) -> int: ...
    @property
    def nbytes(self) -> int: ...

class DelimitedReader:
    def __init__(
        self,
        columns: Sequence[tuple[int, str]],
        width: int,
        header: bool,
        delimiter: str,
        decimal: str,
        missing: Sequence[str],
        longest_row: int,
        block: int,
        expected: int = 0,
        threads: int = 0,
    ) -> None: ...
    def add(self, piece: bytes) -> None: ...
    def finish(self) -> None: ...
    def take(
        self,
    ) -> list[NDArray[np.float64] | tuple[NDArray[np.int32], list[str]] | None]: ...
    @property
    def rows(self) -> int: ...
    @property
    def wrong(self) -> tuple[int, int, str] | None: ...

def first_record(
    text: bytes, final: bool, delimiter: str, longest_row: int
) -> list[str] | None: ...

class Tree:
    def __init__(
        self, task: str, n_columns: int, n_outputs: int, arrays: dict[str, NDArray[Any]]
    ) -> None: ...
    def __getstate__(self) -> tuple[str, int, int, dict[str, NDArray[Any]]]: ...
    def __setstate__(self, arg: tuple[str, int, int, dict[str, NDArray[Any]]], /) -> None: ...
    def arrays(self) -> dict[str, NDArray[Any]]: ...
    def check(self) -> None: ...
    @property
    def task(self) -> str: ...
    @property
    def n_nodes(self) -> int: ...
    @property
    def n_columns(self) -> int: ...
    @property
    def n_outputs(self) -> int: ...
    def apply(self, table: Any, unseen: str = "missing", threads: int = 1) -> NDArray[np.int64]: ...
    def predict(
        self, table: Any, unseen: str = "missing", threads: int = 1
    ) -> NDArray[np.float64]: ...
    def accumulate(
        self,
        table: Any,
        values: NDArray[np.float64],
        out: NDArray[np.float64],
        unseen: str = "missing",
        threads: int = 1,
    ) -> None: ...
    def predict_class(
        self,
        table: Any,
        unseen: str = "missing",
        threads: int = 1,
        costs: NDArray[np.float64] | None = None,
    ) -> NDArray[np.int64]: ...
    def labels(self, costs: NDArray[np.float64] | None = None) -> NDArray[np.int64]: ...
    def paths(
        self, table: Any, unseen: str = "missing"
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...

# Kind, column, threshold, branch of missing values, branch of every level, children, whether it is
# closed, and the columns that are allowed from it on.
SkeletonNode: TypeAlias = tuple[int, int, float, int, list[int], list[int], bool, list[int] | None]

class Problem:
    def constrain(
        self, constraints: tuple[list[list[int]], list[int] | None, list[SkeletonNode]]
    ) -> None: ...
    @property
    def passed_over(self) -> list[int]: ...

def classification_problem(
    table: Table,
    labels: NDArray[np.int32],
    classes: int,
    weights: NDArray[np.float64] | None,
    criterion: str | Callable[[NDArray[np.float64]], float],
    categorical_split: str,
    min_support: float,
    costs: NDArray[np.float64] | None,
    parameters: dict[str, Any],
) -> Problem: ...
def regression_problem(
    table: Table,
    target: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    criterion: str | Callable[[NDArray[np.float64]], float],
    multiway: bool,
    parameters: dict[str, Any],
    quantile: float = 0.5,
) -> Problem: ...
def grow(
    problem: Problem,
    included: NDArray[np.uint8] | None = None,
    consume: bool = False,
    max_expansions: int | None = None,
    entries: str | None = None,
) -> Tree: ...
def smallest_entries(rows: int, classes: int) -> str: ...

class Regrowth:
    def __init__(self, problem: Problem) -> None: ...
    def grow(
        self, weights: NDArray[np.float64], targets: NDArray[np.float64] | None = None
    ) -> list[Tree]: ...

class StreamColumns:
    def __init__(self, columns: Sequence[tuple[NDArray[np.float64], bool] | int]) -> None: ...

class StreamScan:
    def __init__(
        self,
        routes: list[Any],
        grain_rows: int,
        least_fraction: float,
        columns: StreamColumns,
        slots: Sequence[Any],
        form: dict[str, Any],
    ) -> None: ...
    def add(
        self,
        columns: Sequence[NDArray[Any] | None],
        rows: int,
        target: NDArray[Any],
        weights: NDArray[np.float64] | None,
        threads: int = 1,
    ) -> list[tuple[int, NDArray[np.int64], NDArray[np.float64]]]: ...
    def totals(
        self, slot: int
    ) -> tuple[int, NDArray[np.int64], float, float, NDArray[np.int64]]: ...
    def cells(self, slot: int, column: int) -> NDArray[np.int64]: ...
    def values(
        self, slot: int, column: int
    ) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]: ...

class StreamTop:
    def __init__(
        self,
        problem: Problem,
        form: dict[str, Any],
        all_weight: float,
        grain_rows: int,
        divides: bool,
        competitors: bool = True,
        targets: tuple[NDArray[np.float64], bool] | None = None,
    ) -> None: ...
    @property
    def surveys(self) -> bool: ...
    @property
    def passed_over(self) -> list[int]: ...
    @property
    def least_side(self) -> tuple[float, float]: ...
    def __len__(self) -> int: ...
    def info(self, node: int) -> tuple[str, int, int, bool, list[int]]: ...
    def count(
        self,
        node: int,
        rows: int,
        channels: NDArray[np.int64],
        low: float,
        high: float,
        deviance: NDArray[np.int64],
        targets: Any = None,
    ) -> None: ...
    def open_cells(
        self, node: int, columns: Sequence[Any], threads: int
    ) -> list[NDArray[np.uint8]]: ...
    def survey_cells(self, node: int, columns: Sequence[Any]) -> list[NDArray[np.uint8]]: ...
    def survey(self, node: int, column: int, counts: Any) -> None: ...
    def look(
        self, node: int, which: Sequence[int], columns: Sequence[Any], threads: int
    ) -> None: ...
    def look_at_part(self, node: int, column: int, counts: Any) -> None: ...
    def order_of_levels(self, node: int, column: int, counts: Any) -> list[int]: ...
    def asked(self, node: int) -> tuple[int, float]: ...
    def cells_of_best(self, node: int, column: int, counts: Any) -> list[int]: ...
    def decide(self, node: int) -> None: ...
    def routes(self, slots: Sequence[int]) -> list[Any]: ...
    def graft(self, node: int, subtree: Tree) -> None: ...
    def finish(self, max_expansions: int | None = None) -> Tree: ...

def give_back_free_memory() -> None: ...
def stream_facts(problem: Problem) -> tuple[bool, str, float | None]: ...
def deviance(name: str, y: float, mean: float) -> float: ...
def class_weights(form: dict[str, Any], channels: NDArray[np.int64]) -> NDArray[np.float64]: ...
def thresholds_of_fold(
    tree: Tree,
    keys: str,
    weigh_gains: bool,
    costs: NDArray[np.float64] | None,
    thresholds: NDArray[np.float64],
) -> NDArray[np.float64]: ...
def stream_losses(
    tree: Tree,
    keys: str,
    weigh_gains: bool,
    costs: NDArray[np.float64] | None,
    thresholds: NDArray[np.float64],
    loss: str,
    columns: Sequence[NDArray[Any]],
    rows: NDArray[np.uint32],
    target: NDArray[Any],
    weights: NDArray[np.float64] | None,
    unseen: str,
    quantile: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64], float, float, int]: ...
def grow_below(
    problem: Problem, top: StreamTop, node: int, fractions: NDArray[np.float64] | None = None
) -> Tree: ...
def chance_gains(
    problem: Problem,
    tree: Tree,
    searches: int,
    seed: int,
    class_weights: NDArray[np.float64] | None,
    unseen: str,
    included: NDArray[np.uint8] | None = None,
) -> NDArray[np.float64]: ...

class StepFolds:
    def __init__(
        self,
        problem: Problem,
        folds: NDArray[np.int32],
        n_folds: int,
        loss: str,
        unseen: str,
        time_limit: float | None,
    ) -> None: ...
    def advance(
        self, expansions: int
    ) -> (
        tuple[
            NDArray[np.float64],
            NDArray[np.float64],
            NDArray[np.float64],
            NDArray[np.float64],
            NDArray[np.int64],
        ]
        | None
    ): ...
    @property
    def finished(self) -> bool: ...

def pruning_sequence(
    tree: Tree, keys: str, weigh_gains: bool, costs: NDArray[np.float64] | None
) -> tuple[
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.int64],
    NDArray[np.float64],
]: ...
def cut(tree: Tree, keys: NDArray[np.float64], threshold: float) -> Tree: ...
def cross_validate(
    problem: Problem,
    keys: str,
    folds: NDArray[np.int32],
    n_folds: int,
    thresholds: NDArray[np.float64],
    loss: str,
    unseen: str,
    time_limit: float | None,
    on_progress: Callable[[int], None] | None,
) -> tuple[
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.int64],
]: ...
def added_errors(cases: float, errors: float, confidence: float) -> float: ...

class ErrorPruner:
    def __init__(self, problem: Problem, tree: Tree, confidence: float, unseen: str) -> None: ...
    def node(
        self, node: int
    ) -> tuple[int, int, float, int, list[tuple[int, int]], list[int], int]: ...
    def proportion(self, node: int) -> float: ...
    def value(self, node: int) -> NDArray[np.float64]: ...
    def expected(self, value: NDArray[np.float64]) -> float: ...
    def heaviest(self, node: int) -> int: ...
    def forced(self, node: int) -> bool: ...
    def decide(self, node: int, raised: float) -> bool: ...
    def set_rows(
        self, node: int, rows: int, value: NDArray[np.float64], proportion: float
    ) -> None: ...
    def add_branch(self, node: int, code: int) -> int: ...
    def prune_below(
        self,
        node: int,
        problem: Problem,
        fractions: NDArray[np.float64] | None,
        grain_rows: int,
    ) -> None: ...
    def tree(self) -> Tree: ...

def error_based(
    problem: Problem,
    tree: Tree,
    confidence: float,
    raising: bool,
    unseen: str = "missing",
    included: NDArray[np.uint8] | None = None,
) -> Tree: ...
def reduced_error(
    problem: Problem,
    tree: Tree,
    held_out: NDArray[np.uint8],
    significance: float | None,
    unseen: str = "missing",
) -> Tree: ...
def held_out_sums(
    tree: Tree,
    loss: str,
    costs: NDArray[np.float64] | None,
    centre: float,
    columns: Sequence[NDArray[Any]],
    rows: NDArray[np.uint32],
    target: NDArray[Any],
    weights: NDArray[np.float64] | None,
    unseen: str,
    quantile: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def reduced_error_by_sums(
    tree: Tree,
    loss: NDArray[np.float64],
    counts: NDArray[np.float64],
    significance: float | None,
) -> Tree: ...
def reduced_error_levels(
    problem: Problem,
    roles: NDArray[np.uint8],
    levels: Sequence[float | None],
    unseen: str,
    time_limit: float | None,
    on_progress: Callable[[int], None] | None,
) -> NDArray[np.float64]: ...
def description_length(
    problem: Problem,
    tree: Tree,
    code: str,
    structure: float,
    precision: float,
    range: float,
    unseen: str = "missing",
) -> tuple[Tree, NDArray[np.float64], NDArray[np.float64]]: ...
def values_below(
    problem: Problem,
    tree: Tree,
    top: int,
    fractions: NDArray[np.float64] | None,
    unseen: str,
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]: ...
def description_length_by_values(
    problem: Problem,
    tree: Tree,
    code: str,
    structure: float,
    precision: float,
    range: float,
    distinct: NDArray[np.int64],
    holes: NDArray[np.uint8],
    varying: int,
) -> Tree: ...
def merge_levels(
    sums: NDArray[np.float64], ordered: bool, floats: bool, min_rows: float, options: dict[str, Any]
) -> tuple[list[int], float, float]: ...
def best_nominal_split(
    counts: NDArray[np.float64],
    method: str,
    criterion: str,
    min_support: float,
    costs: NDArray[np.float64] | None,
    min_samples_leaf: float,
    seed: int,
    work_limit: int,
) -> dict[str, Any] | None: ...
def score(
    children: NDArray[np.float64],
    criterion: str,
    min_support: float,
    costs: NDArray[np.float64] | None,
) -> float: ...
def impurities(
    counts: NDArray[np.float64], criterion: str, costs: NDArray[np.float64] | None
) -> NDArray[np.float64]: ...
def few_levels() -> int: ...

class FeatureSet:
    def __init__(self, rows: int, across_columns: bool = True) -> None: ...
    def __len__(self) -> int: ...
    @property
    def binary(self) -> bool: ...
    @property
    def bytes(self) -> int: ...
    @property
    def columns(self) -> list[int]: ...
    def add_codes(self, column: int, codes: NDArray[np.int32]) -> bool: ...
    def add_ranks(self, table: Table, column: int) -> None: ...
    def add_levels(self, table: Table, column: int) -> None: ...
    def add_missing(self, table: Table, column: int) -> None: ...
    def add_threshold(self, table: Table, column: int, threshold: float) -> None: ...
    def find(self, left: NDArray[np.bool_], column: int) -> tuple[int, int, bool] | None: ...
    def find_or_add(self, left: NDArray[np.bool_], column: int) -> tuple[int, int, bool]: ...
    def tree(
        self,
        table: Table,
        splits: Sequence[Sequence[int]],
        *,
        labels: NDArray[np.int32] | None = None,
        classes: int = 0,
        target: NDArray[np.float64] | None = None,
        weights: NDArray[np.float64] | None = None,
        costs: NDArray[np.float64] | None = None,
        loss: str = "squared",
        quantile: float = 0.5,
        fixed: Sequence[tuple[int, int, float, int, list[int], int]] = [],
    ) -> Tree: ...

def column_facts(table: Table) -> list[tuple[bool, int]]: ...
def optimal_tree(
    columns: FeatureSet | Sequence[NDArray[np.int32]],
    *,
    labels: NDArray[np.int32] | None = None,
    classes: int = 0,
    target: NDArray[np.float64] | None = None,
    weights: NDArray[np.float64] | None = None,
    costs: NDArray[np.float64] | None = None,
    regrets: NDArray[np.float64] | None = None,
    loss: str = "squared",
    quantile: float = 0.5,
    start: Sequence[Sequence[int]] = [],
    limits: dict[str, Any] = {},
    switches: dict[str, bool] = {},
    on_progress: Callable[[float, float, float], None] | None = None,
    rows: NDArray[np.int32] | None = None,
    wanted: NDArray[np.bool_] | None = None,
    table: Table | None = None,
    monotone: Sequence[int] = [],
    monotone_class: Sequence[int] = [],
) -> dict[str, Any]: ...
def budget_tree(
    features: FeatureSet,
    *,
    labels: NDArray[np.int32],
    classes: int,
    weights: NDArray[np.float64] | None = None,
    costs: NDArray[np.float64] | None = None,
    budgets: Sequence[tuple[int, float, float]],
    limits: dict[str, Any] = {},
    on_progress: Callable[[float, float, float], None] | None = None,
) -> dict[str, Any]: ...
def optimal_tree_below(
    columns: FeatureSet | Sequence[NDArray[np.int32]],
    *,
    laid: Sequence[dict[str, Any]],
    labels: NDArray[np.int32] | None = None,
    classes: int = 0,
    target: NDArray[np.float64] | None = None,
    weights: NDArray[np.float64] | None = None,
    costs: NDArray[np.float64] | None = None,
    loss: str = "squared",
    quantile: float = 0.5,
    limits: dict[str, Any] = {},
    switches: dict[str, bool] = {},
    on_progress: Callable[[float, float, float], None] | None = None,
    table: Table,
    monotone: Sequence[int],
    monotone_class: Sequence[int],
) -> dict[str, Any]: ...
def optimal_front(
    columns: FeatureSet | Sequence[NDArray[np.int32]],
    *,
    labels: NDArray[np.int32] | None = None,
    classes: int = 0,
    target: NDArray[np.float64] | None = None,
    weights: NDArray[np.float64] | None = None,
    costs: NDArray[np.float64] | None = None,
    loss: str = "squared",
    quantile: float = 0.5,
    start: Sequence[Sequence[int]] = [],
    limits: dict[str, Any] = {},
    switches: dict[str, bool] = {},
    on_progress: Callable[[float, float, float], None] | None = None,
) -> list[dict[str, Any]]: ...
def deepest_search() -> int: ...

class NearTrees:
    @property
    def found(self) -> bool: ...
    @property
    def stopped_by(self) -> str: ...
    @property
    def best(self) -> float: ...
    @property
    def radius(self) -> float: ...
    @property
    def n_subproblems(self) -> int: ...
    def view(
        self, excluded: Sequence[bool], root: int, max_leaves: int, most: float
    ) -> NearView: ...

class NearView:
    def buckets(self) -> list[tuple[float, int, tuple[int, int]]]: ...
    def tree(self, high: int, low: int) -> tuple[float, list[tuple[int, int, int, int]]]: ...
    def importance(self, column: int) -> tuple[float, float]: ...
    def farthest(
        self,
        *,
        labels: NDArray[np.int32] | None = None,
        numbers: NDArray[np.float64] | None = None,
        largest: bool = True,
    ) -> tuple[float, list[tuple[int, int, int, int]]]: ...
    def answers(self) -> NDArray[np.float64]: ...

def near_trees(
    features: FeatureSet,
    *,
    labels: NDArray[np.int32] | None = None,
    classes: int = 0,
    target: NDArray[np.float64] | None = None,
    weights: NDArray[np.float64] | None = None,
    costs: NDArray[np.float64] | None = None,
    limits: dict[str, Any] = {},
    start: Sequence[Sequence[int]] = [],
    epsilon: float,
    max_trees: float,
    idle: bool = False,
    on_progress: Callable[[float, float, float], None] | None = None,
    table: Table | None = None,
    monotone: Sequence[int] = [],
    monotone_class: Sequence[int] = [],
    laid: Sequence[dict[str, Any]] = [],
    best: float = -1.0,
) -> NearTrees: ...
def max_cut(
    weights: NDArray[np.float64], method: str, seed: int
) -> tuple[NDArray[np.uint8], float]: ...
def maxcut_sdp(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]: ...
def rank_cuts(
    table: Table,
    labels: NDArray[np.int32],
    classes: int,
    weights: NDArray[np.float64] | None,
    impurity: str,
    limit: int | None,
    mdl: bool = False,
    threads: int = 1,
    columns: Sequence[int] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]: ...
def rank_cuts_of_numbers(
    table: Table,
    target: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    limit: int | None,
    mdl: bool = False,
    threads: int = 1,
    columns: Sequence[int] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]: ...
def mdlp_cuts(
    table: Table,
    labels: NDArray[np.int32],
    classes: int,
    weights: NDArray[np.float64] | None,
    threads: int = 1,
) -> list[NDArray[np.float64]]: ...
def chimerge_cuts(
    table: Table,
    labels: NDArray[np.int32],
    classes: int,
    weights: NDArray[np.float64] | None,
    threshold: float,
    min_intervals: int,
    max_intervals: int | None,
    threads: int = 1,
) -> list[NDArray[np.float64]]: ...
def log_chi_square_tail(statistic: float, df: float) -> float: ...
def log_f_tail(between: float, within: float, df1: float, df2: float) -> float: ...
def log_adjusted(log_p: float, count: float) -> float: ...

class ChanceTarget:
    @property
    def rows(self) -> float: ...
    @property
    def second(self) -> float: ...
    @property
    def third(self) -> float: ...
    @property
    def fourth(self) -> float: ...

def chance_of_classes(class_weights: Sequence[float], rows: float) -> ChanceTarget: ...
def chance_of_numbers(variance: float, fourth_moment: float, rows: float) -> ChanceTarget: ...
def moments_by_chance(target: ChanceTarget, sizes: Sequence[float]) -> tuple[float, float]: ...
def log_p_of_levels(target: ChanceTarget, sizes: Sequence[float], share: float) -> float: ...
def log_p_of_threshold(target: ChanceTarget, places: Sequence[float], share: float) -> float: ...
def log_p_of_even_threshold(
    target: ChanceTarget, count: float, first: float, last: float, share: float
) -> float: ...
def log_p_of_crossings(target: ChanceTarget, crossings: float, share: float) -> float: ...
def choose_threshold(target: ChanceTarget, columns: Sequence[Sequence[float]]) -> int: ...

class CriterionInfo:
    @property
    def name(self) -> str: ...
    @property
    def counts_rows(self) -> bool: ...
    @property
    def takes_costs(self) -> bool: ...
    @property
    def binary_only(self) -> bool: ...
    @property
    def adds_up_pairs(self) -> bool: ...

class NominalSearchInfo:
    @property
    def name(self) -> str: ...
    @property
    def guarantee(self) -> str: ...
    @property
    def cost(self) -> str: ...
    @property
    def reference(self) -> str: ...
    @property
    def criteria(self) -> str: ...

class RetirementInfo:
    @property
    def name(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def rmse(self) -> bool: ...

def criteria() -> list[CriterionInfo]: ...
def criterion_names() -> list[str]: ...
def nominal_searches() -> list[NominalSearchInfo]: ...
def nominal_search_names() -> list[str]: ...
def retirements() -> list[RetirementInfo]: ...
def available_threads() -> int: ...
def grow_parameters() -> list[str]: ...
def choices(parameter: str) -> list[str]: ...

class EditedTree:
    @property
    def tree(self) -> Tree: ...
    def tags(self) -> NDArray[np.int64]: ...
    def leaf_rows(
        self, node: int, which: str
    ) -> tuple[
        NDArray[np.uint32],
        NDArray[np.int32],
        NDArray[np.uint32],
        NDArray[np.float64],
        NDArray[np.int32],
    ]: ...
    def demand(self, node: int) -> tuple[list[SkeletonNode], list[int]]: ...

class TreeEditor:
    def __init__(self, problem: Problem, held_out: Sequence[NDArray[Any]], unseen: str) -> None: ...
    def open(self, tree: Tree) -> tuple[EditedTree, list[int], bool]: ...
    def replace(
        self,
        version: EditedTree,
        node: int,
        skeleton: Sequence[SkeletonNode],
        tags: Sequence[int],
    ) -> tuple[EditedTree, list[int], bool]: ...
    def tag(self, version: EditedTree, nodes: Sequence[int], tags: Sequence[int]) -> EditedTree: ...
    def put_tree(
        self, version: EditedTree, node: int, tree: Tree
    ) -> tuple[EditedTree, list[int], bool]: ...
    def candidates(
        self,
        version: EditedTree,
        node: int,
        columns: Sequence[int] | None,
        bounds: Sequence[float],
        selection: str,
    ) -> Tree: ...
    def grow(
        self,
        version: EditedTree,
        node: int,
        columns: Sequence[int] | None,
        bounds: Sequence[float],
        max_depth: int | None,
        max_leaves: int | None,
    ) -> Tree: ...
    def effects(
        self, version: EditedTree, node: int, asked: Sequence[Sequence[SkeletonNode]]
    ) -> list[tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int16], float | None]]: ...
    def gains(
        self, version: EditedTree, node: int, column: int, thresholds: NDArray[np.float64]
    ) -> NDArray[np.float64]: ...
    def rows(
        self, version: EditedTree, node: int, which: str
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64]]: ...
