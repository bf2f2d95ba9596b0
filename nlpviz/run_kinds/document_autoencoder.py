"""Document autoencoders: what a bag of words becomes as a code, judged by how well words come back of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpviz.results.history import CodesEpoch
from nlpviz.results.projection import Projection
from nlpviz.run_kinds import (
    EPOCH,
    Answer,
    Column,
    Criterion,
    Curve,
    Evaluation,
    Headline,
    Kind,
    Measure,
    Request,
    Say,
    chosen_epoch,
    parameters,
)
from nlpviz.run_kinds.contract import Contract
from nlpviz.run_kinds.recipes import measured_again
from nlpviz.runs import Run
from nlpviz.runs.codes import KIND as NAME
from nlpviz.runs.codes import is_variational
from nlpviz.runs.derived import DERIVED
from nlpviz.runs.documents import DOCUMENTS, MAPS
from nlpviz.runs.run import HISTORY, VOCABULARY
from nlpviz.runs.weights import all_weights

if TYPE_CHECKING:
    from nlpviz.networks.autoencoders import Autoencoder

NOISE = 0.01
"""Nats a word that a run may lose before it counts as worse, one per cent in perplexity: a guess."""
BOUND = Headline("Perplexity bound", "test", "perplexity", ".1f", on="test documents", more_is_better=False)
RECONSTRUCTION = Headline(
    "Reconstruction (nats per word)", "test", "reconstruction", ".3f", on="test documents", unit="nats per word: ",
    more_is_better=False,
)  # fmt: skip


def _evaluate(run: Run, request: Request) -> Evaluation:
    """Return the bound, what it is made of, and what the codes say of the documents, measured again."""
    epoch = request.epoch_of(run)
    found = measured_again(run, epoch, request)
    return Evaluation({"run": run.name, "epoch": epoch, **found}, lines(f"{run.name}, epoch {epoch}", found))


def lines(named: str, found: Mapping[str, float]) -> list[str]:
    """Return in lines what was measured of the run that is ``named``."""
    said = [f"{named}: {found['documents']:,.0f} test documents with {found['words']:,.0f} in-vocabulary words."]
    if "bound" in found:
        said.append(
            f"perplexity bound {found['perplexity']:.2f} (averaged per document first: "
            f"{found['perplexity by document']:.2f}); {found['bound']:.4f} nats per word"
        )
    said.append(f"reconstruction {found['reconstruction']:.4f} nats per word")
    if "divergence" in found:
        said.append(f"KL {found['divergence']:.3f} nats per document")
    if "information" in found:
        said.append(f"mutual information of document and code: about {found['information']:.3f} nats")
    if "active" in found:
        said.append(f"{found['active']:.0f} active units: variance over documents above 0.01")
    said.append(
        f"completion: perplexity {found['completion']:.2f} of one half of each document’s words given the other half"
    )
    if "bound" in found:
        said.append("Perplexity bound: exp of the mean of -ELBO per word, over all words of all documents.")
    else:
        said.append("No perplexity bound: the code is not a distribution, so it has no KL divergence.")
    return said


def _files(run: Run) -> frozenset[str]:
    """Return the files of a run: words, weights of the kept epochs, codes of test documents and their maps."""
    return frozenset(
        {VOCABULARY, HISTORY, DOCUMENTS, MAPS, *all_weights(run.epochs, run.files)} | (DERIVED & run.files.keys())
    )


def _maps(run: Run, seed: int, say: Say) -> Sequence[Projection]:
    """Compute the maps of a run's codes and of the bags, write them into its folder and return them."""
    from nlpviz.analysis.projections.codes import code_maps
    from nlpviz.analysis.projections.maps import write_maps
    from nlpviz.training.bags import kept_bags

    maps = code_maps(run, kept_bags(run), seed, say)
    write_maps(run, maps)
    return maps


def _finish(run: Run, say: Say) -> Run:
    _maps(run, 0, say)
    return Run.open(run.folder)


def _learnt(run: Run, history: Sequence[CodesEpoch]) -> tuple[Answer, ...]:
    """Say what the codes reach on the test documents, and how many of their units say anything."""
    test, units = run.metrics["test"], run.config["latent"]
    pieces = {**test, "epoch": run.best_epoch, "units": units}
    if not is_variational(run):
        return (
            Answer(
                "Best epoch (validation): {epoch}, with **{reconstruction:.3f}** nats per word for the reconstruction "
                "of {documents:,.0f} test documents, measured once. {active:.0f} of {units} units are active.",
                pieces,
            ),
        )
    largest = max(history, key=lambda record: record.divergence)
    return (
        Answer(
            "Best epoch (validation): {epoch}, with a perplexity bound of **{perplexity:.1f}** on {documents:,.0f} "
            "test documents, measured once. Reconstruction: {reconstruction:.3f} nats per word; KL divergence: "
            "{divergence:.2f} nats per document.",
            pieces,
        ),
        Answer(
            "{active:.0f} of {units} units are active; a code carries about {information:.2f} nats of information. "
            "The KL divergence was largest after epoch {largest}: {nats:.2f} nats per document.",
            {**pieces, "largest": largest.epoch, "nats": largest.divergence},
        ),
    )


def _reading(run: Run) -> str:
    return f"""
**Reconstruction** is the mean of −log p per word in nats, over the validation documents and over the same number of
training documents. For a variational autoencoder, p is conditioned on codes drawn from the posterior. **KL** is the
cost of a document’s code, KL(q(z | x) ‖ p(z)) in nats, summed over its {run.config["latent"]} units; **bound** is
reconstruction plus KL, in nats per word, and its exponential is the perplexity bound. A unit is **active** if the
variance of its mean over the documents is above 0.01 (Burda et al. 2016). A plain autoencoder has neither KL nor bound.
"""


def of_test(measure: str, form: str) -> Any:  # noqa: ANN401
    """Return what writes a measure of the test split as a table holds it."""
    return lambda run: format(run.metrics["test"][measure], form)


def active(run: Run) -> str:
    """Return how many units are active, as a table holds it."""
    return f"{run.metrics['test']['active']:.0f} of {run.config['latent']}"


def _worth(run: Run) -> tuple[float, ...]:
    """Return first whether there is a bound, then whether it stands by itself, how many classes, how low the bound."""
    alone = is_variational(run) and not run.recipe["remedy"]
    return is_variational(run), alone, len(run.class_names), -run.metrics["test"].get("perplexity", np.inf)


def _contract() -> Contract:
    from nlpviz.networks.architectures.variational_autoencoder import VariationalAutoencoder
    from nlpviz.networks.autoencoders import Autoencoder

    def answer(module: Autoencoder, ids: Any) -> Any:  # noqa: ANN401
        import torch

        bags = module.bags(ids)
        answers = [module.decode(module.encode(bags))]
        if isinstance(module, VariationalAutoencoder):
            answers.append(module.posterior(bags).log_variance)
        return torch.cat(answers, dim=1)

    return Contract(Autoencoder, answer)


KIND = Kind(
    name=NAME,
    says="is a document autoencoder",
    table="Document autoencoders",
    headline=RECONSTRUCTION,
    criterion=Criterion("validation", "reconstruction", NOISE, more_is_better=False),
    evaluate=_evaluate,
    columns=(
        Column(RECONSTRUCTION.name, RECONSTRUCTION.written),
        Column("Active units", active),
        Column("Completion", of_test("completion", ".1f")),
        Column("Best epoch (validation)", chosen_epoch),
        Column("Parameters", parameters),
    ),
    record=CodesEpoch,
    measures=(
        Measure(
            "reconstruction",
            "reconstruction (nats per word)",
            (Curve("train_reconstruction", "train"), Curve("reconstruction", "validation")),
            ".3f",
        ),
        Measure("KL divergence", "KL (nats per document)", (Curve("divergence", "validation"),), ".2f"),
        Measure("active units", "active units", (Curve("active", "validation"),), ".0f", from_zero=True),
    ),
    files=_files,
    learnt=_learnt,
    reading=_reading,
    options=(EPOCH,),
    finish=_finish,
    maps=_maps,
    commands=("codes", "project"),
    refusals={"survey": "cannot be surveyed, because it is a document autoencoder"},
    pages=("Autoencoders",),
    contract=_contract,
    group=lambda run: (run.corpus["name"],),
    worth=_worth,
    order=51,
)
