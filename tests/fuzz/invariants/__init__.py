"""What must hold for every fitted estimator, each a function that raises if it does not.

`CHECKS` says on one case of how many each is made: on every one if it takes little beside the fit,
on few if it draws, compiles, writes pages, or asks databases.
"""

from collections.abc import Callable

from fuzz.invariants import answers, forms, growing, optimal, pruning
from fuzz.invariants.fitted import Fitted

CHECKS: dict[Callable[[Fitted], None], int] = {
    growing.tree_is_sound: 1,
    growing.limits_are_kept: 1,
    growing.leaves_have_the_weight_of_their_rows: 1,
    growing.a_leaf_of_one_target_is_exact: 1,
    growing.threads_do_not_matter: 3,
    growing.order_of_rows_does_not_matter: 1,
    growing.a_weight_is_a_repetition: 1,
    growing.spread_is_the_standard_deviation: 1,
    answers.shares_are_shares: 1,
    answers.predictions_lie_among_the_targets: 1,
    answers.one_row_is_answered_as_in_a_batch: 3,
    answers.leaves_lie_at_the_ends_of_paths: 1,
    answers.contributions_add_up: 1,
    answers.monotone_columns_are_monotone: 1,
    answers.arrays_answer_as_predict: 1,
    pruning.every_size_can_be_cut: 3,
    optimal.proofs_are_what_they_say: 1,
    optimal.the_error_is_that_of_the_answers: 1,
    optimal.constraints_are_kept: 1,
    optimal.a_start_changes_no_optimum: 3,
    optimal.fronts_fall: 3,
    optimal.sets_hold_the_optimum: 3,
    optimal.a_policy_of_right_answers_errs_as_little: 3,
    answers.copies_answer_alike: 8,
    forms.every_picture_can_be_drawn: 20,
    forms.python_and_sqlite_answer_as_predict: 8,
    forms.a_report_can_be_written: 100,
    forms.c_answers_as_predict: 100,
    forms.duckdb_answers_as_predict: 100,
    forms.onnx_answers_as_predict: 60,
    forms.pmml_answers_as_predict: 60,
}

__all__ = ["CHECKS", "Fitted"]
