"""What the report of shi_tables.py says beside its numbers."""

HEAD = """\
# Best-first trees: Shi (2007), Tables 4.2 to 4.20

By `experiments/shi_tables.py`. Stratified ten-fold cross-validation, ten times in the thesis;
`presets.bftree`, at least two rows in a leaf, the size chosen by an inner ten-fold
cross-validation. Accuracy in percent."""

WHERE = """\
| tables | what | where |
|---|---|---|
| 4.2, 4.3 | Gini index against information | here |
| 4.4, 4.5 | error rate against RMSE as inner estimate | here |
| 4.6 | numbers of values | no measurement |
| 4.7, 4.8 | heuristic against exhaustive search | here |
| 4.9, 4.10 | with and without the 1SE rule | four columns of 4.14 and 4.15, below |
| 4.11, 4.12 | post- against pre-pruning | the same columns in another order |
| 4.13, 4.16 | training times | here; 4.13 holds four columns of 4.16 |
| 4.14, 4.15 | against cost-complexity pruning | [shi_pruning.md](shi_pruning.md) |
| 4.17, 4.18 | parts of an artificial data set | not run, see below |
| 4.19, 4.20, B.1 to B.8 | parts of the training rows | here |"""

SEARCH = """\
*heuristic* is `categorical_split="pc"`, *exhaustive* is `"exact"`, which proves the optimum where
enumeration is out of reach; autos and zoo took Shi too long by exhaustive search.
As in print, the search makes no difference that one could rely on."""

VIEWS = """\
The printed columns of Tables 4.9 to 4.12 are those of 4.14 and 4.15, but for the contradictions
that the thesis has in itself (soybean, autos, lymphography)."""

TIMES = """\
Processor seconds, one thread; printed: Weka's Java on a machine of 2007. The last line is the
median over the data sets of each method's time divided by that of the first column. In print
pre-pruning takes about half as long; here reading so small a table is most of the time of a
training, whatever the pruning."""

NOT_RUN = """\
## Tables 4.17 and 4.18: not run

They are of one artificial data set, arti1000, drawn by Weka's generator RDG1 with parameters that
the thesis does not give. Another drawing has other rules, and with them other accuracies."""
