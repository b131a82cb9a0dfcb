"""The parameters of mixtures of experts, each declared once."""

from __future__ import annotations

from functools import partial
from typing import Any

from ramify.learning import parameters as check
from ramify.learning.clock import clock_of
from ramify.learning.common import CLASS_WEIGHT, COLUMNS, N_JOBS
from ramify.learning.declared import Parameter, unnamed
from ramify.trees.mixture.model import MOST_EXPERTS
from ramify.trees.mixture.start import STARTS

SOLVERS = ("auto", "newton", "lbfgs")

#: Parameters of both mixtures, for classes and for numbers.
SHARED = (
    Parameter("depth", 2, "Levels of gates; 0 is a single expert.", partial(check.whole, least=0)),
    Parameter("branching", 2, "Branches of each gate.", partial(check.whole, least=2)),
    Parameter(
        "penalty",
        0.1,
        "Price of the experts' squared coefficients (ridge)",
        partial(check.number, least=0.0),
    ),
    Parameter("gate_penalty", 0.1, "The same for the gates", partial(check.number, least=0.0)),
    Parameter("init", "tree", "Where EM starts", partial(check.choice, choices=STARTS)),
    Parameter("n_init", 1, "Number of starts.", partial(check.whole, least=1)),
    Parameter(
        "solver",
        "auto",
        "How a gate or an expert improves in an iteration",
        partial(check.choice, choices=SOLVERS),
    ),
    Parameter("max_iter", 200, "Largest number of iterations.", partial(check.whole, least=1)),
    Parameter(
        "tol",
        1e-6,
        "EM stops when an iteration raises the objective by less than this per unit of weight.",
        partial(check.number, least=0.0),
    ),
    Parameter("early_stopping", False, "Whether to stop by held-out rows", check.boolean),
    Parameter(
        "validation_fraction",
        0.1,
        "Share of the rows that early stopping holds out",
        check.part_of_rows,
    ),
    Parameter(
        "patience",
        10,
        "Early stopping ends EM after this many iterations without improvement",
        partial(check.whole, least=1),
    ),
    Parameter("time_limit", None, "Seconds for EM from all starts", unnamed(clock_of), fresh=True),
    *COLUMNS,
    N_JOBS,
    Parameter(
        "random_state",
        None,
        "Seed of random starts and held-out rows; None is 0.",
        unnamed(check.seed),
    ),
    Parameter("verbose", False, "Whether to show a progress bar.", check.boolean),
)
OF_CLASSES = (*SHARED, CLASS_WEIGHT)
OF_NUMBERS = (
    *SHARED,
    Parameter("variance_floor", 1e-6, "Least variance of an expert", check.probability),
)


def check_size(settings: dict[str, Any]) -> None:
    """Refuse more experts than can be fitted."""
    depth, branching = settings["depth"], settings["branching"]
    if branching ** min(depth, 64) > MOST_EXPERTS:
        raise ValueError(
            f"depth={depth} and branching={branching} make more than {MOST_EXPERTS} experts; "
            "choose a smaller depth or branching"
        )
