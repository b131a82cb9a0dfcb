"""Write the messy files into a folder.

python -m messy.make FOLDER        from the folder of the experiments
"""

from __future__ import annotations

import sys
from pathlib import Path

from messy import from_tables, generated
from messy.case import Case

CASES: tuple[Case, ...] = (*from_tables.CASES, *generated.CASES)


def main() -> None:
    """Write all files."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for case in CASES:
        print(case.make(folder))


if __name__ == "__main__":
    main()
