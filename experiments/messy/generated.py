"""Messy files that are made up, with a signal that is known."""

from __future__ import annotations

import numpy as np
import pandas as pd

from messy.case import Cases
from messy.cleaning import Recipe
from messy.spelling import clock, dollars, written

CASES = Cases()


@CASES.add(
    "products.csv",
    "product",
    "classification",
    "500 classes",
)
def products() -> pd.DataFrame:
    """Which of 500 products: by its shelf, weight and width; a tenth is put back wrongly."""
    rng = np.random.default_rng(20)
    rows = 8000
    product = rng.integers(0, 500, rows)
    shelf = np.array([f"shelf {n:02d}" for n in range(25)])[product % 25]
    weight = 10 * (product // 25 % 5) + rng.normal(0, 1.5, rows)
    width = 5 * (product // 125) + rng.normal(0, 0.8, rows)
    wrong = rng.random(rows) < 0.1
    shown = np.where(wrong, rng.integers(0, 500, rows), product)
    return pd.DataFrame(
        {
            "shelf": shelf,
            "weight": weight.round(1),
            "width": width.round(1),
            "product": [f"A{n:03d}" for n in shown],
        }
    )


@CASES.add(
    "visits.csv",
    "bought",
    "classification",
    "a nominal column of 20,000 levels that says nothing, 0/1 target",
    Recipe(drop=("visitor",)),
)
def visits() -> pd.DataFrame:
    """Visits of a shop: two each of 20,000 visitors."""
    rng = np.random.default_rng(21)
    rows = 40_000
    pages = rng.poisson(6, rows)
    device = rng.choice(["phone", "tablet", "desktop"], rows, p=[0.6, 0.1, 0.3])
    hour = rng.integers(0, 24, rows)
    odds = 0.35 * (pages - 6) + np.where(device == "desktop", 1.0, -0.4) - 0.8 * (hour < 7)
    bought = rng.random(rows) < 1 / (1 + np.exp(-odds))
    visitor = rng.permutation(np.repeat(rng.permutation(900_000)[:20_000], 2))
    return pd.DataFrame(
        {
            "visitor": [f"v{n:06d}" for n in visitor],
            "pages": pages,
            "device": device,
            "hour": hour,
            "bought": bought.astype(int),
        }
    )


@CASES.add(
    "payments.csv",
    "fraud",
    "classification",
    "2 % yes; ids, $1,234.50, 2021-03-04 05:06:07, 300 merchants",
    Recipe(
        drop=("payment",),
        dates={"time": "%Y-%m-%d %H:%M:%S"},
        numbers={"amount": "."},
        pool={"merchant": 20},
    ),
)
def payments() -> pd.DataFrame:
    """Payments, of which one in fifty is fraud: large ones at night, mostly."""
    rng = np.random.default_rng(22)
    rows = 20_000
    seconds = np.sort(rng.integers(0, 365 * 86_400, rows))
    time = pd.Timestamp("2021-01-01") + pd.to_timedelta(seconds, unit="s")
    amount = rng.lognormal(4, 1.2, rows)
    merchant = rng.zipf(1.3, rows) % 300
    chance = 0.004 + 0.6 * ((time.hour < 5) & (amount > 250))
    fraud = rng.random(rows) < chance
    return pd.DataFrame(
        {
            "payment": [f"{n:016x}" for n in rng.integers(0, 2**62, rows)],
            "time": time.strftime("%Y-%m-%d %H:%M:%S"),
            "amount": written(pd.Series(amount), dollars),
            "merchant": [f"Merchant {n}" for n in merchant],
            "country": rng.choice(["US", "GB", "DE", "NG", "BR"], rows),
            "fraud": np.where(fraud, "yes", "no"),
        }
    )


@CASES.add(
    "calls.csv",
    "resolved",
    "classification",
    "durations 1:02:03, dates of two forms, agents' names, True/False target",
    Recipe(
        drop=("call",),
        dates={"day": "%m/%d/%Y", "callback": "%d-%b-%Y"},
        durations=("waited", "talked"),
    ),
)
def calls() -> pd.DataFrame:
    """Calls of a help desk: short waits and long talks end well; Mondays do not."""
    rng = np.random.default_rng(23)
    rows = 3000
    waited, talked = rng.exponential(400, rows), rng.gamma(2, 600, rows)
    day = pd.Timestamp("2022-01-01") + pd.to_timedelta(rng.integers(0, 500, rows), unit="D")
    later = day + pd.to_timedelta(rng.integers(1, 30, rows), unit="D")
    odds = np.where(waited > 600, -2.0, 0.7) + np.where(talked > 1200, 1.5, -0.5)
    odds -= 2.5 * (day.day_of_week == 0)
    good = rng.random(rows) < 1 / (1 + np.exp(-odds))
    callback = np.where(rng.random(rows) < 0.4, later.strftime("%d-%b-%Y"), "")
    return pd.DataFrame(
        {
            "call": [f"C-{n}" for n in rng.permutation(rows)],
            "day": day.strftime("%m/%d/%Y"),
            "waited": written(pd.Series(waited), clock),
            "talked": written(pd.Series(talked), clock),
            "callback": callback,
            "agent": [f"Agent {n}" for n in rng.integers(0, 40, rows)],
            "resolved": np.where(good, "True", "False"),
        }
    )


@CASES.add(
    "bikes.csv",
    "rented",
    "regression",
    "2021-07-04 17:00:00+00:00: hour and weekday carry the signal; unnamed row index",
    Recipe(drop=("Unnamed: 0",), dates={"when": "%Y-%m-%d %H:%M:%S%z"}),
    write={"index": True},
)
def bikes() -> pd.DataFrame:
    """Rented bikes: rush hours of working days, more in summer, more every year."""
    rng = np.random.default_rng(24)
    when = pd.date_range("2020-01-01", periods=8000, freq="131min", tz="UTC").floor("min")
    rush = np.isin(when.hour, (7, 8, 16, 17, 18)) & (when.day_of_week < 5)
    summer = np.cos(2 * np.pi * (when.day_of_year - 200) / 365)
    rented = 60 + 150 * rush + 50 * summer + 30 * (when.year - 2020) - 45 * (when.hour < 6)
    return pd.DataFrame(
        {
            "when": when.strftime("%Y-%m-%d %H:%M:%S+00:00"),
            "humidity": rng.integers(20, 100, len(when)),
            "rented": (rented + rng.normal(0, 20, len(when))).round(1),
        }
    )


@CASES.add(
    "tickets.csv",
    "priority",
    "classification",
    "free text in every row, e-mail addresses, December 31, 2019, pipes between cells",
    Recipe(
        read={"sep": "|"},
        drop=("ticket", "text", "from"),
        dates={"opened": "%B %d, %Y"},
    ),
    write={"sep": "|"},
)
def tickets() -> pd.DataFrame:
    """Tickets of a help desk: the priority follows from product, plan and age."""
    rng = np.random.default_rng(25)
    rows = 2500
    words = ["server", "login", "screen", "order", "invoice", "printer", "slow", "error", "again"]
    text = [" ".join(rng.choice(words, rng.integers(6, 20))) + "." for _ in range(rows)]
    plan = rng.choice(["free", "team", "enterprise"], rows, p=[0.5, 0.3, 0.2])
    product = rng.choice(["mail", "files", "calendar", "chat", "billing"], rows)
    age = rng.exponential(10, rows).round(1)
    level = (plan == "enterprise") + (product == "billing").astype(int) + (age > 14)
    level = np.where(rng.random(rows) < 0.1, rng.integers(0, 4, rows), level)
    opened = pd.Timestamp("2019-01-01") + pd.to_timedelta(rng.integers(0, 700, rows), unit="D")
    return pd.DataFrame(
        {
            "ticket": range(100_001, 100_001 + rows),
            "opened": opened.strftime("%B %d, %Y"),
            "from": [f"user{n}@example.org" for n in rng.integers(0, 2200, rows)],
            "plan": plan,
            "product": product,
            "age (days)": age,
            "text": text,
            "priority": np.array(["low", "normal", "high", "urgent"])[level],
        }
    )
