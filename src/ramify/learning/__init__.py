"""What all learners share: parameters, targets, time, being saved.

Imports tree and tables. Used by the prunings, the discretisers and the estimators.
"""
