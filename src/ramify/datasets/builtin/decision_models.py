"""Two tables made by decision models of experts: every combination of levels, and the decision.

The models are those of Bohanec and Rajkovic: small tables that use each other's results. The tables
below were recovered from the data, by joining the levels that always lead to the same decisions.
They give the published class in every row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product

from ramify.datasets.dataset import Dataset, text_column

_CAR = {
    "buying": ("vhigh", "high", "med", "low"),
    "maint": ("vhigh", "high", "med", "low"),
    "doors": ("2", "3", "4", "5more"),
    "persons": ("2", "4", "more"),
    "lug_boot": ("small", "med", "big"),
    "safety": ("low", "med", "high"),
}
# Technique, from 0 (worst), then price, from 0 (dearest).
_CAR_CLASS = (
    ("unacc", "unacc", "unacc", "unacc"),
    ("unacc", "unacc", "acc", "acc"),
    ("unacc", "acc", "acc", "good"),
    ("unacc", "acc", "vgood", "vgood"),
)

_NURSERY = {
    "parents": ("usual", "pretentious", "great_pret"),
    "has_nurs": ("proper", "less_proper", "improper", "critical", "very_crit"),
    "form": ("complete", "completed", "incomplete", "foster"),
    "children": ("1", "2", "3", "more"),
    "housing": ("convenient", "less_conv", "critical"),
    "finance": ("convenient", "inconv"),
    "social": ("nonprob", "slightly_prob", "problematic"),
    "health": ("recommended", "priority", "not_recom"),
}
# How much the parents need a nursery, 0 to 3: parents, then has_nurs in the order above.
_EMPLOYMENT = {
    "usual": (3, 2, 2, 1, 0),
    "pretentious": (2, 2, 1, 0, 0),
    "great_pret": (1, 1, 0, 0, 0),
}


def load_car() -> Dataset:
    """Load the evaluation of cars: 1728 rows of six nominal columns, four classes of unequal size.

    All combinations of the levels, decided by the model of Bohanec and Rajkovic (1990): price from
    buying and maint, comfort from doors, persons and lug_boot, technique from comfort and safety
    (UCI "Car Evaluation").

    Examples
    --------
    >>> car = load_car()
    >>> [car.y.tolist().count(label) for label in ("unacc", "acc", "good", "vgood")]
    [1210, 384, 69, 65]
    """
    return _domain(_CAR, _car, "Car evaluation (Bohanec and Rajkovic 1990): would one buy it?")


def load_nursery() -> Dataset:
    """Load the applications to nursery schools: 12960 rows of eight nominal columns, five classes.

    All combinations of the levels, decided by the model of Olave, Rajkovic and Bohanec (1989):
    employment from parents and has_nurs, structure and finances from form, children, housing and
    finance, and social and health picture (UCI "Nursery"). The class "recommend" has two rows.

    Examples
    --------
    >>> nursery = load_nursery()
    >>> labels = ("not_recom", "priority", "spec_prior", "very_recom", "recommend")
    >>> [nursery.y.tolist().count(label) for label in labels]
    [4320, 4266, 4044, 328, 2]
    """
    return _domain(_NURSERY, _nursery, "Nursery (Olave et al. 1989): the rank of an application.")


def _domain(
    levels: Mapping[str, tuple[str, ...]], decide: Callable[..., str], description: str
) -> Dataset:
    rows = list(product(*levels.values()))
    return Dataset(
        data={name: text_column(row[j] for row in rows) for j, name in enumerate(levels)},
        target=text_column(decide(*row) for row in rows),
        target_name="class",
        description=description,
    )


def _car(buying: str, maint: str, doors: str, persons: str, lug_boot: str, safety: str) -> str:
    cheap = [_CAR["buying"].index(price) for price in (buying, maint)]  # 0 (vhigh) to 3 (low)
    if sum(cheap) <= 1:
        price = 0
    elif sum(cheap) >= 5:
        price = 3
    else:
        price = 2 if sum(cheap) == 4 and cheap[0] >= 2 else 1
    room = _CAR["doors"].index(doors) + (persons == "more")
    if persons == "2" or (doors, persons, lug_boot) == ("2", "more", "small"):
        comfort = 0
    else:
        comfort = 2 if lug_boot == "big" or (lug_boot == "med" and room >= 2) else 1
    technique = 0 if comfort == 0 or safety == "low" else comfort + (safety == "high")
    return _CAR_CLASS[technique][price]


def _nursery(
    parents: str,
    has_nurs: str,
    form: str,
    children: str,
    housing: str,
    finance: str,
    social: str,
    health: str,
) -> str:
    if health == "not_recom":
        return "not_recom"
    employment = _EMPLOYMENT[parents][_NURSERY["has_nurs"].index(has_nurs)]
    family = _NURSERY["form"].index(form) + _NURSERY["children"].index(children)
    if form == "foster" or children in ("3", "more"):
        structure = 0
    elif family == 0:
        structure = 2
    else:
        structure = 1 if family <= 2 else 0
    if housing == "critical":
        means = 0
    else:
        means = 2 if (housing, finance) == ("convenient", "convenient") else 1
    home = 0 if structure + means <= 1 else 2 if structure + means == 4 else 1
    picture = 2 if health == "recommended" and social != "problematic" else 1
    return _nursery_rank(employment, home, picture)


def _nursery_rank(employment: int, home: int, picture: int) -> str:
    if employment >= 2 and home >= 1 and picture == 2:
        return "recommend" if employment == 3 and home == 2 else "very_recom"
    if employment >= 2:
        return "priority"
    if home == 2 or (picture == 2 and (employment == 1 or home == 1)):
        return "priority"
    return "priority" if employment == 1 and home == 1 else "spec_prior"
