"""What one setting of a translator changes: runs that were made alike but for it, compared on the same sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import streamlit as st

from nlpviz.figures.translation.settings import said, setting_by_length, setting_differences
from nlpviz.results.bleu import ChangedSetting
from nlpviz.runs import Run
from nlpviz.runs.translators import BLEU_SENTENCES
from nlpviz.ui import address, plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, escape_markdown
from nlpviz.ui.translation import cache, choice
from nlpviz.ui.translation.pairs import TranslationPair, pair_of

_KEY = "changed_setting"


def changed_settings(runs: Sequence[Run]) -> list[tuple[Run, Run, str]]:
    """Return each two runs whose configurations differ in one setting alone, trained alike, and its name.

    The first of two is the one that is closer to a plain network: its switch is off, or its value comes first in the
    alphabet where no attention is the least of all.
    """
    found = []
    for pair in combinations(runs, 2):
        first, second = sorted(pair, key=_plainness)
        different = [name for name, value in first.config.items() if second.config.get(name) != value]
        if len(different) == 1 and _trained(first) == _trained(second):
            found.append((first, second, different[0]))
    return found


def _plainness(run: Run) -> tuple[Any, ...]:
    config = run.config
    return (config.get("attention") != "none", *(str(config[name]) for name in sorted(config)))


def _trained(run: Run) -> tuple[Any, ...]:
    """Return what two runs must have in common besides: the network, how it was fitted, which settings it has."""
    return run.architecture, run.recipe["fit"], run.recipe["vocabulary_size"], sorted(run.config)


def show(pair: TranslationPair) -> None:
    """Show what each setting changes that two runs of a pair differ in alone; nothing where there are no two."""
    runs = [run for run in choice.runs().values() if pair_of(run) == pair and BLEU_SENTENCES in run.files]
    every = (cache.changed_setting(first, second) for first, second, _ in changed_settings(runs))
    changes = {change().runs: change for change in every}
    if not changes:
        address.leave_out(_KEY, parameter="setting")
        return
    largest = max(changes, key=lambda runs: abs(changes[runs]().whole.difference))
    chosen = widgets.follow(_KEY, list(changes), largest, parameter="setting")
    change = changes[chosen]
    st.header("Effect of a single setting", anchor=False)
    left, right = st.columns(2, gap="medium")
    with left:
        drawn = Call(setting_differences, list(changes.values()), chosen, pair.title)
        plotly_view.show(drawn, key="bleu_by_setting", on_click=widgets.set_to(_KEY))
    with right:
        st.markdown(f"**{escape_markdown(change().title)}**")
        plotly_view.show(Call(setting_by_length, change, pair.title), key="bleu_of_setting")
    sentence, pieces = setting_said(change())
    answer(sentence, **pieces)


def setting_said(change: ChangedSetting) -> tuple[str, Mapping[str, object]]:
    """Return the sentence with its pieces: what a setting changes, and for how many groups of sentences by length."""
    apart = sum(one.difference.significant for one in change.by_length)
    pieces = {
        "first": change.first, "second": change.second, "whole": said(change.whole),
        "apart": apart, "groups": len(change.by_length),
    }  # fmt: skip
    told = "significant" if change.whole.significant else "not significant"
    sentence = f"From {{first}} to {{second}}: {{whole}} BLEU, {told}."
    return f"{sentence} The difference is significant in {{apart}} of {{groups}} length groups.", pieces
