"""Branches that grow again: greedily, with pruning, or as the best of their depth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from ramify import _core
from ramify.edit.base import Editing
from ramify.edit.demands import LEAF, in_words, nodes_of
from ramify.edit.losses import NewLosses
from ramify.edit.price import Change
from ramify.edit.state import State
from ramify.learning import parameters as check
from ramify.learning.monotone import monotone_signs
from ramify.learning.number_loss import LOSSES
from ramify.learning.target import Target
from ramify.support.suggest import near_names
from ramify.tables import Table
from ramify.tree.conditions import Condition
from ramify.tree.skeleton import condition_as_dict
from ramify.trees.greedy.constraints import find_columns, read_columns
from ramify.trees.optimal import OptimalTreeClassifier, OptimalTreeRegressor

Floats = NDArray[np.float64]
_OPTIMAL_DEPTH = 2
#: What an optimal branch may be given. Leaves answer by the rule of the whole tree, so what is
#: minimised is not among it.
_SEARCH = (
    "max_leaves",
    "min_samples_leaf",
    "sparsity",
    "features",
    "n_thresholds",
    "start",
    "time_limit",
    "memory_limit",
)
Effect = tuple[tuple[int, ...], tuple[float, ...], Change | None, float | None]


def read_search(search: Any, by: str) -> dict[str, Any]:
    """Read the parameters of an optimal branch; {} is none."""
    if search is None:
        return {}
    if not isinstance(search, Mapping):
        raise ValueError(f"search={search!r:.80} must be None or a dict of parameters")
    if search and by != "optimal":
        raise ValueError(f"search={search!r:.80} is for by='optimal', not by={by!r}; leave it out")
    for name, value in search.items():
        if name not in _SEARCH:
            near = near_names(str(name), _SEARCH, "parameters")
            raise ValueError(
                f"search: {name!r:.80} is not a parameter of an optimal branch; {near}"
            )
        if name == "n_thresholds" and value == "grow":
            raise ValueError(
                "search: n_thresholds='grow' chooses by held-out rows; choose a number or 'mdl'"
            )
    return dict(search)


class Growing(Editing):
    """Searches at a node; not for direct use."""

    def _best_splits(self, node: int) -> list[tuple[Condition, float]]:
        """Give the best split by every column with its gain, the best one first."""
        stump = self._core.candidates(
            self._state.version,
            node,
            self._allowed(node),
            self._order.bounds(self.tree, node),
            "criterion",
        )
        root = self.tree.with_core(stump).nodes[0]
        if root.condition is None:
            return []
        found = [(root.condition, root.gain)]
        found += [(one.condition, one.gain) for one in root.competitors]
        found.sort(key=lambda one: -one[1])
        if self._settings["selection"] in ("conditional_inference", "chaid"):
            asked = [self._asked(condition) for condition, _ in found]
            counted = self._core.effects(self._state.version, node, asked)
            log_p = {
                condition.column: one[3] for (condition, _), one in zip(found, counted, strict=True)
            }
            found.sort(key=lambda one: (log_p[one[0].column] or 0.0, -one[1]))
        return found

    def _asked(self, condition: Condition) -> list[_core.SkeletonNode]:
        return nodes_of("condition", condition_as_dict(condition), self.tree.schema)

    def _effects(self, node: int, conditions: list[Condition]) -> list[Effect]:
        """Give rows and weight of the branches of each condition, its effect, and its p-value."""
        state = self._state
        path = state.path(node)
        as_leaf, _ = self._replaced(state, node, [LEAF], [-1], {})
        before = self._below(as_leaf, path)
        asked = [self._asked(one) for one in conditions]
        counted = self._core.effects(state.version, node, asked)
        whole, divided, _ = self._core.rows(state.version, node, "held_out")
        # Rows that come in parts, and medians, need the trees themselves.
        ranks = self._settings["criterion"] in ("absolute_error", "quantile")
        plain = not len(divided) and not ranks
        replaced = None if before is None else self._losses[1].put(before)
        found: list[Effect] = []
        for nodes, (rows, sums, held_out, log_p) in zip(asked, counted, strict=True):
            classes = state.tree.task == "classification"
            weight = sums.sum(axis=1) if classes else sums[:, 0]
            change = None
            if before is not None and plain:
                answers = self._answers(sums)[held_out]
                change = self._losses[1].changes(self._losses[1].of_answers(whole, answers))[-1]
            elif before is not None:
                made, _ = self._replaced(state, node, nodes, [-1] * len(nodes), {})
                after = self._below(made, path)
                assert after is not None
                change = self._losses[1].changes(after)[-1]
            p_value = None if log_p is None else float(np.exp(log_p))
            found.append((tuple(rows[:-1].tolist()), tuple(weight[:-1].tolist()), change, p_value))
        if replaced is not None:
            self._losses[1].put(replaced)
        return found

    def _answers(self, sums: Floats) -> NDArray[Any]:
        """Give what the branches with these sums answer, and rows that are divided among them.

        The last sums are those of rows without a branch.
        """
        known = sums[:-1]
        if self.tree.task != "classification":
            share = known[:, 0] / known[:, 0].sum()
            means = (known[:, 1] + share * sums[-1, 1]) / (known[:, 0] + share * sums[-1, 0])
            return np.append(means, share @ means)
        weights = known.sum(axis=1)
        if sums[-1].any():
            # The rows without a branch are divided in proportion.
            known = known + np.outer(weights / weights.sum(), sums[-1])
        shares = known / known.sum(axis=1, keepdims=True)
        mixed = (weights / weights.sum()) @ shares
        each = np.vstack((shares, mixed))
        costs = self._target.costs
        return np.asarray(each.argmax(axis=1) if costs is None else (each @ costs).argmin(axis=1))

    def _below(self, state: State, path: list[int]) -> NewLosses | None:
        """Give the losses of the held-out rows at a node."""
        if len(self._losses) < 2:
            return None
        return self._losses[1].below(state.version, state.tree, state.at(path))

    def _grown_below(self, state: State, node: int) -> State:
        """Grow all branches of a node again."""
        path = self._state.path(node)
        at = state.at(path)
        for branch in range(int(state.tree.data["n_children"][at])):
            state = self._grown(state, state.at([*path, branch]), "greedy", (), None)
        return state

    def _grown(
        self,
        state: State,
        node: int,
        by: str,
        exclude: tuple[str, ...],
        max_depth: int | None,
        search: Mapping[str, Any] | None = None,
    ) -> State:
        """Give the state with a branch that has grown again."""
        depth = int(state.tree.data["depth"][node])
        if by == "greedy":
            left = self._leaves_left(state, node)
            grown = self._core.grow(
                state.version,
                node,
                self._allowed_in(state, node, exclude),
                self._order.bounds(state.tree, node),
                max_depth,
                left,
            )
            version, _, _ = self._core.put_tree(state.version, node, grown)
            return State(version, state.marks, state.template, state.history)
        table, target = self._rows_of(state, node)
        allowed = self._allowed_in(state, node, exclude)
        limit = self._depth_left(depth) if max_depth is None else max_depth
        if by == "pruned":
            model: Any = clone(self._estimator)
            settings: dict[str, Any] = {"skeleton": None}
            if model.pruning is None:
                settings["pruning"] = "auto"
            if limit is not None:
                settings["max_depth"] = limit
            model.set_params(**settings)
        else:
            given = dict(search or {})
            if max_depth is None:
                leaves = given.get("max_leaves")
                usual = _OPTIMAL_DEPTH
                if leaves is not None:
                    usual = max(1, check.whole("search: max_leaves", leaves, least=1) - 1)
                limit = usual if limit is None else min(usual, limit)
            assert limit is not None
            model = self._optimal(limit)
            signs = self._signs(allowed)
            if signs and given.get("features") is None:
                given["features"] = "auto"
            model.set_params(monotone=signs or None, **self._criterion(), **given)
        if allowed is not None:
            table = table.select(allowed)
        model.learn_from(table, target, model.check_parameters())
        tree = model.tree_
        if tree.n_leaves == 1:
            made, _ = self._replaced(state, node, [LEAF], [-1], {})
            return made
        nodes = nodes_of("tree", tree, state.tree.schema)
        made, _ = self._replaced(state, node, nodes, [-1] * len(nodes), {})
        return made

    def _optimal(self, depth: int) -> Any:
        settings: dict[str, Any] = {
            "max_depth": depth,
            "features": "all",
            "validation_fraction": None,
        }
        settings["n_jobs"] = self._estimator.n_jobs
        settings["min_samples_leaf"] = self._estimator.min_samples_leaf
        if self.tree.task == "classification":
            settings["costs"] = self._estimator.costs
            return OptimalTreeClassifier(**settings)
        return OptimalTreeRegressor(**settings)

    def _criterion(self) -> dict[str, Any]:
        """Give what the estimator minimises, if optimal trees of numbers do so, too."""
        settings = self._settings
        if self.tree.task == "classification" or settings["criterion"] not in LOSSES:
            return {}
        return {"criterion": settings["criterion"], "quantile": settings["quantile"]}

    def _signs(self, allowed: list[int] | None) -> dict[str, Any]:
        """Give the order that predictions must keep, of the columns that a branch may use."""
        schema = self.tree.schema
        if not (entries := self._settings["monotone"]):
            return {}
        given = monotone_signs(entries, schema, self.tree.classes, merges=False)
        classes = self.tree.classes
        found: dict[str, Any] = {}
        for j, sign in enumerate(given.get("monotone", [])):
            if sign and (allowed is None or j in allowed):
                label = () if classes is None else (classes[given["monotone_class"][j]],)
                found[schema.names[j]] = (sign, *label) if label else sign
        return found

    def _search_best(self, state: State, node: int, depth: int, seconds: float) -> Any:
        """Search for the best branch of a depth at a node, over all thresholds."""
        table, target = self._rows_of(state, node)
        allowed = self._allowed_in(state, node, ())
        if allowed is not None:
            table = table.select(allowed)
        model = self._optimal(depth)
        model.set_params(time_limit=seconds)
        return model.learn_from(table, target, model.check_parameters())

    def _columns(self, name: str, given: Any) -> tuple[str, ...]:
        """Read columns by name or position."""
        if isinstance(given, str | int | np.integer):
            given = [given]
        what = f"{name}={given!r:.80}"
        positions = find_columns(read_columns(what, given), self.tree.schema, what)
        return tuple(self.tree.schema.names[j] for j in positions)

    def _rows_of(self, state: State, node: int) -> tuple[Table, Target]:
        """Give the rows of a node with their target; parts of rows have parts of their weight."""
        whole, divided, part = self._core.rows(state.version, node, "grown")
        rows = np.concatenate((whole, divided)).astype(np.intp)
        order = np.argsort(rows)
        rows = rows[order]
        target = self._target.take(rows)
        if len(divided):
            parts = np.concatenate((np.ones(len(whole)), part))[order]
            target = target.with_weights(target.row_weights() * parts)
        return self._table.take(rows), target

    def _values(self, node: int, column: int) -> Floats:
        """Give the numbers of a column at a node."""
        whole, divided, _ = self._core.rows(self._state.version, node, "grown")
        rows = np.concatenate((whole, divided))
        return np.asarray(self._table.column(column)[rows], dtype=np.float64)

    def _allowed_in(self, state: State, node: int, exclude: tuple[str, ...]) -> list[int] | None:
        """Give the columns that a branch may use; None means all."""
        out = set(exclude)
        for at in [node, *state.above(node)]:
            out |= set(state.by_hand[at].excluded) if at in state.by_hand else set()
        if not out:
            return None
        allowed = [j for j, name in enumerate(state.tree.schema.names) if name not in out]
        if not allowed:
            raise ValueError(f"no column is left to split node {node} by")
        return allowed

    def _allowed(self, node: int) -> list[int] | None:
        return self._allowed_in(self._state, node, ())

    def _depth_left(self, depth: int) -> int | None:
        limit = self._estimator.max_depth
        return None if limit is None else max(1, int(limit) - depth)

    def _leaves_left(self, state: State, node: int) -> int | None:
        """Give the leaves that the estimator's limit leaves to a branch."""
        limit = self._estimator.max_leaves
        if limit is None:
            return None
        data = state.tree.data
        own = sum(not data["n_children"][at] for at in state.below(node))
        return max(1, int(limit) - (state.tree.n_leaves - own))

    def _left_out(self, nodes: list[_core.SkeletonNode], passed_over: list[int]) -> tuple[str, ...]:
        """Give the conditions that were left out, in words."""
        return tuple(
            in_words(node, self.tree.schema).describe(0)
            for node, passed in zip(nodes, passed_over, strict=True)
            if passed and node[0]
        )
