"""Reports: what a run shows, as JSON (`report_data`), as one plain page (`write_report`), figures and LaTeX tables.

The page is self-contained: no script, nothing loaded, every text escaped.
"""

from ludometer.reports.data import report_data
from ludometer.reports.page import page
from ludometer.reports.write import write_figures, write_latex, write_methods, write_report

__all__ = ["page", "report_data", "write_figures", "write_latex", "write_methods", "write_report"]
