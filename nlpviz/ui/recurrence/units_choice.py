"""Which feature, which words and which unit a page of units shows, and the searches for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import streamlit as st

from nlpviz.analysis.inspection.features import LISTED, TRACE, Feature, features, features_of, of_words, typed_words
from nlpviz.data import CorpusMissing
from nlpviz.figures import panels
from nlpviz.figures.numbers import number
from nlpviz.results.units import UnitSearch
from nlpviz.runs import Checkpoint, Run
from nlpviz.runs.language import reads_on
from nlpviz.runs.seeds import of_another_seed
from nlpviz.runs.units import UNITS
from nlpviz.text.tokenizers import REVIEWS
from nlpviz.ui import address, widgets
from nlpviz.ui.cache import runs
from nlpviz.ui.calls import Call, Result
from nlpviz.ui.frame import escape_markdown, messages
from nlpviz.ui.recurrence import units_cache

_FIRST = ("negation", "line-position")
"""What is shown at first, of words and of characters."""
_LONGEST = 300  # characters of a word list
_EXAMPLE = "actor, actress, cast"
_TITLES = {LISTED: "your own word list", TRACE: "trace of your own word list"}


@dataclass(frozen=True)
class Wish:
    """What a visitor wants units to follow: a feature, and the words of its list where it has one."""

    feature: Feature
    words: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What people call it."""
        return f"{self.feature.title}: {', '.join(self.words)}" if self.words else self.feature.title

    @property
    def call(self) -> Result[Feature]:
        """The call that returns the feature."""
        return (Call(of_words, self.words) if self.words else Call(features)).at(self.feature.name)


def pick_feature(run: Run) -> Wish:
    """Return what units are to follow; the page ends, having said why, where a word list has no word."""
    known = features_of(run.tokenizer, () if reads_on(run) else run.class_names)
    first = next(name for name in _FIRST if name in known)
    listed = () if reads_on(run) else (LISTED, TRACE)
    order = [first, *(name for name in known if name != first), *listed]
    name = widgets.pick("feature", "Feature", order, lambda one: _TITLES.get(one) or known[one].title)
    if name in known:
        address.leave_out("feature_words", parameter="words")
        return Wish(known[name])
    words = typed_words(widgets.text("feature_words", "Words", _EXAMPLE, _LONGEST, parameter="words"))
    if not words:
        messages().info(f"The word list is empty. Type some words, for example: {_EXAMPLE}.")
        st.stop()
    return Wish(of_words(words)[name], words)


_ABLATED = """
**Ablation**: after every word, a unit’s hidden state is set to its mean over the test words, so later steps and the
output layer do not depend on the unit. A unit that tracks a feature may not matter to the prediction, because other
units may track the same feature.
"""


class Shown(NamedTuple):
    """A checkpoint, the search there, and the unit of it that is shown."""

    checkpoint: Checkpoint
    call: Result[UnitSearch]
    unit: str

    @property
    def search(self) -> UnitSearch:
        """What was found there."""
        return self.call()

    @property
    def run(self) -> str:
        """The run's name."""
        return self.checkpoint.run.name

    @property
    def epoch(self) -> int:
        """The epoch of the weights."""
        return self.checkpoint.epoch


def searches_beside(checkpoints: Sequence[Checkpoint], wish: Wish) -> list[Shown]:
    """Return the search at each checkpoint with its best unit; the page ends, having said why, where there is none.

    A checkpoint without one is left out, and so is one at which the feature never occurs.
    """
    found = []
    for checkpoint in checkpoints:
        call = search(*checkpoint, wish)
        if call is not None and not (one := call()).ever:
            messages().info(
                f"{escape_markdown(wish.title)} is the same at each of the {one.words:,} words of {one.documents} "
                f"{sampled(checkpoint.run)}, so no unit can track it."
            )
        elif call is not None:
            found.append(Shown(checkpoint, call, one.units[one.best].id))
    if not found:
        st.stop()
    return found


def search(run: Run, epoch: int, wish: Wish) -> Result[UnitSearch] | None:
    """Return how the units of one checkpoint follow the feature; None, with the reason on the page, without."""
    if wish.words:
        try:
            return units_cache.search_words(run, epoch, wish.words).at(wish.feature.name)
        except CorpusMissing:
            corpus = run.corpus["name"]
            messages().info(
                "Your own word list requires the test reviews, which are not on this computer. Download them with "
                f"`python -m nlpviz fetch {corpus}`. The other features do not require the reviews."
            )
            return None
    if UNITS not in run.files:
        with messages():
            widgets.tell_unmeasured(run, "The features that units track in test texts")
        return None
    survey = units_cache.survey(run, epoch)
    return survey.get("searches").at(wish.feature.name) if wish.feature.name in survey().searches else None


def sampled(run: Run) -> str:
    """Return what the texts are called in which a run's units are searched."""
    return "test reviews" if run.tokenizer.name == REVIEWS else "excerpts of the test text"


def other_seed(run: Run, wish: Wish) -> Result[UnitSearch] | None:
    """Return the same search in a run of the same network from another seed, at its best epoch; None without."""
    other = of_another_seed(run, runs().values())
    return search(other, other.best_epoch, wish) if other and (wish.words or UNITS in other.files) else None


def pick_unit(found: Sequence[Shown]) -> list[Shown]:
    """Return ``found`` with the unit that the visitor chose, at first the one with the largest absolute correlation.

    A unit's number means something in its own run alone: other runs show their own best one.
    """
    chosen = panels.reference(found)
    ids = [chosen.search.units[position].id for position in chosen.search.ranked(len(chosen.search.units))]
    unit = widgets.pick("unit", "Unit", ids, _named(chosen.search).__getitem__)
    return [one._replace(unit=unit) if one.run == chosen.run else one for one in found]


def _named(search: UnitSearch) -> dict[str, str]:
    """Return what people read for each unit."""
    return {unit.id: f"{unit.id}   r {number(float(r))}" for unit, r in zip(search.units, search.r, strict=True)}


def reading(one: Shown, wish: Wish) -> str:
    """Return Markdown that says how to read a search, with its own numbers."""
    found, texts = one.search, sampled(one.checkpoint.run)
    swapped = (
        "The feature is the same in every text, so only the first null distribution applies."
        if np.isnan(found.swapped)
        else f"The threshold is {found.swapped:.3f}. The larger of the two thresholds is used."
    )
    ahead = (
        " It depends on words that have not been read yet, which a causal network can only predict."
        if wish.feature.ahead
        else ""
    )
    return f"""
**Feature.** *{escape_markdown(wish.title)}*. Value at each word: {escape_markdown(wish.feature.says)}.{ahead} The
feature depends only on the text; its mean over the {found.words:,} words is {number(found.mean, ".3g")}.

**r** is Pearson’s correlation: $h_{{u,w}}$ is the value of unit u after word w, $f_w$ is the value of the feature at
that word, bars denote means and s standard deviations over all W = {found.words:,} words of {found.documents} {texts},
pooled. The interval for r comes from a bootstrap over whole texts (1,000 resamples), because the words of one text are
not independent. In a unit’s name, h denotes the hidden state and c the cell state. The unit with the highest |r| was
selected from {len(found.units)} units, so the interval for its r is optimistic.

**Null distribution.** The best of {len(found.units)} units correlates with any feature to some degree. The search is
therefore repeated {found.redraws} times with features that no unit can track, and the best |r| of each search is
recorded. A unit must exceed 95% of these maxima. *Shifted*: the feature is shifted circularly within each text by a
random number of words; the threshold is {found.shifted:.3f}. *Swapped*: each text gets the feature of another text of
similar length. {swapped} The threshold accounts for the search over units, but not for trying many features. With this
many words, even a weak correlation exceeds the threshold; r² is the share of the feature’s variance that the unit
explains.
{"" if reads_on(one.checkpoint.run) else _ABLATED}
*Karpathy, Johnson and Fei-Fei 2016, section 4.2, found such units by inspection; Radford, Jozefowicz and Sutskever 2017
found a unit for sentiment. Negation: Pang, Lee and Vaithyanathan 2002, section 6.1.*
"""
