"""The report of pereira_monte_carlo.py: Markdown, CSV and a picture."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from _markdown import NAN, beside, show, table
from _pictures import plotting
from _rows import write_rows
from pereira_monte_carlo import (
    BY_COUNTS,
    CRITERIA,
    FOUR,
    NAMES,
    VARIANTS,
    Cell,
    Excesses,
    Shares,
    against_optimum,
    apart,
    excess,
    share_smallest,
    together,
    usable,
    with_pc,
)

PAIR = ("hypercube_cover", "pc_ext")


def write_report(
    cells: list[Cell], shares: Shares, excesses: Excesses, runs: int, folder: Path
) -> str:
    """Write the three files; give the Markdown."""
    parts = [
        "# Which search finds the purest nominal split?",
        "Pereira (2018), chapter 4, Tables 4.1 to 4.4, by `experiments/pereira_monte_carlo.py`: "
        f"{runs:,} random contingency tables per n (values) and k (classes), entries uniform on "
        "0..7, tables with an empty row or column drawn again; the same tables for both criteria. "
        "Printed figures in brackets. HcC = hypercube_cover, PC-ext = pc_ext, "
        "LCA = largest_class_alone, LS = list_scheduling.",
    ]
    for number, criterion in enumerate(CRITERIA, start=1):
        chosen = [cell for cell in cells if cell.criterion == criterion]
        parts += [
            f"## Table 4.{number}: smallest {criterion} impurity of the four, percent of runs",
            smallest_table(chosen, shares),
        ]
    parts.append(
        "Ties count for all, within a relative 1e-9. *either*: HcC or PC-ext has the smallest; "
        "printed, the sum of the two columns, which cannot be less than that. *auto*: at least as "
        "good as the best of the four. Cells in *italics* cannot be compared with the printed "
        "ones. The four compete, and the printed shares belong beside a weaker PC-ext; the last "
        "table has the comparable cells with that one, and how far they are from print."
    )
    for number, criterion in enumerate(CRITERIA, start=3):
        chosen = [cell for cell in cells if cell.criterion == criterion]
        parts += [
            f"## Table 4.{number}: relative excess {criterion} impurity in percent, mean and "
            "maximum over the runs where HcC and PC-ext differ",
            excess_table(chosen, excesses),
        ]
    parts += ["## Against the true optimum (not in the paper)", optimum_table(cells)]
    parts.append(
        "Over the tables whose optimum was proven; where not all were, these are the easier ones. "
        "Excess in percent of the optimum, mean over those tables. For n = 50 with k > 3 no proof "
        "is within reach."
    )
    parts += apart_section(cells, shares, excesses)
    parts += component_section(cells, shares)
    text = "\n\n".join(parts) + "\n"
    (folder / "pereira_monte_carlo.md").write_text(text)
    write_csv(cells, shares, excesses, folder / "pereira_monte_carlo.csv")
    draw_picture(cells, shares, folder / "pereira_monte_carlo.png")
    return text


def smallest_table(cells: list[Cell], shares: Shares) -> str:
    rows = []
    for cell in cells:
        found = share_smallest(cell.impurity)
        printed = {method: shares.get((cell.key, NAMES[method]), NAN) for method in FOUR}
        row = [beside(found[method], printed[method]) for method in FOUR]
        row.append(beside(together(cell), printed["hypercube_cover"] + printed["pc_ext"]))
        row.append(show(found["auto"]))
        rows.append([*place(cell), *row])
    return table(["n", "k", *NAMES.values(), "either", "auto"], rows)


def place(cell: Cell) -> list[str]:
    mark = "" if usable(cell.n, cell.k) else "*"
    return [f"{mark}{cell.n}{mark}", f"{mark}{cell.k}{mark}"]


def excess_table(cells: list[Cell], excesses: Excesses) -> str:
    rows = []
    for cell in cells:
        row = []
        for one, other in (PAIR, PAIR[::-1]):
            mean, most = excess(cell.impurity[one], cell.impurity[other])
            printed = excesses.get((cell.key, f"{NAMES[one]} over {NAMES[other]}"), (NAN, NAN))
            row += [beside(mean, printed[0], 2), beside(most, printed[1], 2)]
        rows.append([*place(cell), *row])
    head = ["HcC over PC-ext, mean", "max", "PC-ext over HcC, mean", "max"]
    return table(["n", "k", *head], rows)


def optimum_table(cells: list[Cell]) -> str:
    methods = (*FOUR, "auto")
    rows = []
    for cell in cells:
        if len(cell.exact) == 0:
            continue
        found = [against_optimum(cell, method) for method in methods]
        proven = f"{int(np.isfinite(cell.exact).sum())} of {len(cell.exact)}"
        hits = [show(hit) for hit, _, _ in found]
        rows.append(
            [cell.criterion, str(cell.n), str(cell.k), proven, *hits]
            + [show(mean, 3) for _, mean, _ in found]
        )
    names = [NAMES.get(method, method) for method in methods]
    head = ["criterion", "n", "k", "proven", *(f"{name} finds it" for name in names)]
    return table(head + [f"{name} excess" for name in names], rows)


# --- the cells that do not fit -------------------------------------------------------------------

READINGS = {
    "the same tables for all": (),
    "tables of its own for each": FOUR,
    "tables of its own for HcC alone": ("hypercube_cover",),
}


def apart_section(cells: list[Cell], shares: Shares, excesses: Excesses) -> list[str]:
    odd = [cell for cell in cells if not usable(cell.n, cell.k) and (cell.key, "HcC") in shares]
    text = [
        "## Which printed cells can be compared with",
        "hypercube_cover tries the groupings of classes that largest_class_alone and "
        "list_scheduling make, and scores the same prefixes: it is never worse, but for values of "
        "equal superclass share, whose order is open. So in all but a few runs the smallest of the "
        "four belongs to HcC or to PC-ext (column *either*: at least "
        f"{min(together(cell) for cell in cells):.2f}), and their shares add up to that or more.",
    ]
    if not odd:
        return [*text, "The printed tables are not at hand."]
    sums = [shares[cell.key, "HcC"] + shares[cell.key, "PC-ext"] for cell in odd]
    text.append(
        f"The printed cells n = 25 with k = 7, 9 and all n = 50 add up to {min(sums):.1f} to "
        f"{max(sums):.1f}: they cannot come from runs in which all methods saw the same tables. "
        "The other printed cells, n = 12 and n = 25 with k = 3, 5, are comparable. Three readings "
        "of the odd ones, simulated from the same runs (a method that has tables of its own gets "
        "its results of other runs), PC-ext scored as the printed figures need it (next section):"
    )
    rows, distance = [], dict.fromkeys(READINGS, 0.0)
    for cell in odd:
        printed = {method: shares[cell.key, NAMES[method]] for method in FOUR}
        row = [cell.criterion, str(cell.n), str(cell.k), joined(printed)]
        for name, methods in READINGS.items():
            found = share_smallest(apart(with_pc(cell, BY_COUNTS), *methods))
            row.append(joined(found))
            worst = max(abs(found[method] - printed[method]) for method in FOUR)
            distance[name] = max(distance[name], worst)
        rows.append(row)
    text.append(table(["criterion", "n", "k", "printed", *READINGS], rows))
    measured = "; ".join(f"{name}: {distance[name]:.1f}" for name in READINGS)
    best = min(distance, key=distance.__getitem__)
    text.append(
        f"HcC / PC-ext / LCA / LS in every column. Largest distance from print: {measured} points. "
        f"The reading that fits is *{best}*. The printed mean excesses of these cells, several "
        "times those of the same tables and nearly equal in both directions, say the same:"
    )
    text.append(apart_excess_table(odd, excesses))
    text.append("The right values of these cells are those of the first tables of this page.")
    return text


def apart_excess_table(cells: list[Cell], excesses: Excesses) -> str:
    rows = []
    for cell in cells:
        columns = with_pc(cell, BY_COUNTS)
        row = [cell.criterion, str(cell.n), str(cell.k)]
        for one, other in (PAIR, PAIR[::-1]):
            printed = excesses.get((cell.key, f"{NAMES[one]} over {NAMES[other]}"), (NAN, NAN))
            row.append(show(printed[0], 2))
            for methods in ((), ("hypercube_cover",)):
                moved = apart(columns, *methods)
                row.append(show(excess(moved[one], moved[other])[0], 2))
        rows.append(row)
    head = ["HcC over PC-ext, printed", "same tables", "HcC apart"]
    head += ["PC-ext over HcC, printed", "same tables", "HcC apart"]
    return table(["criterion", "n", "k", *head], rows)


def joined(found: dict[str, float]) -> str:
    return " / ".join(show(found[method]) for method in FOUR)


# --- the principal component ---------------------------------------------------------------------


def component_section(cells: list[Cell], shares: Shares) -> list[str]:
    chosen = [cell for cell in cells if usable(cell.n, cell.k)]
    head = ["component", *(f"{cell.criterion} {cell.n}, {cell.k}" for cell in chosen)]
    printed = [shares.get((cell.key, "PC-ext"), NAN) for cell in chosen]
    rows = [["printed", *(show(value) for value in printed), ""]]
    distance = {}
    for variant in VARIANTS:
        found = [share_smallest(with_pc(cell, variant))["pc_ext"] for cell in chosen]
        gaps = [abs(a - b) for a, b in zip(found, printed, strict=True) if not math.isnan(b)]
        distance[variant] = float(np.mean(gaps)) if gaps else NAN
        rows.append([variant, *(show(value) for value in found), show(distance[variant])])
    text = [
        "## Why PC-ext comes out better than printed",
        "Share of runs in which PC-ext has the smallest impurity of the four, by how the principal "
        "component is taken; last column, mean distance from print. The first is the library's.",
        table([*head, "distance"], rows),
    ]
    if not any(math.isnan(value) for value in printed):
        text.append(closest_component(chosen, printed, distance))
        text += all_four_by_counts(chosen, shares)
    return text


def closest_component(cells: list[Cell], printed: list[float], distance: dict[str, float]) -> str:
    best = min(distance, key=lambda name: distance[name])
    found = [share_smallest(with_pc(cell, best))["pc_ext"] for cell in cells]
    gaps = [abs(a - b) for a, b in zip(found, printed, strict=True)]
    worst = int(np.argmax(gaps))
    p = printed[worst] / 100.0
    runs = len(cells[worst].impurity["pc_ext"])
    error = 100.0 * math.sqrt(p * (1 - p) * (1 / runs + 1 / 10_000))
    return (
        f"Closest to print is *{best}*: {found[0]:.1f} at {cells[0].criterion}, "
        f"n = {cells[0].n}, k = {cells[0].k}, printed {printed[0]:.1f}; mean distance "
        f"{distance[best]:.1f} points, largest {gaps[worst]:.1f} ({cells[worst].criterion}, "
        f"n = {cells[worst].n}, k = {cells[worst].k}, where chance alone has a standard error of "
        f"{error:.1f}). A row of counts projected on the component is its row of shares times its "
        "weight, so that heavy values go to the ends of the order whatever their shares; the "
        "hyperplane lemma (theorem 8) speaks of shares. Section 2.5.1 of the dissertation says "
        "shares in its text and writes the row itself in its formula for L and R, and an earlier "
        "public program of its author (github.com/felipeamp/icml-2018) orders by counts."
    )


def all_four_by_counts(cells: list[Cell], shares: Shares) -> list[str]:
    """Compare all four in the comparable cells: the better one is, the less often others win."""
    head = ["criterion", "n", "k", "printed", "PC-ext of the library", "PC-ext by counts"]
    rows, farthest = [], [0.0, 0.0]
    for cell in cells:
        printed = {method: shares[cell.key, NAMES[method]] for method in FOUR}
        found = [share_smallest(each) for each in (cell.impurity, with_pc(cell, BY_COUNTS))]
        for i, each in enumerate(found):
            gaps = [abs(each[method] - printed[method]) for method in FOUR if method != "pc_ext"]
            farthest[i] = max(farthest[i], *gaps)
        row = [cell.criterion, str(cell.n), str(cell.k)]
        rows.append([*row, *(joined(each) for each in (printed, *found))])
    return [
        "A better PC-ext takes first places from the others, HcC above all, so that their printed "
        "shares, too, need the printed PC-ext beside them. HcC / PC-ext / LCA / LS:",
        table(head, rows),
        f"Largest distance of HcC, LCA and LS from print: {farthest[0]:.1f} points beside the "
        f"library's PC-ext, {farthest[1]:.1f} beside that by counts.",
    ]


# --- the other two files -------------------------------------------------------------------------


def write_csv(cells: list[Cell], shares: Shares, excesses: Excesses, path: Path) -> None:
    rows = []

    def put(cell: Cell, quantity: str, method: str, value: float, printed: float = NAN) -> None:
        rows.append([*cell.key, quantity, method, show(value, 4), show(printed, 2)])

    for cell in cells:
        for method, value in share_smallest(cell.impurity).items():
            printed = shares.get((cell.key, NAMES.get(method, "")), NAN)
            put(cell, "smallest_percent", method, value, printed)
        for one, other in (PAIR, PAIR[::-1]):
            mean, most = excess(cell.impurity[one], cell.impurity[other])
            name = f"{NAMES[one]} over {NAMES[other]}"
            was = excesses.get((cell.key, name), (NAN, NAN))
            put(cell, "excess_mean", name, mean, was[0])
            put(cell, "excess_max", name, most, was[1])
        put(cell, "optimum_tables", "exact", float(np.isfinite(cell.exact).sum()))
        for method in (*FOUR, "auto"):
            hit, mean, most = against_optimum(cell, method)
            put(cell, "optimum_percent", method, hit)
            put(cell, "optimum_excess_mean", method, mean)
            put(cell, "optimum_excess_max", method, most)
        for variant in VARIANTS:
            value = share_smallest(with_pc(cell, variant))["pc_ext"]
            put(cell, "smallest_percent_variant", variant, value)
    write_rows(path, ["criterion", "n", "k", "quantity", "method", "value", "printed"], rows)


def draw_picture(cells: list[Cell], shares: Shares, path: Path) -> None:
    pyplot = plotting()
    if pyplot is None:
        return
    sizes = sorted({cell.n for cell in cells})
    figure, axes = pyplot.subplots(
        len(CRITERIA), len(sizes), figsize=(4 * len(sizes), 7), sharey=True, squeeze=False
    )
    for i, criterion in enumerate(CRITERIA):
        for j, n in enumerate(sizes):
            chosen = [cell for cell in cells if (cell.criterion, cell.n) == (criterion, n)]
            ks = [cell.k for cell in chosen]
            for colour, method in enumerate(FOUR):
                found = [share_smallest(cell.impurity)[method] for cell in chosen]
                printed = [shares.get((cell.key, NAMES[method]), NAN) for cell in chosen]
                axes[i, j].plot(ks, found, "o-", color=f"C{colour}", label=NAMES[method])
                axes[i, j].plot(ks, printed, "x", color=f"C{colour}")
            axes[i, j].set_title(f"{criterion}, n = {n}")
            axes[i, j].set_xticks(ks)
            axes[i, j].set_xlabel("classes")
        axes[i, 0].set_ylabel("smallest of the four, % (x: printed)")
    axes[0, 0].legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)
