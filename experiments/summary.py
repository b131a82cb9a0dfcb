"""One table of all comparisons with print: figures compared, within tolerance, explained, open.

    python experiments/summary.py         prints the table, and writes it into experiments/README.md

It reads the CSV files of `results/`, so run it after the other scripts. A figure outside its
tolerance is explained if the report of its script gives a reason; the reasons are listed here, with
the figures they hold for. A figure without a reason is open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from _folders import RESULTS
from _markdown import table
from _options import arguments
from _rows import Row, read_rows

HERE = Path(__file__).resolve().parent
BEGIN, END = "<!-- summary: written by summary.py -->", "<!-- end of summary -->"
# Printed twice with different figures, or contradicted by another printed figure.
SHI_CONTRADICTIONS = ("breast-cancer", "soybean", "autos", "pima diabetes", "lymphography")


@dataclass(frozen=True)
class Family:
    """Figures of one kind: where they are, which count, and when ours agrees with print."""

    paper: str
    what: str
    file: str
    tolerance: str
    counts: Callable[[Row], bool]
    agrees: Callable[[float, float, Row], bool]
    ours: str = "ours"
    printed: str = "printed"
    reasons: tuple[tuple[str, Callable[[Row], bool]], ...] = field(default=())


def points(most: float) -> Callable[[float, float, Row], bool]:
    """Agree if ours is within so many points of print."""
    return lambda ours, printed, _: abs(ours - printed) <= most + 1e-9


def near(share: float, nodes: float) -> Callable[[float, float, Row], bool]:
    """Agree if the sizes differ by at most a share of the printed one, or by a few nodes."""
    return lambda ours, printed, _: abs(ours - printed) <= max(share * printed, nodes)


def two_errors(ours: float, printed: float, row: Row) -> bool:
    """Agree within two standard errors of the difference, if print varies as ours does."""
    error = float(row["standard_error"] or 0.0)
    return abs(ours - printed) <= max(2 * 2**0.5 * error, 0.5)


FAMILIES = (
    Family(
        "Pereira 2018", "accuracy of trees, 5.3 to 5.13", "pereira_trees.csv", "1 point",
        lambda row: row["kind"].endswith("_program"),
        points(1.0), "accuracy", "printed_accuracy",
        (("CoverType at depth 5 was made without two attributes",
          lambda row: row["dataset"] == "CoverType" and row["table"] == "5.6"),),
    ),
    Family(
        "Pereira 2018", "best of four searches, 4.1 and 4.2", "pereira_monte_carlo.csv",
        "1.5 points", lambda row: row["quantity"] == "smallest_percent", points(1.5), "value",
        reasons=(
            ("printed cells that cannot be right (n = 25 with k = 7, 9; n = 50)",
             lambda row: row["n"] == "50" or (row["n"] == "25" and row["k"] in ("7", "9"))),
            ("the printed PC-ext is ordered by counts",
             lambda row: row["method"] in ("pc_ext", "hypercube_cover")),
        ),
    ),
    Family(
        "Berzal 2003", "accuracy, Tables 2 and 3", "berzal_criteria.csv", "5 points",
        lambda row: row["table"] in "23", points(5.0),
        reasons=(("ties of GG and MaxDif", lambda row: row["criterion"] in ("GG", "MaxDif")),),
    ),
    Family(
        "Berzal 2003", "nodes before pruning, Table 4", "berzal_criteria.csv", "20 %",
        lambda row: row["table"] == "4", near(0.2, 2.0),
        reasons=(("ties of GG and MaxDif", lambda row: row["criterion"] in ("GG", "MaxDif")),),
    ),
    Family(
        "Berzal 2003", "nodes after pruning, Table 5", "berzal_criteria.csv", "20 %",
        lambda row: row["table"] == "5", near(0.2, 2.0),
    ),
    Family(
        "Shi 2007", "accuracy of six prunings, 4.14", "shi_pruning.csv", "3 points",
        lambda row: row["measure"] == "Accuracy", points(3.0),
        reasons=(("a draw of the folds (audiology), or Weka's levels of a speaker (vowel)",
                  lambda row: row["dataset"] in ("audiology", "vowel")),
                 ("Weka itself does not reach it", lambda row: row["dataset"] == "labor")),
    ),
    Family(
        "Shi 2007", "nodes of six prunings, 4.15", "shi_pruning.csv", "20 % or 2 nodes",
        lambda row: row["measure"] == "Nodes", near(0.2, 2.0),
        reasons=(("printed differently in another table",
                  lambda row: row["dataset"] in SHI_CONTRADICTIONS),),
    ),
    Family(
        "Shi 2007", "accuracy, 4.2, 4.4, 4.7, 4.8", "shi_tables.csv", "3 points",
        lambda row: row["table"] in ("4.2", "4.4", "4.7, 4.8"), points(3.0),
    ),
    Family(
        "Shi 2007", "nodes, 4.3 and 4.5", "shi_tables.csv", "20 % or 2 nodes",
        lambda row: row["table"] in ("4.3", "4.5"), near(0.2, 2.0),
        reasons=(("printed differently in another table",
                  lambda row: row["dataset"] in SHI_CONTRADICTIONS),),
    ),
    Family(
        "Shi 2007", "artificial data, 4.17 and 4.18", "shi_tables.csv", "3 points or 20 %",
        lambda row: row["table"] in ("4.17", "4.18"),
        lambda ours, printed, row: (points(3.0) if "accuracy" in row["measure"] else near(0.2, 2.0))
        (ours, printed, row),
    ),
    Family(
        "Dal Maso 2024", "training accuracy, 3.1", "mid_training.csv", "0.5 points",
        lambda _: True, points(0.5), "accuracy", "accuracy_printed",
        (("chance of the folds", lambda row: row["dataset"] in ("Iris", "Banknote")),
         ("contradicted by other printed figures",
          lambda row: row["dataset"] in ("Letter recognition", "Forest covtype"))),
    ),
    Family(
        "Dal Maso 2024", "test accuracy, 3.2 and 3.3", "mid_accuracy.csv",
        "two standard errors", lambda _: True, two_errors, "accuracy",
        reasons=(("the printed runs came to their five minutes",
                  lambda row: row["pipeline"] in ("MDLP+DL8.5", "EqFreq8+DL8.5")),
                 ("chosen on the test folds", lambda row: row["table"] == "3.3")),
    ),
)  # fmt: skip


def count(family: Family, folder: Path) -> tuple[int, int, dict[str, int], int] | None:
    """Count the figures: compared, agreeing, explained by reason, and open."""
    path = folder / family.file
    compared, agree, open_ = 0, 0, 0
    explained: dict[str, int] = {}
    for row in read_rows(path):
        ours, printed = row[family.ours], row[family.printed]
        if not ours or not printed or not family.counts(row):
            continue
        compared += 1
        if family.agrees(float(ours), float(printed), row):
            agree += 1
            continue
        reason = next((text for text, holds in family.reasons if holds(row)), None)
        if reason is None:
            open_ += 1
        else:
            explained[reason] = explained.get(reason, 0) + 1
    return (compared, agree, explained, open_) if compared else None


def summary(folder: Path) -> str:
    """Lay out the table."""
    rows = []
    for family in FAMILIES:
        found = count(family, folder)
        if found is None:
            continue
        compared, agree, explained, open_ = found
        why = "; ".join(f"{number}: {reason}" for reason, number in explained.items())
        cells = [family.paper, family.what, str(compared), family.tolerance, str(agree)]
        rows.append([*cells, why or "0", str(open_)])
    head = ["paper", "figures", "compared", "within", "of them", "explained", "open"]
    return table(head, rows)


def write_into(readme: Path, text: str) -> None:
    """Replace the text between the two marks."""
    before, _, rest = readme.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    readme.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


def main() -> None:
    """Print, and write."""
    parser = arguments(__doc__, "results", results=RESULTS)
    parser.add_argument("--readme", type=Path, default=HERE / "README.md")
    options = parser.parse_args()
    text = summary(options.results)
    print(text)
    write_into(options.readme, text)


if __name__ == "__main__":
    main()
