"""What the report of pereira_trees.py says beside its numbers."""

HEAD = """\
# Trees on nominal attributes: Pereira (2018), Tables 5.3 to 5.13

By `experiments/pereira_trees.py`: stratified three-fold cross-validations with different seeds
(20 in the dissertation; how many were run here is in the table below), trees of depth at most
1, 5 and 16 without pruning. At a node an attribute is skipped if its chi-square test has p > 10
% (`significance=0.1`) or its second most frequent value has fewer than 15 rows
(`min_second_value=15`). Rows with missing values are removed. Printed figures in brackets.

Twoing = `criterion="twoing", categorical_split="twoing"`; GLSG, GLchi2 = `greedy_cut_once` with
`squared_gini`, `chi2_cut`; GWSG, GWchi2 = `gw_cut` with the same; PC-ext, HcC, LCA = `pc_ext`,
`hypercube_cover`, `largest_class_alone` with the Gini index; auto = `categorical_split="auto"`
with the Gini index, which is not in the dissertation.

KDD98-2 and KDD98-9 are left out, of print too: only 7 of their 65 nominal attributes are to be
had. S.F. Crime lacks 32 of its 878,049 rows."""

PROGRAM = """\
Trees on nominal attributes (Tables 5.3, 5.6, 5.10) come out as printed with the library as it
is. The other tables do not, for three reasons. The first and the third were read in a stored
version of the published program (github.com/felipeamp/dissertation-code, `criteria.py`), not
necessarily the one that made the tables; the second is what the text says. All were tested by
growing trees with that rule (`_pereira_tree.py`), every split of which is still the library's:

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

Three more things to know. One row of Shelter-15 has no sex; contrary to the text it was kept, as a
value of its own, and it decides the root of GLchi2: the chi-square cut is divided by the number
of values less one, so that with that row in the training part (two folds of three) the sex comes
second to the kind of animal. Printed 40.10 at depth 1; without the row 48.45. At depth 1
GLSG and GLchi2 take another root than printed on S.F. Crime-15; that is not traced. And in Table
5.6 Twoing, GLSG and GLchi2 are 2 to 7 points lower in print on CoverType, while PC-ext, HcC and
LCA agree to the last digit, and all six agree at depth 1 and 16. The dissertation says that the
trees of depth 5 were its first experiments; the three columns look like those of an earlier
program, which is not proven."""

TIMES = """\
Processor seconds of the training of one three-fold cross-validation, median of the runs; in
brackets the printed time (training and prediction, Python 3.6 on an i7-4790). One thread."""
