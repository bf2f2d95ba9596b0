"""``attend RUN --text …`` and ``attend RUN --corpus``: what a network attends to, and whether that matters."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpviz.commands import Command, UsageError, add_run, add_texts, one_or_all, print_json, texts_of
from nlpviz.runs import Run, open_run
from nlpviz.runs.translators import KIND as TRANSLATOR
from nlpviz.text.vocabulary import shortened

if TYPE_CHECKING:
    from nlpviz.results.attention import TextAttention
    from nlpviz.results.attention_effect import AttentionEffect, AttentionSurvey

SHOWN = 8  # words, in words
_LETTERS = 70  # of a sentence, in words


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    sources = add_texts(parser)
    sources.add_argument("--corpus", action="store_true", help="what replacing the weights does to test documents")
    parser.add_argument("--epoch", type=int, help="default: the best epoch")
    parser.add_argument("--heads", action="store_true", help="in JSON: the matrix of every layer and head")
    parser.add_argument(
        "--effect",
        action="store_true",
        help="what other weights make of the prediction; reads a text of T words T times",
    )


def _run(asked: argparse.Namespace) -> None:
    run = open_run(asked.run)
    from nlpviz.models import SelfAttention, attends, specimen

    if run.kind == TRANSLATOR:
        raise UsageError(f"The run {run.name!r} translates: `translate --attention` says what it attends to.")
    if not attends(run.architecture):
        raise UsageError(f"The run {run.name!r} has no attention: its network weighs no words.")
    if asked.corpus:
        _survey(run, asked)
        return
    if asked.heads and not asked.json:
        raise UsageError("The matrices of all heads are numbers for a program: --heads goes with --json.")
    if asked.heads and not isinstance(specimen(run.architecture), SelfAttention):
        raise UsageError(f"The run {run.name!r} has no heads: its words do not attend to each other.")
    texts = texts_of(asked)
    from nlpviz.attribution import explain
    from nlpviz.reading.attention import attend
    from nlpviz.reading.attention_effect import attention_effect

    trained = run.load(asked.epoch)
    results = (
        (
            attend(trained, text),
            attention_effect(trained, explain(trained, text, "saliency")) if asked.effect else None,
        )
        for text in texts
    )  # matrices of all heads: one text at a time
    if asked.json:
        print_json(one_or_all(asked, [_facts(found, effect, heads=asked.heads) for found, effect in results]))
        return
    for found, effect in results:
        print("\n".join([*_in_words(found), *(_effect_in_words(effect) if effect else [])]))


def _facts(found: TextAttention, effect: AttentionEffect | None, *, heads: bool) -> dict[str, Any]:
    """Return a text's attention as JSON holds it: one record for each token and sentence, with its span in the text."""
    seen, read = found.text.seen, len(found.words)
    facts: dict[str, Any] = {
        "run": found.run,
        "epoch": found.epoch,
        "text": found.text.text,
        "probabilities": dict(zip(found.class_names, map(float, found.probabilities), strict=True)),
        "tokens": [
            {
                "word": token.word,
                "start": token.start,
                "end": token.end,
                "seen": str(seen[place]),
                "weight": float(found.words[place]) if place < read else None,
                **({} if found.within is None else {"within": float(found.within[place]) if place < read else None}),
            }
            for place, token in enumerate(found.text.tokens)
        ],
    }
    if found.within is not None:
        facts["sentences"] = [
            {"start": part.start, "end": part.end, "tokens": [part.first, part.last], "weight": float(part.weight)}
            for part in found.sentences
        ]
    if heads and found.heads is not None:
        facts["heads"] = np.round(found.heads.astype(np.float64), 6).tolist()
    if effect:
        facts["effect"] = _effect_facts(effect)
    return facts


def _effect_facts(effect: AttentionEffect) -> dict[str, Any]:
    """Return what other weights make of the prediction as JSON holds it."""
    return {
        "predicted": effect.class_names[effect.predicted],
        "probability": {one.name: effect.probability(one).tolist() for one in effect.answers},
        "change": {one.name: float(effect.change(one).mean()) for one in effect.answers},
        "saliency": effect.saliency.tolist(),
        "leave_one_out": effect.leave_one_out.tolist(),
        "kendall_tau": effect.agreement._asdict(),
    }


def _in_words(found: TextAttention) -> list[str]:
    """Return what a person wants to read of a text's attention."""
    tokens = found.text.read
    strongest = ", ".join(
        f"{json.dumps(tokens[place].word, ensure_ascii=False)} {found.words[place]:.1%}"
        for place in found.strongest(SHOWN)
    )
    lines = [
        f"{found.class_names[found.predicted]} {found.probabilities[found.predicted]:.1%} (epoch {found.epoch}); "
        f"most weight: {strongest or 'no word was read'}"
    ]
    for part in found.sentences:
        typed = " ".join(found.text.text[part.start : part.end].split())
        lines.append(f"  {part.weight:6.1%}  {shortened(typed, _LETTERS)}")
    return lines


def _effect_in_words(effect: AttentionEffect) -> list[str]:
    said = ", ".join(f"{one.name} {effect.probability(one).mean():.1%}" for one in effect.answers)
    taus = ", ".join(
        f"{name.replace('_', ' ')} {'none' if tau is None else f'{tau:+.2f}'}"
        for name, tau in effect.agreement._asdict().items()
    )
    return [
        f"  {effect.class_names[effect.predicted]} with other weights: {said or 'none'}",
        f"  Kendall's tau: {taus}",
    ]


def _survey(run: Run, asked: argparse.Namespace) -> None:
    """Print what replacing the weights does to the predictions of test documents."""
    from nlpviz.runs.attention_effects import attention_survey

    if asked.effect or asked.heads:
        raise UsageError("--effect and --heads are for a text; --corpus says what is known of the test documents.")
    found = attention_survey(run, run.best_epoch if asked.epoch is None else asked.epoch)
    rows = _survey_rows(found)
    taus = {name: _median(found.correlations(name)) for name in ("saliency", "leave_one_out", "others")}
    if asked.json:
        print_json(
            {
                "run": run.name,
                "epoch": found.epoch,
                "documents": len(found.ids),
                "interventions": rows,
                "kendall_tau": taus,
            }
        )
        return
    print(f"{run.name} (epoch {found.epoch}), {len(found.ids):,} test documents")
    for row in rows:
        print(
            f"  {row['weights']:10}  another class of {row['flipped']:6.1%}  median change {row['median_change']:.3f}  "
            f"({row['documents']:,} documents)"
        )
    print(
        "  Kendall's tau, median: "
        + ", ".join(f"{name.replace('_', ' ')} {tau:+.2f}" for name, tau in taus.items() if tau is not None)
    )


def _survey_rows(found: AttentionSurvey) -> list[dict[str, Any]]:
    """Return a record for each intervention that some document could have."""
    return [
        {
            "weights": one.name,
            "documents": len(changes),
            "flipped": found.share_flipped(one),
            "mean_change": float(changes.mean()),
            "median_change": float(np.median(changes)),
        }
        for one in found.interventions
        if len(changes := found.changes(one))
    ]


def _median(values: np.typing.NDArray[np.float32]) -> float | None:
    return float(np.median(values)) if len(values) else None


COMMAND = Command("attend", "say what a network attends to, and what other weights would do", _add_arguments, _run)
