"""Which runs a session on a GPU fits first: those with the largest gain per second.

A gain is what a run is worth more when it is fitted as its recipe's ``on_gpu`` says than with the weights that it has,
judged by what it should reach: a language model's perplexity of 65 in place of 85 and a classifier that begins with it
count for more than half a point of another classifier. Only the order means anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from nlpviz.training import Recipe
from nlpviz.training.fleet import in_order


class Planned(NamedTuple):
    """What fitting a run on a GPU is worth, and the seconds that it should take alone there; 0 where none knows."""

    gain: float
    seconds: float


PLAN: Mapping[str, Planned] = {
    "imdb-skipgram": Planned(8, 35),
    "imdb-lm": Planned(32, 150),
    "imdb-lstm-lm": Planned(20, 100),
    "wikitext2-lstm": Planned(34, 180),
    "multi30k-en-fr-transformer": Planned(36, 200),
    "multi30k-en-de-transformer": Planned(36, 200),
    "imdb-han": Planned(18, 120),
    "imdb-bigru-attention": Planned(12, 80),
    "imdb-transformer": Planned(12, 80),
    "imdb-cnn": Planned(6, 40),
    "imdb-cnn-static": Planned(6, 40),
    "enwiki-skipgram": Planned(8, 60),
    "enwiki-cbow": Planned(8, 60),
    "shakespeare-lstm": Planned(14, 120),
    "imdb-lstm": Planned(8, 80),
    "imdb-gru": Planned(8, 80),
}
"""Seconds are estimates, by the kernels that an epoch starts; a sitting corrects them by what it measures."""
_OTHER = Planned(0.01, 0.0)


def planned(recipe: Recipe) -> Planned:
    """Return what is known of a run; one that is not in the plan comes after those that are."""
    return PLAN.get(recipe.name, _OTHER._replace(gain=_OTHER.gain * recipe.worth))


def by_gain(recipes: Mapping[str, Recipe]) -> list[Recipe]:
    """Return recipes by their gain a second, each after those that its fit begins with, which count as much as it."""

    def rate(recipe: Recipe) -> float:
        known = planned(recipe)
        return known.gain / max(known.seconds, 1.0)

    return in_order(recipes, rate, begins)


def begins(recipe: Recipe) -> tuple[str, ...]:
    """Return the runs that the fit of a recipe begins with: not those that its tests compare it with."""
    return recipe.needs if recipe.stages is None else recipe.stages.begins
