"""Open a run as a language model that can be queried."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from nlpviz.language import RunPredictor
from nlpviz.runs import Run, RunError
from nlpviz.runs.language import KIND, counts_ngrams, kneser_ney
from nlpviz.text.tokenizers import EOS

if TYPE_CHECKING:
    from nlpviz.language.networks import NetworkPredictor


def predictor(run: Run, epoch: int | None = None, device: str = "cpu") -> RunPredictor:
    """Return the language model of a run, a network's with the weights of ``epoch``, by default the best one.

    Raises:
        RunError: if the run is of another kind, has no such epoch, or is damaged.
    """
    if run.kind != KIND:
        raise RunError(f"The run {run.name!r} is not a language model but a {run.kind}.")
    if counts_ngrams(run):
        return counting(run)
    return network(run, epoch, device)


def counting(run: Run, order: int | None = None) -> RunPredictor:
    """Return the model of a run that counts, of n-grams of ``order`` words at most, by default its own."""
    from nlpviz.language.counts import CountPredictor

    return CountPredictor(kneser_ney(run, order), run.vocabulary.id(EOS))


def network(run: Run, epoch: int | None = None, device: str = "cpu") -> NetworkPredictor:
    """Return the network of a run."""
    from nlpviz.language.networks import NetworkPredictor
    from nlpviz.networks.language_networks import LanguageNetwork

    module = run.load(epoch).module.to(device)
    return NetworkPredictor(cast("LanguageNetwork", module), run.vocabulary.id(EOS))
