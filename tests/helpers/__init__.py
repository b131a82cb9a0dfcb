"""What several tests share: tables, fitted models, comparisons and paths."""
