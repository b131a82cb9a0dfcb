"""What all learners share: parameters, target, folds, clock, progress, and their base classes.

- `parameters.py` checks single values. `declared.py` says what a declared parameter is, and
  `common.py` declares those that several families of estimators have.
- `target.py` is the `Target`; `labels.py` and `weights.py` read what users give for it.
- `folds.py`, `clock.py` and `progress.py` are for what takes long or draws rows at random.
- `measures/` has the measures by name, and `held_out/` predicts rows that a learner has not seen.
- `training.py` is what a pruning gets to grow trees from.
- `model.py` and `transformer.py` are the base classes of estimators and transformers.

Imports tree, tables and the core. Used by everything above: datasets, discretize, splits, pruning,
the estimators, and what shows, exports and compares them.
"""
