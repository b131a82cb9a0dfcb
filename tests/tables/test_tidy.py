"""Text that is numbers, dates or times is read in any table; everything else stays."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ramify import TreeRegressor
from ramify.tables import Table, tidy

PRICES = ["$1,200", "$950", None, "$3,000"]
DAYS = ["31.12.2023", "1.2.2024", "n/a", "28.2.2024"]


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame])
def test_numbers_and_dates(make: type) -> None:
    found = tidy(make({"price": PRICES, "sold": DAYS, "colour": ["r", "g", None, "r"]}))
    np.testing.assert_array_equal(found["price"], [1200, 950, np.nan, 3000])
    assert found["sold"].dtype == "datetime64[D]"
    assert str(found["sold"][0]) == "2023-12-31"
    assert np.isnat(found["sold"][2])
    assert found["colour"].tolist() == ["r", "g", None, "r"]
    assert found.forms["sold"].order == "dmy"
    assert set(found.forms) == {"price", "sold"}


def test_orders_and_times_stay() -> None:
    grade = pd.Categorical(["low", "high"] * 2, ["low", "high"], ordered=True)
    when = pd.date_range("2024-01-01 10:00", periods=4, freq="h")
    frame = pd.DataFrame({"grade": grade, "when": when, "n": [1, 2, 3, 4]}, index=[5, 6, 7, 8])
    before, after = Table.read(frame), Table.read(tidy(frame))
    assert before.schema.names == after.schema.names
    for j, column in enumerate(before.schema.columns):
        assert after.schema.columns[j].levels == column.levels
        assert after.schema.columns[j].kind == column.kind
        np.testing.assert_array_equal(before.column(j), after.column(j))


def test_a_model_reads_text_as_it_learned_to() -> None:
    sold = [f"{1 + i % 28}.{1 + i // 28}.2024" for i in range(112)]
    y = np.array([0.0] * 56 + [1.0] * 56)
    model = TreeRegressor().fit(tidy({"sold": sold, "x": [float(i % 3) for i in range(112)]}), y)
    assert "sold" in model.tree_.to_text()
    raw = {"sold": ["1.1.2024", "2.4.2024"], "x": [0.0, 0.0]}
    assert model.predict(raw).tolist() == [0.0, 1.0]
