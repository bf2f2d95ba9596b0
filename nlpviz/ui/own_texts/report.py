"""What there is to know about the visitor's texts before a model is trained on them."""

from __future__ import annotations

import streamlit as st

from nlpviz.figures.assessment.lengths import text_lengths
from nlpviz.results.own_texts import OwnReport, PairsReport, RunningReport, TextsReport
from nlpviz.ui import plotly_view
from nlpviz.ui.frame import answer, escape_markdown

_CLASSES, _BAD = 12, 20


def show(report: OwnReport) -> None:
    """Show the report: what was read and how it is split, what may spoil the result, and all that was seen."""
    answer("{read} {split}", read=report.read.rstrip(), split=report.split)
    for warning in report.warnings:
        st.warning(escape_markdown(warning))
    if isinstance(report, TextsReport):
        _show_classes(report)
        plotly_view.show(text_lengths(report), key="train_lengths")
    if isinstance(report, RunningReport):
        _show_splits(report)
    if isinstance(report, PairsReport):
        _show_pairs(report)
    with st.expander("Full report"):
        for line in report.lines(listed=0):
            st.markdown(escape_markdown(line))
    if report.bad_count:
        with st.expander(f"{report.bad_count:,} invalid rows (left out)"):
            for bad in report.bad[:_BAD]:
                st.markdown(escape_markdown(str(bad)))


def _show_classes(report: TextsReport) -> None:
    """Show how many texts of each split each class has."""
    st.dataframe(
        {
            "Class": [one.name for one in report.classes],
            "Training": [one.train for one in report.classes],
            "Validation": [one.validation for one in report.classes],
            "Test": [one.test for one in report.classes],
        },
        hide_index=True,
        height="content" if len(report.classes) <= _CLASSES else 400,
    )


def _show_splits(report: RunningReport) -> None:
    """Show how much of a text each split has."""
    st.dataframe(
        {
            "Split": [one.name for one in report.counts],
            "Lines": [one.lines for one in report.counts],
            f"{report.unit.capitalize()}s": [one.tokens for one in report.counts],
            "Characters": [one.characters for one in report.counts],
        },
        hide_index=True,
    )


def _show_pairs(report: PairsReport) -> None:
    """Show how many pairs each split has, and how long they are."""
    source, target = report.languages
    st.dataframe(
        {
            "Split": [one.name for one in report.counts],
            "Pairs": [one.pairs for one in report.counts],
            f"Words, {source}": [one.source_words for one in report.counts],
            f"Words, {target}": [one.target_words for one in report.counts],
        },
        hide_index=True,
    )
