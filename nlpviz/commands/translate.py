"""``translate RUN --text …``."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, UsageError, add_run, add_texts, print_answers, texts_of
from nlpviz.commands.as_json import as_json, tokens_as_json
from nlpviz.commands.translators import translator_run

if TYPE_CHECKING:
    from nlpviz.results.alignment import Hypothesis, Translation


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    add_texts(parser)
    parser.add_argument("--epoch", type=int, help="epoch of the checkpoint (default: the best epoch)")
    parser.add_argument("--beam", type=int, help="beam width; 1 is greedy search (default: set by the run)")
    parser.add_argument("--penalty", type=float, help="length penalty; 0 for none (default: set by the run)")
    parser.add_argument("--prefix", default="", help="prefix that the translation must begin with")
    parser.add_argument("--attention", action="store_true", help="show which source words each word attends to")


def _run(options: argparse.Namespace) -> None:
    run, texts = translator_run(options.run), texts_of(options)
    run.check_epoch(run.best_epoch if options.epoch is None else options.epoch)  # before torch is loaded
    from nlpviz.analysis.inspection.translation import TranslationOptions, translate, translate_all
    from nlpviz.results.alignment import TranslationError
    from nlpviz.runs.translators import load_translator

    trained = load_translator(run, options.epoch)
    how = TranslationOptions(options.beam, options.penalty, options.prefix, alternatives=False)
    try:
        if not (options.json or options.attention):
            print("\n".join(translate_all(trained, texts, how)))
            return
        results = [translate(trained, text, how) for text in texts]
    except TranslationError as error:
        raise UsageError(str(error)) from None
    print_answers(options, results, partial(_facts, attention=options.attention), _in_words)


def _facts(result: Translation, *, attention: bool) -> dict[str, Any]:
    """Return a translation as JSON holds it; what each word looked at where that was asked for."""
    from nlpviz.text.parallel import without_joiners

    words = [without_joiners(token.word) for token in result.encoded.tokens]
    return {
        **as_json(result, "run", "epoch"),
        "from": result.source_language,
        "to": result.target_language,
        "text": result.encoded.text,
        "translation": result.text,
        "beam": result.width,
        "penalty": result.penalty,
        "source": tokens_as_json(result.encoded, word=words),
        "hypotheses": [
            _hypothesis_facts(one) | (_attention_facts(one, result.window) if attention else {})
            for one in result.hypotheses
        ],
    }


def _hypothesis_facts(one: Hypothesis) -> dict[str, Any]:
    """Return a hypothesis word by word; ``copy_of`` counts source tokens from 0."""
    return {
        **as_json(one, "text", "score"),
        "log_probability": one.total,
        "ended": one.ended,
        "words": [
            {"word": word, "log_probability": log_probability, "copy_of": copied}
            for word, log_probability, copied in zip(one.shown, one.log_probabilities, one.copied, strict=True)
        ],
    }


def _attention_facts(one: Hypothesis, window: int | None) -> dict[str, Any]:
    """Return the alignment, a row for each word; null without attention. p_t counts source tokens from 0."""
    return {"alignment": one.alignment} | ({} if one.centres is None else {"centres": one.centres, "window": window})


def _in_words(result: Translation) -> list[str]:
    """Return a translation and, for each of its words, the source words that it looked at most."""
    lines = [result.text]
    for one in result.hypotheses[:1]:
        for step, word in enumerate(one.shown):
            looked = "" if one.alignment is None else _looked(one.alignment[step].tolist(), result.source_words)
            copied = "" if one.copied[step] is None else "  (unknown: copied from the source)"
            lines.append(f"  {word:<16} {one.log_probabilities[step]:7.3f}  {looked}{copied}".rstrip())
    return lines


def _looked(weights: list[float], words: tuple[str, ...]) -> str:
    """Return the three source words with the largest weights."""
    best = sorted(range(len(weights)), key=lambda position: -weights[position])[:3]
    return ", ".join(f"{words[position]} {weights[position]:.2f}" for position in best if weights[position] >= 0.005)


COMMAND = Command(
    "translate", "translate a text and show which source words each word attends to", _add_arguments, _run
)
