"""What the report of pereira_trees.py says beside its numbers."""

HEAD = """\
# Trees on nominal attributes: Pereira (2018), Tables 5.3 to 5.13

By `experiments/pereira_trees.py`: stratified three-fold cross-validations with different seeds
(20 in the dissertation; how many were run here is in the table below), trees of depth at most
1, 5 and 16 without pruning. At a node an attribute is skipped if its chi-square test has p > 10
% (`significance=0.1`) or its second most frequent value has fewer than 15 rows
(`min_second_value=15`). Rows with missing values are removed. Printed figures in brackets.

Twoing = `criterion="twoing", categorical_split="twoing"`; GLSG, GLchi2 = `greedy_cut` with
`squared_gini`, `chi2_cut`; GWSG, GWchi2 = `gw_cut` with the same; PC-ext, HcC, LCA = `pc_ext`,
`hypercube_cover`, `largest_class_alone` with the Gini index; auto = `categorical_split="auto"`
with the Gini index, which is not in the dissertation.

KDD98-2 and KDD98-9 are left out, of print too: only 7 of their 65 nominal attributes are to be
had. S.F. Crime lacks 32 of its 878,049 rows."""

PROGRAM = """\
Four rules are other than the library's. The first and the third were read in a stored version of
the published program (github.com/felipeamp/dissertation-code, `criteria.py`), not necessarily the
one that made the tables; the second is what the text says; the fourth was found from the figures.
All were tested by growing trees with that rule (`_pereira_tree.py`):

1. **Conditional inference (5.4, 5.8, 5.11): the first attribute wins.** The program takes the
   attribute with the largest 1 - p, a rounded number: all p below 1e-16 are equal, and of
   equals the first column is taken. At the root of nearly every data set that is the first
   column of the file: on Mushroom it splits on the shape of the cap (64 % right), where the
   odour has the smallest p (98 %). So these tables do not show what conditional inference
   does; the library compares logarithms of p. The dissertation finds unbiased selection
   significantly worse with extended attributes: those are the last columns of the file, and the
   rule hardly ever comes to them. By the library they are chosen, and help.
2. **Numeric attributes (5.5, 5.9, 5.13) are not filtered.** Only nominal attributes are tested;
   the library's `significance` tests numeric ones too, by conditional inference, so that its
   trees of depth 16 are much smaller, and more accurate where the two can be compared below.
3. **GLchi2 on numeric attributes scores cuts that do not exist.** In the program's scan of the
   sorted values the last value on the left moves on only when a cut is better than all before.
   After that, positions between rows of *equal* value count as cuts, and rows of equal value
   are sorted by class: the score is that of a split no tree can make. The value returned for
   the left side is that of the cut that was best before, not the neighbouring one; that the
   threshold is halfway between the two returned values is assumed here. The
   library scores thresholds only, and makes the split it scored.
4. **GLSG and GLchi2 visit the levels once, in the order of the file.** GreedyCut depends on that
   order, and so does `greedy_cut_once`. The library's `greedy_cut` does not: it enumerates where
   that is cheap, and takes the best of several orders elsewhere. On S.F. Crime-15 the order of the
   file decides the root (printed at depth 1, 5 and 16: GLSG 21.24, 21.23, 22.06, GLchi2 19.98,
   22.09, 22.08).

One more thing to know. One row of Shelter-15 has no sex; contrary to the text it was kept, as a
value of its own, and it decides the root of GLchi2: the chi-square cut is divided by the number
of values less one, so that with that row in the training part (two folds of three) the sex comes
second to the kind of animal. Printed 40.10 at depth 1; without the row 48.45."""

PART = """\
In Table 5.6 five columns are lower in print than with all 44 indicators, while PC-ext, HcC and LCA
agree to the last digit, and all six agree at depth 1 and 16. Without two of the indicators the
five columns come out as printed or nearly so, the GW columns equal to the GL ones as in print. The
dissertation says that the trees of depth 5 were its first experiments: these five columns were, as
it seems, made from an earlier file. It does not say so."""

CLASSES = """\
Twoing and HcC enumerate groups of classes, and are left out as in print (Twoing and HcC with few
levels enumerate those instead, and could be run on S.F. Crime). Processor seconds of one three-fold
cross-validation; the printed seconds are rounded in the text, and include prediction. Accuracies
are not printed."""

SECONDS = {
    ("S.F. Crime", 5, "GLSG"): "100",
    ("S.F. Crime", 5, "GLchi2"): "100",
    ("Shelter", 5, "GLSG"): "300",
    ("Shelter", 5, "GLchi2"): "300",
    ("S.F. Crime", 5, "PC-ext"): "75",
    ("Shelter", 5, "PC-ext"): "32",
    ("S.F. Crime", 5, "LCA"): "48",
    ("Shelter", 5, "LCA"): "4",
    ("S.F. Crime", 16, "GLSG"): "100",
    ("S.F. Crime", 16, "GLchi2"): "100",
    ("Shelter", 16, "GLSG"): "300",
    ("Shelter", 16, "GLchi2"): "300",
    ("S.F. Crime", 16, "PC-ext"): "110",
    ("Shelter", 16, "PC-ext"): "33",
    ("S.F. Crime", 16, "LCA"): "55",
    ("Shelter", 16, "LCA"): "7",
}

TIMES = """\
Processor seconds of the training of one three-fold cross-validation, median of the runs; in
brackets the printed time (training and prediction, Python 3.6 on an i7-4790). One thread."""
