"""What the estimators of one tree share: predict, prune, explain, report, state.

`base.py` has their base classes. `fitted.py` is what a fit leaves behind: the tree, the tree before
pruning, and the path between them; `state.py` writes that to model files and reads it.

Imports pruning and what lies below. Used by greedy and optimal trees, and by boosted trees for
their importances.
"""
