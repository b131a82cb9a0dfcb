"""The report of a fitted tree."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from sklearn.utils.validation import check_is_fitted

from ramify.learning import parameters as check
from ramify.learning.held_out import HeldOut
from ramify.support.writer import write_text
from ramify.tables import Profile
from ramify.tree.doors import door


class Reports:
    """Mixed into the estimators that fit one tree; not for direct use."""

    def report(
        self,
        path: str | os.PathLike[str] | None = None,
        X_test: Any = None,
        y_test: Any = None,
        *,
        sample_weight_test: Any = None,
        X_train: Any = None,
        y_train: Any = None,
        sample_weight: Any = None,
        held_out: HeldOut | None = None,
        profile: Profile | None = None,
        n_permutations: int = 10,
        max_rows: int = 1000,
        title: str | None = None,
    ) -> Any:
        """Write a report on the tree: one HTML file, which needs no network and no other file.

        Readers can zoom and fold the tree, and cut it back to any size of ``pruning_path_``. A
        click on a node shows its rows, how they are distributed, and what nearly won there. The
        report also has scores with their baselines, curves, effects of columns, importances, rules,
        the data and the parameters, and it explains any row.

        A fitted tree holds no data, so the report describes only the data given here.

        Parameters
        ----------
        path : str or path, optional
            The file. An existing file is replaced. Without a file, a notebook shows the report.
        X_test, y_test : table and array-like, optional
            Rows that the tree has not seen, to judge it by. Their scores lead. Without them and
            without `held_out`, the report shows how the tree does on its training rows, and says
            so.
        sample_weight_test : array-like, optional
            Weights of the test rows.
        X_train, y_train, sample_weight : optional
            The data as given to ``fit``, for the summary of the columns and for unbiased
            importances.
        held_out : HeldOut, optional
            Predictions of rows that were held out, as
            :func:`ramify.learning.held_out.cross_predict` makes them.
        profile : Profile, optional
            What :func:`ramify.tables.profile` found out about the columns. Without it, it is made
            from `X_train` and `y_train`.
        n_permutations : int, default=10
            Searches on shuffled targets at every split, for the unbiased importances (see
            :meth:`unbiased_importances`). 0 leaves these out unless they are known already. Optimal
            trees have none. Trees of reduced-error pruning have only those that ``fit`` found.
        max_rows : int, default=1000
            How many single rows of the data the file may hold, for the examples and for saving the
            rows of a node. 0 leaves single rows out; sums and distributions remain.
        title : str, optional
            Heading of the report.

        Returns
        -------
        pathlib.Path or Report
            The file that was written. Without `path`, an object that shows itself in a notebook
            and has ``save(path)``.

        Examples
        --------
        >>> import os, tempfile
        >>> from ramify import TreeClassifier
        >>> from ramify.datasets import load_titanic
        >>> titanic = load_titanic()
        >>> clf = TreeClassifier(pruning="auto").fit(titanic.data, titanic.y)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = clf.report(os.path.join(folder, "report.html"))
        ...     print(path.name, path.stat().st_size < 400_000)
        report.html True
        """
        check_is_fitted(self, "tree_")
        shuffles = 0
        if n_permutations != 0:
            shuffles = check.limit("n_permutations", n_permutations, least=0)
        most = 0 if max_rows == 0 else check.limit("max_rows", max_rows, least=0) or 0
        if title is not None and not isinstance(title, str):
            raise ValueError(f"title={title!r:.80} must be None or a string")
        read_rows = door("read_rows")
        test = read_rows(self, X_test, y_test, sample_weight_test, ("X_test", "y_test"))
        train = read_rows(self, X_train, y_train, sample_weight, ("X_train", "y_train"))
        if train is not None and shuffles:
            self._find_importances(train.table, y_train, sample_weight, shuffles)
        html = door("make_report")(
            self, train, test, title=title, held_out=held_out, profile=profile, max_rows=most
        )
        if path is None:
            return door("Report")(html)
        write_text(path, html)
        return Path(path)

    def _find_importances(self, table: Any, y: Any, sample_weight: Any, shuffles: int) -> None:
        """Work out the importances that a report shows, if the estimator has any."""
