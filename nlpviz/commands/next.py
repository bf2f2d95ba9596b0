"""``next RUN --text …``: what a language model expects after a text, or at one of its places."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, add_run, add_texts, positive, print_answers, texts_of
from nlpviz.commands.as_json import as_json
from nlpviz.commands.language import add_epoch, language_model
from nlpviz.text.tokenizers import shown
from nlpviz.text.vocabulary import shortened

if TYPE_CHECKING:
    from nlpviz.language.surprisal import Asked
    from nlpviz.results.next_word import NextWord


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    add_texts(parser)
    add_epoch(parser)
    parser.add_argument(
        "--place",
        type=positive,
        help="position of the word to predict, counted from 1 (default: after the end of the text)",
    )
    parser.add_argument("--top", type=positive, default=10, help="number of most likely words listed (default: 10)")


def _run(options: argparse.Namespace) -> None:
    asked, texts = language_model("next", options), texts_of(options)
    from nlpviz.language.surprisal import next_word

    place = None if options.place is None else options.place - 1
    results = [next_word(asked, text, place, options.top) for text in texts]
    print_answers(options, results, _facts, partial(_in_words, asked), apart=True)


def _facts(result: NextWord) -> dict[str, Any]:
    """Return a distribution as JSON holds it; places are counted from 1."""
    pairs = zip(result.words, result.probabilities, strict=True)
    return {
        **as_json(result, "run", "epoch"),
        "place": result.place + 1,
        "entropy": result.entropy,
        "words": [{"word": word, "probability": probability} for word, probability in pairs],
        **as_json(result, "rank", "probability"),
    }


def _in_words(asked: Asked, result: NextWord) -> list[str]:
    pairs = zip(result.words, result.probabilities.tolist(), strict=True)
    lines = [f"{shortened(shown(word), 20):<20} {probability:7.2%}" for word, probability in pairs]
    if result.came is not None:
        word = shown(asked.vocabulary.words[result.came])
        ranked = "has no probability" if result.rank is None else f"{result.probability:.2%}, rank {result.rank:,}"
        lines.append(f"{word} (actual next word): {ranked}")
    if result.place > (most := asked.run.max_length):
        lines.append(f"only the last {most:,} of the {result.place:,} preceding tokens were read")
    return [*lines, f"entropy {result.entropy:.2f} nats"]


COMMAND = Command("next", "show which words a language model predicts next", _add_arguments, _run)
