"""The parts of a page: what comes from data is never markup, and the policy names what runs."""

from __future__ import annotations

import base64
import hashlib

import numpy as np
import pytest

from ramify.support.page.bins import in_bins
from ramify.support.page.parts import as_script, as_text, fill_template, source_hash


def test_json_in_a_script_element() -> None:
    text = as_script({"<!--": ["</script>", "\u2028", "&amp;", "é", "\ud800"]})
    assert not set("<>&") & set(text) and text.isascii()


def test_what_is_put_in_is_no_place_to_fill() -> None:
    assert fill_template("%%a%%-%%b%%", a="%%b%%", b="%%a%%") == "%%b%%-%%a%%"


def test_text_cannot_leave_its_place() -> None:
    text = as_text("</title><script>\"'&\ud800")
    assert not set("<>\"'") & set(text)
    text.encode()


def test_a_source_is_named_by_its_bytes() -> None:
    digest = base64.b64encode(hashlib.sha256("é".encode()).digest()).decode()
    assert source_hash("é") == f"'sha256-{digest}'"


@pytest.mark.parametrize("span", [4.0, 5e-324, 1e-310, 1e308])
def test_bins_have_equal_width_however_small_or_large(span: float) -> None:
    assert in_bins(np.array([0.0, span, span]), span, 4) == [1, 0, 0, 2]


def test_bins_are_those_of_numpy() -> None:
    above = np.arange(9) / 8
    assert in_bins(above, 1.0, 4) == np.histogram(above, 4)[0].tolist() == [2, 2, 2, 3]
