"""What the estimators of one tree share: predict, prune, explain, report."""
