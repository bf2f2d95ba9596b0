"""What the figures of an assessment have in common: which run on which texts, and how numbers are written."""

from __future__ import annotations

import re

from nlpviz.results.assessment import Assessment
from nlpviz.results.behaviours import Rate
from nlpviz.stats.significance import Interval

P_VALUES = ("p-value (Fisher’s exact test)", "adjusted p-value (Benjamini–Hochberg)")
"""Headings of a table."""


def on(assessment: Assessment) -> str:
    """Return what was measured on what, for a caption: ``"imdb-cnn, epoch 4, on 1,000 texts of mine.csv"``."""
    epoch = f", epoch {assessment.epoch}" if assessment.epoch else ""
    return f"{assessment.run}{epoch}, on {assessment.documents:,} texts of {assessment.source}"


def file_name(assessment: Assessment, what: str) -> str:
    """Return the name of a figure's files: ``"imdb-cnn-mine-csv-reliability"``."""
    source = re.sub(r"[^\w-]+", "-", assessment.source).strip("-").lower()
    return "-".join(part for part in (assessment.run, source, what) if part)


def share(value: float, interval: Interval) -> str:
    """Return a share with its interval: ``"91.2% (90.1% to 92.3%)"``."""
    return f"{value:.1%} ({interval.low:.1%} to {interval.high:.1%})"


def pairs_said(rate: Rate) -> str:
    """Return a rate as a sentence holds it: ``"30 of 48 pairs (62%; 95% CI 48% to 75%)"``."""
    if not rate.pairs:
        return "every pair contains an unknown word"
    low, high = rate.interval
    return f"{rate.passed:,} of {rate.pairs:,} pairs ({rate.share:.0%}; 95% CI {low:.0%} to {high:.0%})"
