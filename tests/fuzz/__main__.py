"""The command line of the harness: see ``tools/fuzz --help``."""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections import Counter
from functools import cache
from pathlib import Path

from sklearn.base import BaseEstimator

from fuzz import files, fits, optimal, scaled, tables
from fuzz.campaign import Campaign, Case
from fuzz.children import Result, run_each
from fuzz.minimise import failure_of, minimise

CASES = Path(__file__).parent / "cases"
#: Cases of one child. More of them hide what a case leaves behind, fewer take longer.
BATCH = 500
CAMPAIGNS: dict[str, Campaign] = {one.name: one for one in (fits, optimal, files, tables, scaled)}  # type: ignore[misc]


def main() -> int:
    options = _options()
    campaign = CAMPAIGNS[options.campaign]
    if options.replay is not None:
        campaign.run(campaign.draw(options.replay), options.replay)
        print(f"{campaign.name} {options.replay}: passed")
        return 0
    first = options.seed if options.log is None else next_number(options.log, options.seed)
    found, outcomes = hunt(campaign, first, options.seconds, most=options.most, limit=options.limit)
    if options.log is not None:
        log(options.log, first, found, outcomes)
    said = ", ".join(f"{count} {what}" for what, count in sorted(outcomes.items()))
    print(f"{campaign.name}: {sum(outcomes.values())} cases from {first}: {said}")
    for kind, result in found.items():
        print(f"\n{kind}\n  replay: tools/fuzz {campaign.name} --replay {result.number}")
        print(result.details)
        if options.keep:
            case = minimise(campaign, campaign.draw(result.number))
            print(f"  kept: {keep(campaign, case, kind, result.number)}")
    return 1 if found else 0


def hunt(
    campaign: Campaign, seed: int, seconds: float, *, most: int = 10**9, limit: float = 60.0
) -> tuple[dict[str, Result], Counter[str]]:
    """Run cases from `seed` on: the first failure of each kind, and what was counted."""
    found: dict[str, Result] = {}
    outcomes: Counter[str] = Counter()
    end = time.monotonic() + seconds

    def work(number: int) -> str:
        return campaign.run(campaign.draw(number), number)

    _ask_once_for_names_of_parameters()
    campaign.draw(seed)  # what all cases need is made once, before the first child
    for start in itertools.count(seed, BATCH):
        for result in run_each(range(start, start + BATCH), work, seconds=limit):
            outcomes[result.outcome] += 1
            if result.failure:
                found.setdefault(result.failure, result)
            if time.monotonic() > end or outcomes.total() >= most:
                return found, outcomes
    raise AssertionError("numbers do not end")


def _ask_once_for_names_of_parameters() -> None:
    """Remember them for each class: scikit-learn reads the signature anew a dozen times a case."""
    names = BaseEstimator._get_param_names.__func__
    BaseEstimator._get_param_names = classmethod(cache(names))


def next_number(path: Path, first: int) -> int:
    """The number after the last one of a log."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return int(json.loads(lines[-1])["next"]) if lines else first


def log(path: Path, first: int, found: dict[str, Result], outcomes: Counter[str]) -> None:
    """Add to a log what was run: all numbers from `first` to before `next`."""
    line = {
        "first": first,
        "next": first + outcomes.total(),
        "outcomes": dict(outcomes),
        "failures": {kind: result.number for kind, result in found.items()},
    }
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def keep(campaign: Campaign, case: Case, kind: str, number: int) -> Path:
    """Write a case where the tests find it."""
    path = CASES / f"{campaign.name}-{number}.json"
    content = {"campaign": campaign.name, "found": kind, "case": case}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return path


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="tools/fuzz", description="Random cases against what must always hold."
    )
    parser.add_argument("campaign", choices=CAMPAIGNS)
    parser.add_argument("--seed", type=int, default=0, help="number of the first case")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to go on")
    parser.add_argument("--most", type=int, default=10**9, help="largest number of cases")
    parser.add_argument(
        "--limit", type=float, default=60.0, help="seconds of processor time that a case may take"
    )
    parser.add_argument(
        "--log",
        type=Path,
        help="go on after the last number of this file, and add a line of JSON to it",
    )
    parser.add_argument("--replay", type=int, help="run the case of one number, here")
    parser.add_argument(
        "--keep",
        action="store_true",
        help="make failures smaller and keep them in tests/fuzz/cases",
    )
    return parser.parse_args()


__all__ = ["CAMPAIGNS", "CASES", "failure_of", "hunt", "keep"]

if __name__ == "__main__":
    sys.exit(main())
