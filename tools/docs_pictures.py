"""The pictures of the gallery, made while mkdocs builds the site (a hook of mkdocs.yml).

python tools/docs_pictures.py FOLDER      writes them into a folder instead
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = "images/gallery"


def pictures() -> Iterator[tuple[str, str]]:
    """Give name and SVG of every picture, made as in gallery.md."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure
    from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine

    from ramify import OptimalTreeClassifier, TreeClassifier, TreeRegressor, presets
    from ramify.datasets import load_titanic, load_weather

    titanic, weather = load_titanic(), load_weather()
    best_first = TreeClassifier(growth="best_first", max_leaves=5)
    yield "titanic", best_first.fit(titanic.X, titanic.y).tree_.to_svg()
    yield "weather", presets.c45(pruning=None).fit(weather.X, weather.y).tree_.to_svg()
    diabetes = named(load_diabetes())
    yield "diabetes", TreeRegressor(max_depth=3, min_samples_leaf=20).fit(*diabetes).tree_.to_svg()
    wine = named(load_wine())
    yield "wine", OptimalTreeClassifier(max_depth=2).fit(*wine).tree_.to_svg()
    figure = Figure(figsize=(7, 4), layout="constrained")
    pruned = TreeClassifier(pruning="auto").fit(*named(load_breast_cancer()))
    pruned.plot_pruning_path(ax=figure.add_subplot())
    stream = io.StringIO()
    figure.savefig(stream, format="svg")
    yield "pruning", stream.getvalue()


def named(data: Any) -> tuple[dict[str, Any], Any]:
    """Give the columns by name, without pandas, which the site does not need otherwise."""
    return dict(zip(data.feature_names, data.data.T, strict=True)), data.target


def on_files(files: Any, config: Any) -> Any:
    """Add the pictures to the files of the site."""
    from mkdocs.structure.files import File

    for name, svg in pictures():
        files.append(File.generated(config, f"{FOLDER}/{name}.svg", content=svg))
    return files


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, svg in pictures():
        (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
