"""What must hold for every fitted estimator, each a function that raises if it does not.

`CHEAP` are checked on every case, `LONGER` on some and `SLOW` on few: they fit once more and draw,
or compile, write pages, and ask databases.
"""

from fuzz.invariants import answers, forms, growing, optimal, pruning
from fuzz.invariants.fitted import Fitted

CHEAP = (
    growing.tree_is_sound,
    growing.limits_are_kept,
    growing.leaves_have_the_weight_of_their_rows,
    growing.a_leaf_of_one_target_is_exact,
    growing.threads_do_not_matter,
    growing.order_of_rows_does_not_matter,
    growing.a_weight_is_a_repetition,
    growing.spread_is_the_standard_deviation,
    answers.shares_are_shares,
    answers.predictions_lie_among_the_targets,
    answers.one_row_is_answered_as_in_a_batch,
    answers.leaves_lie_at_the_ends_of_paths,
    answers.contributions_add_up,
    answers.monotone_columns_are_monotone,
    answers.arrays_answer_as_predict,
    pruning.every_size_can_be_cut,
    optimal.proofs_are_what_they_say,
    optimal.the_error_is_that_of_the_answers,
    optimal.constraints_are_kept,
)
LONGER = (
    optimal.a_start_changes_no_optimum,
    optimal.fronts_fall,
    optimal.sets_hold_the_optimum,
    optimal.a_policy_of_right_answers_errs_as_little,
    answers.copies_answer_alike,
    forms.every_picture_can_be_drawn,
    forms.python_and_sqlite_answer_as_predict,
)
SLOW = (
    forms.a_report_can_be_written,
    forms.c_answers_as_predict,
    forms.duckdb_answers_as_predict,
    forms.onnx_answers_as_predict,
    forms.pmml_answers_as_predict,
)
ALL = {check.__name__: check for check in CHEAP + LONGER + SLOW}

__all__ = ["ALL", "CHEAP", "LONGER", "SLOW", "Fitted"]
