"""What the estimators of one tree share: predict, prune, explain, report.

Imported by the estimators of one tree, greedy and optimal.
"""
