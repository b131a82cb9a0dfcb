"""Two data sets of Breiman et al. (1984), drawn at random: waves, and digits of a display.

The best accuracy that any rule can have is known for both.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ramify.datasets.dataset import Dataset, text_column
from ramify.learning.parameters import number, seed, whole

RandomState = int | np.random.Generator | None

# Seven segments: top, upper left, upper right, middle, lower left, lower right, bottom.
_DIGITS = (
    "1110111",
    "0010010",
    "1011101",
    "1011011",
    "0111010",
    "1101011",
    "1101111",
    "1010010",
    "1111111",
    "1111011",
)


def make_waveform(
    n_rows: int = 300, *, noise_columns: int = 0, random_state: RandomState = None
) -> Dataset:
    """Draw rows of Breiman's waveform data: 21 numeric columns, three classes of equal chance.

    Each class mixes two of three triangular waves in a random proportion, and every column has
    standard normal noise. The best possible accuracy is about 86 %.

    Parameters
    ----------
    n_rows : int
        How many rows; 300 in the book, 5000 in the files of UCI.
    noise_columns : int
        Columns of noise alone to append; 19 make the 40 of UCI's second version.
    random_state : int or Generator, optional
        The seed; None means 0.

    References
    ----------
    Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees, section 2.6.2.

    Examples
    --------
    >>> make_waveform(5000, noise_columns=19, random_state=1)
    Dataset(5000 rows, 40 numeric and 0 nominal columns, target 'class')
    """
    n_rows = whole("n_rows", n_rows, least=1)
    noise_columns = whole("noise_columns", noise_columns, least=0)
    rng = np.random.default_rng(seed(random_state))
    waves = waveform_waves()
    labels, share = rng.integers(0, 3, n_rows), rng.random((n_rows, 1))
    first, second = waves[np.array([0, 0, 1])[labels]], waves[np.array([1, 2, 2])[labels]]
    table = rng.standard_normal((n_rows, 21 + noise_columns))
    table[:, :21] += share * first + (1 - share) * second
    return Dataset(
        data={f"x{j + 1}": table[:, j].copy() for j in range(table.shape[1])},
        target=text_column(str(label) for label in labels),
        target_name="class",
        description="Waveform (Breiman et al. 1984): which two of three waves are mixed.",
    )


def waveform_waves() -> NDArray[np.float64]:
    """Give the three waves, which peak at columns 7, 15 and 11."""
    peaks = np.array([[7], [15], [11]])
    waves: NDArray[np.float64] = np.maximum(0.0, 6.0 - np.abs(np.arange(1, 22) - peaks))
    return waves


def make_led(
    n_rows: int = 200,
    *,
    noise: float = 0.1,
    noise_columns: int = 0,
    random_state: RandomState = None,
) -> Dataset:
    """Draw digits of a display with seven segments, each of which fails now and then.

    Seven nominal columns, "1" where a segment is lit, and ten classes of equal chance. With
    `noise=0.1` the best possible accuracy is 74 %.

    Parameters
    ----------
    n_rows : int
        How many rows; 200 in the book.
    noise : float
        The chance that a segment shows the opposite, from 0 to 1.
    noise_columns : int
        Columns of fair coins to append; 17 make the 24 of the second version.
    random_state : int or Generator, optional
        The seed; None means 0.

    References
    ----------
    Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees, section 2.6.1.

    Examples
    --------
    >>> led = make_led(3, noise=0)
    >>> led.y.tolist(), ["".join(row) for row in led.to_frame("numpy")]
    (['8', '6', '5'], ['1111111', '1101111', '1101011'])
    """
    n_rows = whole("n_rows", n_rows, least=1)
    noise_columns = whole("noise_columns", noise_columns, least=0)
    if number("noise", noise, least=0) > 1:
        raise ValueError(f"noise={noise!r} must be a number from 0 to 1")
    rng = np.random.default_rng(seed(random_state))
    labels = rng.integers(0, 10, n_rows)
    lit = led_segments()[labels] ^ (rng.random((n_rows, 7)) < noise)
    lit = np.hstack([lit, rng.random((n_rows, noise_columns)) < 0.5])
    cells = np.where(lit, "1", "0").astype(object)
    return Dataset(
        data={f"x{j + 1}": cells[:, j].copy() for j in range(cells.shape[1])},
        target=text_column(str(label) for label in labels),
        target_name="digit",
        description="LED display (Breiman et al. 1984): the digit that it should show.",
    )


def led_segments() -> NDArray[np.bool_]:
    """Give the lit segments of the ten digits."""
    return np.array([[segment == "1" for segment in digit] for digit in _DIGITS])
