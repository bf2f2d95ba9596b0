"""``attend RUN --text …`` and ``attend RUN --corpus``: what a network attends to, and whether that matters."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpviz.commands import Command, UsageError, add_run, add_texts, print_answers, print_json, run_for, texts_of
from nlpviz.commands.as_json import as_json, tokens_as_json
from nlpviz.runs import Run
from nlpviz.text.vocabulary import shortened

if TYPE_CHECKING:
    from nlpviz.results.attention import TextAttention
    from nlpviz.results.attention_effect import AttentionEffect, AttentionSurvey

SHOWN = 8  # words, in words
_LETTERS = 70  # of a sentence, in words


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    sources = add_texts(parser)
    sources.add_argument(
        "--corpus",
        action="store_true",
        help="show how replacing the attention weights changes predictions on the test documents",
    )
    parser.add_argument("--epoch", type=int, help="epoch of the checkpoint (default: the best epoch)")
    parser.add_argument(
        "--heads", action="store_true", help="with --json: include the attention matrix of every layer and head"
    )
    parser.add_argument(
        "--effect",
        action="store_true",
        help="show how replacing the attention weights changes the prediction (needs T forward passes for T words)",
    )


def _run(options: argparse.Namespace) -> None:
    run = run_for("attend", options.run)
    from nlpviz.networks.architectures import SelfAttention, attends, untrained_instance

    if not attends(run.architecture, run.config):
        raise UsageError(f"The run {run.name!r} has no attention weights. Choose a network with attention.")
    if options.corpus:
        _survey(run, options)
        return
    if options.heads and not options.json:
        raise UsageError("--heads needs --json.")
    if options.heads and not isinstance(untrained_instance(run.architecture, run.config), SelfAttention):
        raise UsageError(f"The run {run.name!r} has no attention heads: --heads needs a network with self-attention.")
    texts = texts_of(options)
    from nlpviz.analysis.attribution import explain
    from nlpviz.analysis.inspection.attention import attend
    from nlpviz.analysis.inspection.attention_effect import attention_effect

    trained = run.load(options.epoch)
    results = (
        (
            attend(trained, text),
            attention_effect(trained, explain(trained, text, "saliency")) if options.effect else None,
        )
        for text in texts
    )  # matrices of all heads: one text at a time
    print_answers(options, results, lambda found: _facts(*found, heads=options.heads), lambda found: _in_words(*found))


def _facts(result: TextAttention, effect: AttentionEffect | None, *, heads: bool) -> dict[str, Any]:
    """Return a text's attention as JSON holds it: one record for each token and sentence, with its span in the text."""
    within = {} if result.within is None else {"within": result.within}
    facts = {
        **as_json(result, "run", "epoch"),
        "text": result.text.text,
        "probabilities": dict(zip(result.class_names, result.probabilities, strict=True)),
        "tokens": tokens_as_json(result.text, weight=result.words, **within),
    }
    if result.within is not None:
        facts["sentences"] = [
            {"start": part.start, "end": part.end, "tokens": [part.first, part.last], "weight": part.weight}
            for part in result.sentences
        ]
    if heads and result.heads is not None:
        facts["heads"] = np.round(result.heads.astype(np.float64), 6)
    return facts | ({"effect": _effect_facts(effect)} if effect else {})


def _effect_facts(effect: AttentionEffect) -> dict[str, Any]:
    """Return what other weights make of the prediction as JSON holds it."""
    return {
        "predicted": effect.class_names[effect.predicted],
        "probability": {one.name: effect.probability(one) for one in effect.answers},
        "change": {one.name: effect.change(one).mean() for one in effect.answers},
        **as_json(effect, "saliency", "leave_one_out"),
        "kendall_tau": effect.agreement._asdict(),
    }


def _in_words(result: TextAttention, effect: AttentionEffect | None) -> list[str]:
    """Return what a person wants to read of a text's attention."""
    tokens = result.text.read
    strongest = ", ".join(
        f"{json.dumps(tokens[position].word, ensure_ascii=False)} {result.words[position]:.1%}"
        for position in result.strongest(SHOWN)
    )
    lines = [
        f"{result.class_names[result.predicted]} {result.probabilities[result.predicted]:.1%} (epoch {result.epoch}); "
        f"highest weights: {strongest or 'none (no words read)'}"
    ]
    for part in result.sentences:
        typed = " ".join(result.text.text[part.start : part.end].split())
        lines.append(f"  {part.weight:6.1%}  {shortened(typed, _LETTERS)}")
    return lines + (_effect_in_words(effect) if effect else [])


def _effect_in_words(effect: AttentionEffect) -> list[str]:
    said = ", ".join(f"{one.name} {effect.probability(one).mean():.1%}" for one in effect.answers)
    taus = ", ".join(
        f"{name.replace('_', ' ')} {'none' if tau is None else f'{tau:+.2f}'}"
        for name, tau in effect.agreement._asdict().items()
    )
    return [
        f"  {effect.class_names[effect.predicted]} with other weights: {said or 'none'}",
        f"  Kendall’s tau with the weights: {taus}",
    ]


def _survey(run: Run, options: argparse.Namespace) -> None:
    """Print what replacing the weights does to the predictions of test documents."""
    from nlpviz.runs.attention_effects import attention_survey

    if options.effect or options.heads:
        raise UsageError("--effect and --heads need a text. Omit --corpus.")
    result = attention_survey(run, run.best_epoch if options.epoch is None else options.epoch)
    rows = _survey_rows(result)
    ranked = result.with_all_rankings()  # medians of other documents could not be compared
    taus = {name: _median(ranked.correlations(name)) for name in ("saliency", "leave_one_out", "others")}
    if options.json:
        print_json(
            {
                "run": run.name,
                "epoch": result.epoch,
                "documents": len(result.ids),
                "interventions": rows,
                "kendall_tau": taus,
            }
        )
        return
    print(f"{run.name} (epoch {result.epoch}), {len(result.ids):,} test documents")
    for row in rows:
        print(
            f"  {row['weights']:10}  prediction changes for {row['flipped']:6.1%}  median change "
            f"{row['median_change']:.3f}  "
            f"({row['documents']:,} documents)"
        )
    print(
        "  median Kendall’s tau: "
        + ", ".join(f"{name.replace('_', ' ')} {tau:+.2f}" for name, tau in taus.items() if tau is not None)
    )


def _survey_rows(result: AttentionSurvey) -> list[dict[str, Any]]:
    """Return a record for each intervention that some document could have."""
    return [
        {
            "weights": one.name,
            "documents": len(changes),
            "flipped": result.share_flipped(one),
            "mean_change": float(changes.mean()),
            "median_change": float(np.median(changes)),
        }
        for one in result.interventions
        if len(changes := result.changes(one))
    ]


def _median(values: np.typing.NDArray[np.float32]) -> float | None:
    return float(np.median(values)) if len(values) else None


COMMAND = Command(
    "attend",
    "show which words a network attends to and how replacing the attention weights changes the prediction",
    _add_arguments,
    _run,
)
