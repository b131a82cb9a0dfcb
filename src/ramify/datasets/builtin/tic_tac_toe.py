"""Tic-tac-toe: every board at which a game can end, enumerated by playing."""

from __future__ import annotations

from ramify.datasets.dataset import Dataset, text_column

SQUARES = tuple(
    f"{row}_{column}"
    for row in ("top", "middle", "bottom")
    for column in ("left", "middle", "right")
)
_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
Board = tuple[str, ...]


def load_tic_tac_toe() -> Dataset:
    """Load the 958 boards at which a game of tic-tac-toe can end when x moves first.

    Nine nominal columns, x, o or b (blank); the class is positive if x has three in a row. A line
    is an "and" of three squares, and the class is an "or" of eight lines. So small trees learn it
    only in part (Aha 1991; UCI "Tic-Tac-Toe Endgame").

    Examples
    --------
    >>> boards = load_tic_tac_toe()
    >>> [boards.y.tolist().count(label) for label in ("positive", "negative")]
    [626, 332]
    """
    ends: set[Board] = set()
    _play(("b",) * 9, "x", set(), ends)
    order = sorted(ends, key=lambda board: (not _wins(board, "x"), ["xob".index(s) for s in board]))
    return Dataset(
        data={name: text_column(board[i] for board in order) for i, name in enumerate(SQUARES)},
        target=text_column("positive" if _wins(board, "x") else "negative" for board in order),
        target_name="class",
        description="Tic-tac-toe endgame (Aha 1991): whether x, who moves first, has won.",
    )


def _play(board: Board, player: str, seen: set[Board], ends: set[Board]) -> None:
    """Visit every board that can follow; a board tells whose move it is."""
    if board in seen:
        return
    seen.add(board)
    if "b" not in board or _wins(board, "x") or _wins(board, "o"):
        ends.add(board)
        return
    for i, square in enumerate(board):
        if square == "b":
            _play((*board[:i], player, *board[i + 1 :]), "o" if player == "x" else "x", seen, ends)


def _wins(board: Board, player: str) -> bool:
    return any(all(board[i] == player for i in line) for line in _LINES)
