"""The campaign of optimal trees: fits of these alone, with all their parameters."""

from __future__ import annotations

from fuzz import fits
from fuzz.campaign import Case
from fuzz.drawing import draw_problem

name = "optimal"
run, smaller = fits.run, fits.smaller


def draw(number: int) -> Case:
    return draw_problem(number, only="Optimal").case()
