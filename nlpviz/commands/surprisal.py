"""``surprisal RUN --text …``: how surprised a language model was by each word or character."""

from __future__ import annotations

import argparse
from math import isnan
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, add_run, add_texts, print_answers, texts_of
from nlpviz.commands.as_json import as_json
from nlpviz.commands.language import add_epoch, language_model
from nlpviz.text.tokenizers import shown
from nlpviz.text.vocabulary import shortened

if TYPE_CHECKING:
    from nlpviz.results.surprisal import Surprisal

_NATS_A_MARK = 0.5
_MARKS = 30


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    add_texts(parser)
    add_epoch(parser)


def _run(options: argparse.Namespace) -> None:
    asked, texts = language_model("surprisal", options), texts_of(options)
    from nlpviz.language.surprisal import surprisal

    results = [surprisal(asked, text) for text in texts]
    print_answers(options, results, _facts, _in_words, apart=True)


def _facts(result: Surprisal) -> dict[str, Any]:
    """Return a text's surprisal as JSON holds it; null where a token has no probability."""
    tokens = zip(result.encoded.read, result.encoded.seen, result.nats, strict=False)
    return {
        **as_json(result, "run", "epoch"),
        "text": result.encoded.text,
        **as_json(result, "unit", "mean", "perplexity"),
        "tokens": [
            {"token": token.word, "start": token.start, "end": token.end, "seen": seen, "nats": nats}
            for token, seen, nats in tokens
        ],
    }


def _in_words(result: Surprisal) -> list[str]:
    """Return each token with its surprisal, as a number and as a bar, and the perplexity of the text."""
    lines = []
    for token, nats in zip(result.encoded.read, result.nats.tolist(), strict=True):
        told = "not scored" if isnan(nats) else f"{nats:6.2f}  {_bar(nats)}"
        lines.append(f"{shortened(shown(token.word), 20):<20} {told}".rstrip())
    if not lines:
        return [f"The text has no {result.unit}s."]
    count = len(result.nats)
    unread = len(result.encoded.tokens) - count
    cut = f"; {unread:,} more {'was' if unread == 1 else 'were'} not read" if unread else ""
    left_out = f"; {result.unpredicted:,} excluded because they have no probability" if result.unpredicted else ""
    reached = (
        f"no {result.unit} of the text has a probability"
        if isnan(result.mean)
        else f"perplexity {result.perplexity:.2f}, {result.mean:.3f} nats per {result.unit}, "
        f"{count:,} {result.unit}{'s' * (count != 1)}{left_out}"
    )
    return [*lines, reached + cut]


def _bar(nats: float) -> str:
    return "#" * min(round(nats / _NATS_A_MARK), _MARKS)


COMMAND = Command("surprisal", "show a language model’s surprisal at each word or character", _add_arguments, _run)
