"""What the near-best trees of a table agree on: the picture of the guide "one tree or many".

    python experiments/near_best_picture.py                    # prints the set
    python experiments/near_best_picture.py --plot FILE.svg    # also draws the picture

The table is that of breast tumours which scikit-learn brings along, 569 rows of 30 measurements.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from _pictures import plotting
from sklearn.datasets import load_breast_cancer

from ramify import OptimalTreeClassifier
from ramify.trees import RashomonSet


def near_best() -> RashomonSet:
    """All trees of depth 3 whose error and price are within half a point of the best."""
    cancer = load_breast_cancer()
    names = [str(name) for name in cancer.feature_names]
    X = {name: cancer.data[:, j] for j, name in enumerate(names)}
    labels = cancer.target_names[cancer.target]
    clf = OptimalTreeClassifier(max_depth=3, sparsity=0.005, features="mid")
    return clf.near_optimal(X, labels, epsilon=0.005)


def draw(near: RashomonSet, path: Path) -> None:
    """Draw the range of each importance, and how the trees answer the rows."""
    plt = plotting()
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    near.plot(ax=left)
    share = np.sort(near.agreement()[:, 1])
    right.plot(share, np.arange(len(share)), color="black", linewidth=1.5)
    right.set_xlabel("share of the trees that say malignant")
    right.set_ylabel("rows, in order")
    figure.savefig(path, format="svg")


def main() -> None:
    """Print the set, and draw it if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    near = near_best()
    print(near)
    if options.plot:
        draw(near, options.plot)


if __name__ == "__main__":
    main()
