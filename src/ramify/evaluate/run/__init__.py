"""Running a comparison: inputs, folds, trials in several processes, and what a store has already.

Imports the measures, the store and the comparison. Used by nothing of evaluate.
"""
