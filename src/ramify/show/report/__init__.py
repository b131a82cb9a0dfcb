"""The report: a fitted tree as one HTML file that needs nothing else.

`rows.py` reads the tables that are given, once each. `report.py` collects what the page shows:
`sizes.py` (the trees that the fitted one can be cut back to), `nodes.py` and `levels.py` (the
largest of them), `columns.py` (the data), `figures.py` (scores on other rows from `held_out.py`,
partial dependence from `effects.py`) and `facts.py`. `html.py` fills the page, whose template,
style and scripts are in `page/`; `inline.py` shows it in a notebook.
"""

from ramify.show.report.inline import Report
from ramify.show.report.report import make_report, report_data
from ramify.show.report.rows import read_rows

__all__ = ["Report", "make_report", "read_rows", "report_data"]
