"""Language models: networks and counts, judged by the mean loss of the tokens of a test text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpviz.results.history import LanguageEpoch
from nlpviz.run_kinds import (
    EPOCH,
    TEXTS,
    Answer,
    Column,
    Criterion,
    Curve,
    Evaluation,
    Headline,
    Kind,
    Measure,
    Request,
    UsageError,
    chosen_epoch,
    nothing,
    parameters,
)
from nlpviz.run_kinds.contract import Contract
from nlpviz.run_kinds.language_survey import SURVEYED, SURVEYS, finish, survey
from nlpviz.runs import Run
from nlpviz.runs.language import KIND as NAME
from nlpviz.runs.language import NGRAMS, counts_ngrams, predicted_count
from nlpviz.runs.run import HISTORY, VOCABULARY
from nlpviz.runs.weights import all_weights

if TYPE_CHECKING:
    from nlpviz.networks.language_networks import LanguageNetwork

NOISE = 0.01
"""Nats per token that a run may lose before it counts as worse, one per cent in perplexity: a guess, since no recipe
was trained from two seeds yet."""
LOSS = Headline(
    "Nats per token", "test", "loss", ".3f", on="test tokens", unit="nats ", more_is_better=False, drawn="loss"
)


def _evaluate(run: Run, request: Request) -> Evaluation:
    """Return the loss and the perplexity on the test text with all variants, or on the user's text file."""
    epoch, own = request.options.get("epoch"), request.options.get("texts")
    if counts_ngrams(run) and epoch is not None:
        raise UsageError(f"{run.name} is an n-gram model, so it has no epochs.")
    if not counts_ngrams(run):
        epoch = run.check_epoch(run.best_epoch if epoch is None else epoch)
    from nlpviz.training.language_measures import read_text, texts_of, variant_loss

    text = _own(run, own) if own is not None else texts_of(run, ("test",))["test"]
    reading = read_text(run, text, epoch, request.device)
    if not np.isfinite(reading.own).any():
        raise UsageError(f"No {run.tokenizer.unit} of the text has a probability under {run.name}.")
    found = reading.facts
    lines = [_line(run, epoch, found)]
    facts: dict[str, Any] = {"run": run.name, "epoch": epoch, **found}
    if own is None and epoch == (None if counts_ngrams(run) else run.best_epoch):
        facts["variants"] = {}
        for name, known in run.metrics.items():
            if name not in ("validation", "test"):
                loss = variant_loss(reading, name, known)
                facts["variants"][name] = {"loss": loss, "perplexity": float(np.exp(loss))}
                lines.append(f"{name}: perplexity {np.exp(loss):.2f}, {loss:.4f} nats per {run.tokenizer.unit}")
    lines.append(
        "Perplexity: exp of the mean -log p per token, over one continuous stream with line ends as <eos>, and the "
        f"full vocabulary of {predicted_count(run):,}."
    )
    return Evaluation(facts, lines)


def _own(run: Run, path: Path) -> tuple[Any, int]:
    """Return a person's text as ids, and its number of characters."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read as text: {error}.") from None
    ids = run.vocabulary.ids(token.word for token in run.tokenizer.tokens(text))
    if not len(ids):
        raise UsageError(f"{path} has no {run.tokenizer.unit}s.")
    return ids, len(text)


def _line(run: Run, epoch: int | None, found: Mapping[str, float]) -> str:
    named = run.name if epoch is None else f"{run.name}, epoch {epoch}"
    return (
        f"{named}: perplexity {found['perplexity']:.2f}, {found['loss']:.4f} nats per {run.tokenizer.unit}, "
        f"{found['bits_per_character']:.4f} bits per character, {found['tokens']:,} {run.tokenizer.unit}s"
        + (f"; {found['unpredicted']:,} excluded because they have no probability" if "unpredicted" in found else "")
    )


def _files(run: Run) -> frozenset[str]:
    """Return the files of a run: the words, the n-grams or the weights of the kept epochs, and what is surveyed."""
    own = {NGRAMS} if counts_ngrams(run) else {HISTORY, *all_weights(run.epochs, run.files)}
    return frozenset({VOCABULARY, *own, *(SURVEYED & run.files.keys())})


def _learnt(run: Run, history: Sequence[LanguageEpoch]) -> tuple[Answer, ...]:
    test = run.metrics["test"]
    measured = {"test": test["perplexity"], "tokens": test["tokens"], "unit": run.tokenizer.unit}
    if not history:
        sentence = (
            "An n-gram model has no epochs. Perplexity on {tokens:,.0f} test {unit}s, measured once: **{test:.1f}**."
        )
        return (Answer(sentence, measured),)
    chosen = next(record for record in history if record.epoch == run.best_epoch)
    sentence = (
        "Best epoch (validation): {epoch}, with a perplexity of {validation:.1f} on the validation text and "
        "**{test:.1f}** on {tokens:,.0f} test {unit}s, measured once."
    )
    chosen_at = {"epoch": run.best_epoch, "validation": float(np.exp(chosen.validation_loss))}
    return (Answer(sentence, measured | chosen_at),)


def _reading(run: Run) -> str:
    unit = run.tokenizer.unit
    return f"""
**Loss** is the mean of −log p per {unit} in nats, given all preceding {unit}s of the text. **Perplexity** is its
exponential. Both are computed over the whole vocabulary, with the moving average of the weights. The curves cover the
whole validation text and the beginning of the training text. The horizontal line is the loss on the test text.
"""


def _perplexity(run: Run) -> str:
    return f"{run.metrics['test']['perplexity']:.1f}"


def _bits(run: Run) -> str:
    return f"{run.metrics['test']['bits_per_character']:.3f}"


def _worth(run: Run) -> tuple[float, ...]:
    """Return first whether it is compared with others, then how well it predicts a character."""
    return bool(run.recipe["beside"]), -run.metrics["test"]["nats_per_character"]


def _contract() -> Contract:
    from nlpviz.networks.language_networks import LanguageNetwork

    def answer(module: LanguageNetwork, ids: Any) -> Any:  # noqa: ANN401
        return module(ids)[..., module.predicted.start :]

    return Contract(LanguageNetwork, answer, of_words=True)


KIND = Kind(
    name=NAME,
    says="is a language model",
    table="Language models",
    headline=LOSS,
    criterion=Criterion("validation", "loss", NOISE, more_is_better=False),
    evaluate=_evaluate,
    columns=(
        Column(LOSS.name, LOSS.written),
        Column("Perplexity", _perplexity),
        Column("Bits per character", _bits),
        Column("Best epoch (validation)", chosen_epoch),
        Column("Parameters", parameters),
    ),
    record=LanguageEpoch,
    measures=(
        Measure("loss", "loss (nats)", (Curve("train_loss", "train"), Curve("validation_loss", "validation")), ".3f"),
    ),
    files=_files,
    learnt=_learnt,
    reading=_reading,
    options=(EPOCH, TEXTS),
    commands=("surprisal", "next", "sample", "gates", "memory", "states", "units"),
    survey=survey,
    surveys=SURVEYS,
    finish=finish,
    essentials=nothing,
    pages=("Language models", "Recurrent networks"),
    contract=_contract,
    group=lambda run: (run.corpus["name"],),
    worth=_worth,
    order=40,
)
