"""Draw time against rows from the measurements of `scale.py`.

    python benchmarks/scale_figure.py results.json docs/images/scale.svg --depth 6

Both axes are logarithmic. A line is one of those measured; samples are left out.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 130, 24, 48
COLOURS = {"ramify": "#0072b2", "in memory": "#56b4e9", "xgboost": "#d55e00", "spark": "#009e73"}


def draw(measured: list[dict[str, Any]], depth: int) -> str:
    """Give the figure as SVG."""
    points = [one for one in measured if one["depth"] == depth and one["who"] in COLOURS]
    if not points:
        raise SystemExit(f"nothing was measured at depth {depth}")
    xs = [math.log10(one["rows"]) for one in points]
    ys = [math.log10(one["seconds"]) for one in points]
    x0, x1, y0, y1 = min(xs) - 0.1, max(xs) + 0.1, math.floor(min(ys)), math.ceil(max(ys))

    def place(rows: float, seconds: float) -> tuple[float, float]:
        x = LEFT + (math.log10(rows) - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT)
        y = HEIGHT - BOTTOM - (math.log10(seconds) - y0) / (y1 - y0) * (HEIGHT - TOP - BOTTOM)
        return round(x, 1), round(y, 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="sans-serif" font-size="12"><title>Seconds of a fit against rows, depth '
        f'{depth}</title><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    ]
    for power in range(y0, y1 + 1):
        y = place(10 ** xs[0], 10.0**power)[1]
        parts.append(
            f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="#ddd"/>'
            f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{10.0**power:g} s</text>'
        )
    for rows in sorted({one["rows"] for one in points}):
        x = place(rows, 10.0**y0)[0]
        parts.append(
            f'<path d="M{x} {HEIGHT - BOTTOM}v5" stroke="black"/>'
            f'<text x="{x}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{rows / 1e6:g}</text>'
        )
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">million rows</text>')
    ends = []
    for who, colour in COLOURS.items():
        line = sorted((one["rows"], one["seconds"]) for one in points if one["who"] == who)
        if not line:
            continue
        places = [place(*one) for one in line]
        path = " ".join(f"{x},{y}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in places]
        ends.append((places[-1][1], places[-1][0], who, colour))
    below = 0.0
    for y, x, who, colour in sorted(ends):  # names that would meet make room
        below = max(y + 4, below + 14)
        parts.append(f'<text x="{x + 8}" y="{below}" fill="{colour}">{who}</text>')
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path)
    parser.add_argument("figure", type=Path)
    parser.add_argument("--depth", type=int, default=6)
    options = parser.parse_args()
    found = json.loads(options.results.read_text())["measured"]
    options.figure.write_text(draw(found, options.depth))
