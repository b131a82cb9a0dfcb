"""Edits of one condition: another split, levels that move, where missing values go."""

from __future__ import annotations

from typing import Any

from ramify.edit.base import Asked
from ramify.edit.candidates import Candidate, Candidates
from ramify.edit.demands import in_words, nodes_of, put_above
from ramify.edit.growing import Growing
from ramify.edit.price import Price
from ramify.edit.reading import read_condition
from ramify.edit.snapping import snapped
from ramify.learning import parameters as check
from ramify.tables.levels import as_level, short_list
from ramify.tree.conditions import Condition, Multiway, Subset, Threshold
from ramify.tree.skeleton import condition_as_dict

BELOW = ("keep", "drop", "regrow")


class Splitting(Growing):
    """Edits of one condition; not for direct use."""

    def split(
        self,
        node: int,
        condition: Any,
        *,
        below: str = "keep",
        snap: int | str | None = None,
        reason: str | None = None,
        dry_run: bool = False,
        bound: bool = False,
    ) -> Price:
        """Give a node another condition, or make a leaf an inner node.

        Parameters
        ----------
        node : int
            Number of the node in ``tree``.
        condition : str, Threshold, Subset, Multiway or dict
            What is asked. Text such as "age <= 40", "job in {clerk, nurse}", "job = clerk",
            "job: {clerk} | {nurse, cook}" or "age is missing", followed by "missing left",
            "missing right" or "missing 2" if rows without a value shall take a branch. Or a
            condition of a tree, such as that of a candidate, or a dict like a node of a skeleton,
            which may have conditions below. The first branch of a threshold has what is at most the
            threshold, also if the text says "age > 40".
        below : {"keep", "drop", "regrow"}, default="keep"
            What becomes of the conditions below. "keep": each branch keeps those it has now, where
            they still divide its rows. "drop": the branches become leaves. "regrow": they grow
            again. Conditions below that a dict gives come first.
        snap : int or "round", optional
            Round the threshold: to so many significant digits, or to the roundest number that sends
            no row elsewhere.
        reason : str, optional
            Why. It is recorded with the node, and texts show it.
        dry_run : bool, default=False
            Only say what it would cost.
        bound : bool, default=False
            Also search for the best tree that keeps to all locks.

        Returns
        -------
        Price
        """
        asked = Asked(reason, dry_run, bound)
        node = self._free(node, below_too=below != "keep")
        given = read_condition(condition, self.tree.schema)
        if snap is not None:
            given = self._snapped(node, given, snap)
        arguments: dict[str, Any] = {"condition": given if snap else as_code(condition)}
        if below != "keep":
            arguments["below"] = below
        return self._split("split", node, given, below, arguments, asked)

    def move_levels(
        self,
        node: int,
        levels: Any,
        to_branch: int | str,
        *,
        below: str = "keep",
        reason: str | None = None,
        dry_run: bool = False,
        bound: bool = False,
    ) -> Price:
        """Move levels of a nominal split to another branch.

        Parameters
        ----------
        node : int
            Number of the node in ``tree``.
        levels : level or list of levels
            Levels of the column that the node asks for.
        to_branch : int, "left" or "right"
            The branch that they take.
        below, reason, dry_run, bound
            As in :meth:`split`.
        """
        asked = Asked(reason, dry_run, bound)
        node = self._free(node, below_too=below != "keep")
        condition = self._condition(node)
        if isinstance(condition, Threshold):
            raise ValueError(
                f"node={node} asks {condition.describe(0)!r} and has no levels to move; split() "
                "gives it another threshold"
            )
        branch = read_branch("to_branch", to_branch, condition.n_branches)
        known = self.tree.schema.columns[condition.column].levels
        moved = [as_level(level) for level in (levels if isinstance(levels, list) else [levels])]
        for level in moved:
            if level not in known:
                raise ValueError(
                    f"levels: {level!r:.80} is not a level of column {condition.attribute!r}; the "
                    f"levels are {short_list(known, 20)}"
                )
        sets = [[level for level in one if level not in moved] for one in condition.branches]
        sets[branch] += moved
        if empty := [b for b, one in enumerate(sets) if not one and b != condition.missing_to]:
            raise ValueError(f"branch {empty[0]} of node {node} would have no levels left")
        given = {**condition_as_dict(condition), "levels": sets}
        heaviest = self._heaviest(node)
        given["other"] = branch if heaviest is None else heaviest
        arguments = {"levels": levels, "to_branch": to_branch, "below": below}
        return self._split("move_levels", node, given, below, arguments, asked)

    def send_missing(
        self,
        node: int,
        branch: int | str | None,
        *,
        reason: str | None = None,
        dry_run: bool = False,
        bound: bool = False,
    ) -> Price:
        """Say where rows without a value go; levels not seen in training follow, as `unseen` says.

        Parameters
        ----------
        node : int
            Number of the node in ``tree``.
        branch : int, "left", "right" or None
            The branch. None: as the rule for missing values of the estimator says.
        reason, dry_run, bound
            As in :meth:`split`.
        """
        asked = Asked(reason, dry_run, bound)
        node = self._free(node, below_too=False)
        condition = self._condition(node)
        given = condition_as_dict(condition)
        given.pop("missing", None)
        if branch is not None:
            given["missing"] = read_branch("branch", branch, condition.n_branches)
        if (heaviest := self._heaviest(node)) is not None and "levels" in given:
            given["other"] = heaviest
        return self._split("send_missing", node, given, "keep", {"branch": branch}, asked)

    def swap(
        self,
        node: int,
        rank: int = 1,
        *,
        below: str = "keep",
        reason: str | None = None,
        dry_run: bool = False,
        bound: bool = False,
    ) -> Price:
        """Take what nearly won at a node.

        Parameters
        ----------
        node : int
            Number of the node in ``tree``.
        rank : int, default=1
            1 is the runner-up: the best split by a column that the node does not ask for now.
        below, reason, dry_run, bound
            As in :meth:`split`.
        """
        asked = Asked(reason, dry_run, bound)
        node = self._free(node, below_too=below != "keep")
        rank = check.whole("rank", rank, least=1)
        now = self.tree.condition(node).attribute if self._inner(node) else None
        others = [one for one in self._best_splits(node) if one[0].attribute != now]
        if rank > len(others):
            raise ValueError(f"rank={rank}: node {node} has {len(others)} other candidates")
        given = condition_as_dict(others[rank - 1][0])
        arguments = {"rank": rank, "below": below}
        return self._split("swap", node, given, below, arguments, asked)

    # --- looking ------------------------------------------------------------------------------

    def candidates(self, node: int, *, limit: int | None = None) -> Candidates:
        """Give the best split of a node by every column, by falling gain.

        Trees that select columns by tests order them by rising p-value. The search keeps to
        `exclude`, `interactions`, `monotone` and the least size of a leaf, and to no other limit of
        growth.

        Parameters
        ----------
        node : int
            Number of the node in ``tree``.
        limit : int, optional
            The most candidates to give.

        Returns
        -------
        Candidates
        """
        node = self._node(node)
        conditions = self._best_splits(node)
        if limit is not None:
            conditions = conditions[: check.whole("limit", limit, least=1)]
        current = self.tree.condition(node) if self._inner(node) else None
        effects = self._effects(node, [condition for condition, _ in conditions])
        return Candidates(
            Candidate(
                condition=condition,
                column=condition.attribute,
                gain=gain,
                p_value=p_value,
                rows=rows,
                weight=weight,
                validation=change,
                is_current=_same_question(condition, current),
            )
            for (condition, gain), (rows, weight, change, p_value) in zip(
                conditions, effects, strict=True
            )
        )

    # --- parts --------------------------------------------------------------------------------

    def _split(
        self,
        action: str,
        node: int,
        given: dict[str, Any],
        below: str,
        arguments: dict[str, Any],
        asked: Asked,
    ) -> Price:
        check.choice("below", below, BELOW)
        nodes = nodes_of("condition", given, self.tree.schema)
        tags = [-1] * len(nodes)
        single = len(nodes) == 1 + len(nodes[0][5])
        if below == "keep" and single:
            nodes, tags = put_above(nodes[0], *self._state.version.demand(node))
        tags[0] = self._tag()
        marks = {tags[0]: self._mark(action, node, asked)}
        after, passed_over = self._replaced(self._state, node, nodes, tags, marks)
        if passed_over[0]:
            words = in_words(nodes[0], self.tree.schema).describe(0)
            raise ValueError(
                f"{words!r} does not divide the rows of node {node}: all of them take one branch"
            )
        if below == "regrow" and single:
            after = self._grown_below(after, node)
        left_out = self._left_out(nodes, passed_over)
        return self._finish(action, node, arguments, after, asked, left_out)

    def _condition(self, node: int) -> Condition:
        if not self._inner(node):
            raise ValueError(f"node={node} is a leaf and has no condition; split() gives it one")
        return self.tree.condition(node)

    def _heaviest(self, node: int) -> int | None:
        data = self.tree.data
        first, count = int(data["first_child"][node]), int(data["n_children"][node])
        if not count:
            return None
        return int(data["proportion"][first : first + count].argmax())

    def _snapped(self, node: int, given: dict[str, Any], snap: int | str) -> dict[str, Any]:
        if "threshold" not in given:
            raise ValueError(f"snap={snap!r}: the condition has no threshold to round")
        column = self.tree.schema.names.index(
            in_words(nodes_of("condition", given, self.tree.schema)[0], self.tree.schema).attribute
        )
        if self.tree.schema.columns[column].kind != "numeric":
            raise ValueError(f"snap={snap!r}: only a threshold of numbers is rounded")
        return {
            **given,
            "threshold": snapped(float(given["threshold"]), snap, self._values(node, column)),
        }


def as_code(condition: Any) -> Any:
    """Give a condition so that it can be written in code."""
    if isinstance(condition, Threshold | Subset | Multiway):
        return condition_as_dict(condition)
    return condition


def read_branch(name: str, value: Any, count: int) -> int:
    """Read the number of a branch; "left" and "right" are 0 and 1."""
    sides = {"left": 0, "right": 1}
    found = sides.get(value) if isinstance(value, str) else value
    if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found < count:
        raise ValueError(
            f"{name}={value!r:.80} is not a branch; choose 'left', 'right' or 0 to {count - 1}"
        )
    return found


def _same_question(one: Condition, other: Condition | None) -> bool:
    """Tell whether two conditions divide levels or numbers alike, wherever missing values go."""
    if other is None or one.column != other.column or type(one) is not type(other):
        return False
    if isinstance(one, Threshold) and isinstance(other, Threshold):
        return one.value == other.value
    assert not isinstance(one, Threshold)
    assert not isinstance(other, Threshold)
    return {frozenset(levels) for levels in one.branches} == {
        frozenset(levels) for levels in other.branches
    }
