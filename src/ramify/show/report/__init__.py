"""The report: a fitted tree as one HTML file that needs nothing else."""

from ramify.show.report._write import make_report, read_rows

__all__ = ["make_report", "read_rows"]
