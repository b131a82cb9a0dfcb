"""The mixture of experts for numbers."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from sklearn.base import RegressorMixin

from ramify.learning.model import NumberModel, saved_since
from ramify.trees.mixture.base import Floats, MixtureOfExperts
from ramify.trees.mixture.parameters import OF_NUMBERS


@saved_since(4)
class MixtureOfExpertsRegressor(RegressorMixin, NumberModel, MixtureOfExperts):  # type: ignore[misc]
    """A tree that splits softly, with a linear regression in every leaf.

    The hierarchical mixture of experts of Jordan and Jacobs (1994). A gate sends a row down all
    of its branches, with probabilities that are a multinomial-logistic function of the columns;
    an expert at a leaf says that the target is normal around a linear function, with a variance of
    its own. All is fitted together by EM. What is predicted is smooth, where a decision tree makes
    steps.

    Parameters
    ----------
    depth : int, default=2
        Levels of gates; 0 is a single expert. There are `branching` to the power `depth` experts.
    branching : int, default=2
        Branches of each gate.
    penalty : float, default=0.1
        Price of the experts' squared coefficients (ridge), not of their constants: see Notes.
    gate_penalty : float, default=0.1
        The same for the gates: a small price lets them be steep, like the splits of a hard tree.
    init : {"tree", "random"}, default="tree"
        Where EM starts: from the regions of a hard tree of ours, one split per gate, softened; or
        from gates drawn at random.
    n_init : int, default=1
        Number of starts, of which the best is kept. All but the first are at random.
    solver : {"auto", "newton", "lbfgs"}, default="auto"
        What a gate or an expert does in an iteration: a step of IRLS, or up to ten of L-BFGS.
        "auto" takes the second if one of them has more than 200 coefficients (a linear expert,
        1,000).
    max_iter : int, default=200
        Largest number of iterations.
    tol : float, default=1e-6
        EM ends when an iteration raises the objective by less than this per unit of weight.
    early_stopping : bool, default=False
        Whether to hold out rows, to end when their log-likelihood no longer rises, and to keep the
        mixture that was best for them.
    validation_fraction : float, default=0.1
        Share of the rows that early stopping holds out.
    patience : int, default=10
        Iterations without a better log-likelihood of the held-out rows.
    time_limit : float or None, default=None
        Seconds for EM from all starts; what the first one starts from is always made. Then, or on
        Ctrl-C, the best mixture so far is kept, with a ``ConvergenceWarning``.
    variance_floor : float, default=1e-6
        Least variance of an expert, as a share of the target's variance. Without one, an expert
        that meets a few rows exactly would be infinitely likely.
    categorical_features : "from_dtype", mask, indices, names or None, default="from_dtype"
        Columns to take as nominal, beside those whose type says so: text, bool, a category
        without order, a polars Enum.
    n_jobs : int or None, default=None
        Threads; None is 1, -1 is all. The result is the same for any number.
    random_state : int, RandomState, Generator or None, default=None
        Seed of random starts and held-out rows; None is 0.
    verbose : bool, default=False
        Whether to show a progress bar.

    Attributes
    ----------
    loglik_path_ : ndarray
        The objective at the start and after every iteration of the start that was kept: the
        penalised log-likelihood of the training rows. It never falls.
    held_out_path_ : ndarray
        Log-likelihood of the held-out rows beside it; empty without early stopping.
    objectives_ : ndarray
        The last objective of every start.
    n_iter_ : int
        Iterations of the start that was kept.
    converged_ : bool
        Whether it ended because nothing more was to be gained.
    stopped_by_ : {"tol", "held_out", "max_iter", "time_limit", "interrupt"}
        Why it ended.
    n_experts_ : int
        Number of experts.
    mixture_ : Mixture
        The parameters: ``gates`` and ``experts`` are arrays (part, function, encoded column),
        ``variances`` those of the experts.
    encoding_ : Encoding
        How columns become numbers; ``encoding_.names`` are those of the encoded columns.
    hard_tree_agreement_ : float
        Share of the training weight that :meth:`to_hard_tree` leads to the expert to which the most
        probable branches lead.

    Notes
    -----
    Numeric and ordinal columns are standardised, nominal ones become an indicator per level. A
    missing value is the mean of its column; of a nominal column, the shares of its levels in
    training stand for the indicators. A level that was not seen in training counts as missing.

    The objective is the log-likelihood less ``penalty / (2 s^2)`` times the squared coefficients of
    each expert, s^2 being its variance, and ``gate_penalty / 2`` times those of the gates. Hence
    the unit of the target does not matter, and a single expert (``depth=0``) is scikit-learn's
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

    PARAMETERS = OF_NUMBERS

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
            Whether to give the standard deviation of the mixture, too.

        Returns
        -------
        ndarray, or two of them
            The means of the experts, mixed by the gates; and the standard deviation around that,
            by the variances of the experts and by how much they differ.
        """
        means, variances = [], []
        for block in self._blocks(self.read(X)):
            means.append(self.mixture_.mean(block))
            if return_std:
                variances.append(self.mixture_.variance(block, means[-1]))
        mean = np.concatenate(means)
        return (mean, np.sqrt(np.concatenate(variances))) if return_std else mean
