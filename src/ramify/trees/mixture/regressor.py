"""The mixture of experts for numbers."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from sklearn.base import RegressorMixin

from ramify.learning.declared import Parameters
from ramify.learning.model import NumberModel, saved_since
from ramify.trees.mixture.base import Floats, MixtureOfExperts
from ramify.trees.mixture.parameters import OF_NUMBERS


@saved_since(4)
class MixtureOfExpertsRegressor(RegressorMixin, NumberModel, MixtureOfExperts):  # type: ignore[misc]
    """A tree with soft splits and a linear regression in every leaf.

    This is the hierarchical mixture of experts of Jordan and Jacobs (1994). A gate sends a row down
    all of its branches, with probabilities that are a multinomial-logistic function of the columns.
    An expert at a leaf models the target as normal around a linear function, with a variance of its
    own. EM fits gates and experts together. Predictions are smooth, where those of a decision tree
    are steps.

    Parameters
    ----------
    depth : int, default=2
        Levels of gates; 0 is a single expert. There are `branching` to the power `depth` experts.
    branching : int, default=2
        Branches of each gate.
    penalty : float, default=0.1
        Price of the experts' squared coefficients (ridge), not of their constants: see Notes.
    gate_penalty : float, default=0.1
        The same for the gates. With a small price, gates can be steep, like splits of a hard tree.
    init : {"tree", "random"}, default="tree"
        Where EM starts: from the softened regions of a greedy tree, one split per gate, or from
        gates drawn at random.
    n_init : int, default=1
        Number of starts. The best is kept. All but the first are random.
    solver : {"auto", "newton", "lbfgs"}, default="auto"
        How a gate or an expert improves in an iteration: by one step of IRLS ("newton"), or by up
        to ten steps of L-BFGS. "auto" takes L-BFGS for gates or experts with more than 200
        coefficients each (linear experts: 1,000).
    max_iter : int, default=200
        Largest number of iterations.
    tol : float, default=1e-6
        EM stops when an iteration raises the objective by less than this per unit of weight.
    early_stopping : bool, default=False
        Whether to stop by held-out rows: EM stops when their log-likelihood no longer rises, and
        the mixture that was best for them is kept.
    validation_fraction : float, default=0.1
        Share of the rows that early stopping holds out.
    patience : int, default=10
        Early stopping ends EM after this many iterations without improvement of the held-out
        log-likelihood.
    time_limit : float or None, default=None
        Seconds for EM from all starts. The first starting point is always made. After the limit,
        or on Ctrl-C, the best mixture so far is kept, with a ``ConvergenceWarning``.
    variance_floor : float, default=1e-6
        Least variance of an expert, as a share of the target's variance. Without a floor, an expert
        that fits a few rows exactly would be infinitely likely.
    categorical_features : "from_dtype", mask, indices, names or None, default="from_dtype"
        Columns to take as nominal, besides those whose type says so: text, bool, a category
        without order, a polars Enum.
    date_parts : "auto", None or list of {"month", "weekday", "day", "hour"}, default="auto"
        Parts of dates that the tree may ask about, besides the date itself. "auto" takes those that
        repeat: the month if the dates span a year, the weekday if they span two weeks, the hour if
        they span two days.
    min_level_count : int, default=1
        Levels of a nominal column with fewer rows than this are pooled in one level, "(other)".
        Levels that were not seen in training then belong to it, too.
    identifiers : {"warn", "drop", "keep"}, default="warn"
        What to do with columns that name the rows: identifiers, names, free text, row numbers. A
        tree can only learn them by heart. "warn" keeps them with a :class:`ramify.RamifyWarning`,
        "drop" leaves them out, "keep" keeps them without a warning.
    n_jobs : int or None, default=None
        Threads; None is 1, -1 is all. The result is the same for any number.
    random_state : int, RandomState, Generator or None, default=None
        Seed of random starts and held-out rows; None is 0.
    verbose : bool, default=False
        Whether to show a progress bar.

    Attributes
    ----------
    loglik_path_ : ndarray
        The objective (penalised log-likelihood of the training rows) at the beginning and after
        every iteration, for the start that was kept. It never falls.
    held_out_path_ : ndarray
        The log-likelihood of the held-out rows at the same times; empty without early stopping.
    objectives_ : ndarray
        The last objective of every start.
    n_iter_ : int
        Iterations of the start that was kept.
    converged_ : bool
        Whether EM stopped because the objective, or the held-out log-likelihood, no longer rose.
    stopped_by_ : {"tol", "held_out", "max_iter", "time_limit", "interrupt"}
        Why EM stopped.
    n_experts_ : int
        Number of experts.
    mixture_ : Mixture
        The parameters: ``gates`` and ``experts`` are arrays (part, function, encoded column), and
        ``variances`` has one number per expert.
    encoding_ : Encoding
        How columns become numbers. ``encoding_.names`` lists the encoded columns.
    hard_tree_agreement_ : float
        Share of the training weight that :meth:`to_hard_tree` sends to the same expert as the most
        probable branches do.

    Notes
    -----
    Numeric and ordinal columns are standardised. A nominal column becomes one indicator per level.
    A missing value is replaced by the mean of its column; in a nominal column, the indicators are
    replaced by the shares of the levels in training. A level that was not seen in training counts
    as missing.

    The objective is the log-likelihood, minus ``penalty / (2 s^2)`` times the squared coefficients
    of each expert, where s^2 is its variance, minus ``gate_penalty / 2`` times those of the gates.
    So the unit of the target does not matter. A single expert (``depth=0``) equals scikit-learn's
    ``Ridge(alpha=penalty)`` on standardised columns and indicators.

    Examples
    --------
    >>> import numpy as np
    >>> from ramify import MixtureOfExpertsRegressor
    >>> X = np.linspace(-1, 1, 200)[:, None]
    >>> reg = MixtureOfExpertsRegressor(depth=1).fit(X, np.abs(X[:, 0]))
    >>> reg.predict([[-0.5], [0.5]]).round(2)
    array([0.5, 0.5])
    """

    PARAMETERS = Parameters(OF_NUMBERS)

    def __init__(
        self,
        *,
        depth: int = 2,
        branching: int = 2,
        penalty: float = 0.1,
        gate_penalty: float = 0.1,
        init: Literal["tree", "random"] = "tree",
        n_init: int = 1,
        solver: Literal["auto", "newton", "lbfgs"] = "auto",
        max_iter: int = 200,
        tol: float = 1e-6,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        patience: int = 10,
        time_limit: float | None = None,
        variance_floor: float = 1e-6,
        categorical_features: Any = "from_dtype",
        date_parts: Any = "auto",
        min_level_count: int = 1,
        identifiers: str = "warn",
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool = False,
    ) -> None:
        self.depth = depth
        self.branching = branching
        self.penalty = penalty
        self.gate_penalty = gate_penalty
        self.init = init
        self.n_init = n_init
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.patience = patience
        self.time_limit = time_limit
        self.variance_floor = variance_floor
        self.categorical_features = categorical_features
        self.date_parts = date_parts
        self.min_level_count = min_level_count
        self.identifiers = identifiers
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def predict(self, X: Any, return_std: bool = False) -> Floats | tuple[Floats, Floats]:
        """Predict the target of every row.

        Parameters
        ----------
        X : table
            Columns as in training.
        return_std : bool, default=False
            Whether to give the standard deviation of the mixture as well.

        Returns
        -------
        ndarray, or two of them
            The mean of the mixture, and its standard deviation if asked for. The latter counts the
            variances of the experts and the differences between them.
        """
        means, variances = [], []
        for block in self._blocks(self.read(X)):
            means.append(self.mixture_.mean(block))
            if return_std:
                variances.append(self.mixture_.variance(block, means[-1]))
        mean = np.concatenate(means)
        return (mean, np.sqrt(np.concatenate(variances))) if return_std else mean
