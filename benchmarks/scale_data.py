"""Make the tables of `scale.py`: Parquet files of 20 float32 columns and two classes.

    python benchmarks/scale_data.py FOLDER --rows 20000000
    python benchmarks/scale_data.py FOLDER --rows 100000000 --rows-per-file 5000000

The same rows come whatever the number of rows: block k of 1,000,000 rows is made from the seed
(SEED, k), so a smaller table is the beginning of a larger one. All columns are standard normal. The
class is the sign of a sum of a product, a sine and a parabola of five columns plus noise. A row
group has 250,000 rows; cells are not compressed, for noise does not get smaller. A table that is
there already is left as it is.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

SEED = 23
COLUMNS = 20
BLOCK = 1_000_000
ROW_GROUP = 250_000
#: The rows of a test table are a block that no table has.
TEST_BLOCK = 1_000_000_000


def block(number: int, rows: int = BLOCK) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """Give the first rows of a block: columns and classes."""
    generator = np.random.default_rng((SEED, number))
    X = generator.standard_normal((COLUMNS, BLOCK), dtype=np.float32)
    noise = generator.standard_normal(BLOCK, dtype=np.float32)
    score = X[0] * X[1] + np.sin(2 * X[2]) + 0.5 * (X[3] * X[3] - 1) + 0.5 * X[4] + 0.5 * noise
    return X[:, :rows], (score[:rows] > 0).astype(np.int8)


def as_table(X: NDArray[np.float32], y: NDArray[np.int8]) -> pa.Table:
    columns: dict[str, Any] = {f"x{j}": column for j, column in enumerate(X)}
    return pa.table({**columns, "y": y})


def make(folder: Path, rows: int, rows_per_file: int = 5 * BLOCK) -> Path:
    """Write a table of some rows, if it is not there; give its folder."""
    place = folder / f"rows-{rows}"
    if place.is_dir():
        return place
    part = folder / f".rows-{rows}.part"
    part.mkdir(parents=True, exist_ok=True)
    writer: pq.ParquetWriter | None = None
    for number in range(-(-rows // BLOCK)):
        begin = number * BLOCK
        table = as_table(*block(number, min(BLOCK, rows - begin)))
        if begin % rows_per_file == 0:
            if writer is not None:
                writer.close()
            file = part / f"{begin // rows_per_file:04}.parquet"
            writer = pq.ParquetWriter(file, table.schema, compression="none", use_dictionary=False)
        assert writer is not None
        writer.write_table(table, row_group_size=ROW_GROUP)
    if writer is not None:
        writer.close()
    part.rename(place)
    return place


if __name__ == "__main__":
    about = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    about.add_argument("folder", type=Path)
    about.add_argument("--rows", type=int, default=20_000_000)
    about.add_argument("--rows-per-file", type=int, default=5 * BLOCK)
    options = about.parse_args()
    if options.rows_per_file % BLOCK:
        about.error(f"--rows-per-file must be a multiple of {BLOCK:,}")
    print(make(options.folder, options.rows, options.rows_per_file))
