"""The progress bar: what it shows, and that it is silent where nobody looks."""

from __future__ import annotations

from typing import Any

import pytest

from ramify.learning.progress import progress


@pytest.mark.parametrize("total", [None, 4, 1.0])
def test_progress(total: Any, capsys: Any) -> None:
    with progress("counting", total, shown=None) as hidden:
        hidden(1)
        hidden.expect(2)
    assert capsys.readouterr() == ("", "")
    with progress("counting", total, shown=True) as bar:
        bar(0, "[brackets]")
        bar.advance()
        if total == 4:
            bar.expect(2)
    shown = capsys.readouterr()
    assert "[brackets]" in shown.err and not shown.out
    assert {None: " 1 ", 4: "1/6", 1.0: "100%"}[total] in shown.err
