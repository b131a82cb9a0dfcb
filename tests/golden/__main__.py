"""Show which golden digests differ, or write them anew."""

from __future__ import annotations

import argparse

from golden.cases import cases
from golden.digests import parts, read, write


def main() -> None:
    """Fit all cases and compare."""
    parser = argparse.ArgumentParser(prog="python -m golden", description=__doc__)
    parser.add_argument("--write", nargs="?", const="", metavar="BEGINNING")
    options = parser.parse_args()
    kept = read()
    found = {case.name: parts(case) for case in cases()}
    different = 0
    for name, now in found.items():
        changed = [part for part in now if kept.get(name, {}).get(part) != now[part]]
        different += bool(changed)
        if changed:
            print(f"{name}: {', '.join(changed)}")
        if options.write is not None and name.startswith(options.write):
            kept[name] = now
    gone = sorted(set(kept) - set(found))
    print(f"{different} of {len(found)} cases differ; {len(gone)} are no longer there")
    if options.write is not None:
        write({name: kept[name] for name in found if name in kept})


if __name__ == "__main__":
    main()
