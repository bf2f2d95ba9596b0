"""``codes RUN --text …``, with ``--to TEXT`` a walk between two texts, with ``--units`` what each unit stands for."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, UsageError, add_run, add_texts, print_answers, print_json, run_for, texts_of
from nlpviz.commands.as_json import as_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nlpviz.results.codes import CodeWalk, TextCode, UnitTopic, WordShare

_SHOWN = 8  # words, in words


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    sources = add_texts(parser)
    sources.add_argument("--units", action="store_true", help="list the words most affected by each unit of the code")
    parser.add_argument("--to", metavar="TEXT", help="interpolate from the code of --text to the code of this text")
    parser.add_argument(
        "--steps",
        type=int,
        default=9,
        help="number of points along the interpolation, including both ends (default: 9)",
    )
    parser.add_argument("--epoch", type=int, help="epoch of the checkpoint (default: the best epoch)")


def _run(options: argparse.Namespace) -> None:
    run = run_for("codes", options.run)
    if options.to is not None and options.text is None:
        raise UsageError("--to needs --text, because an interpolation needs two ends.")
    if options.steps < 2:
        raise UsageError("--steps must be at least 2.")
    texts = [] if options.units else texts_of(options)
    from nlpviz.analysis.inspection import codes
    from nlpviz.runs.codes import divergences_of

    model = run.load(options.epoch)
    if options.units:
        _print_units(codes.unit_topics(model, divergences_of(run, model.epoch)), options)
    elif options.to is not None:
        _print_walk(codes.walk(model, options.text, options.to, ("--text", "--to"), options.steps), options)
    else:
        print_answers(options, [codes.text_code(model, text) for text in texts], _facts, _in_words)


def _facts(code: TextCode) -> dict[str, Any]:
    """Return a text's code as JSON holds it."""
    known = bool(code.words)
    return {
        **as_json(code, "run", "epoch", "words", "tokens", "cut"),
        "code": code.mean,
        "deviation": code.deviation,
        "kl": code.divergence,
        "reconstruction": code.reconstruction,
        "perplexity": code.perplexity if known else None,
        "bound": code.bound if known and code.divergence is not None else None,
        "returned": [one._asdict() for one in code.returned],
    }


def _in_words(code: TextCode) -> list[str]:
    """Return what a person wants to read of a code."""
    if not code.words:
        first = (
            f"No word of the text is in the vocabulary ({code.tokens:,} tokens read), so the code of an "
            "empty text is shown."
        )
    else:
        first = f"{code.words:,} of {code.tokens:,} tokens in the vocabulary; perplexity {code.perplexity:.1f}"
        first += f", bound {code.bound:.1f}" if code.divergence is not None else ""
    costs = "" if code.divergence is None else f"; KL {code.divergence.sum():.2f} nats"
    return [
        f"{code.run}, epoch {code.epoch}: {first}{costs}",
        "  code  " + " ".join(f"{value:+.2f}" for value in code.mean.tolist()),
        "  reconstruction  " + _listed(code.returned),
    ]


def _listed(words: Sequence[WordShare]) -> str:
    return ", ".join(f"{json.dumps(one.word, ensure_ascii=False)} {one.probability:.2%}" for one in words[:_SHOWN])


def _print_walk(walk: CodeWalk, options: argparse.Namespace) -> None:
    if options.json:
        steps = [
            {
                "share": walk.shares[step],
                "code": walk.codes[step],
                "words": [one._asdict() for one in words],
                "nearest": walk.nearest[step]._asdict(),
            }
            for step, words in enumerate(walk.likeliest)
        ]
        print_json(as_json(walk, "run", "epoch", "length") | {"steps": steps})
        return
    if not walk.length:
        print("Both texts have the same code, so all points are identical.")
    for share, words, near in zip(walk.shares.tolist(), walk.likeliest, walk.nearest, strict=True):
        print(f"  {share:4.0%}  {_listed(words)}; nearest document: {near.id} ({near.label})")


def _print_units(topics: Sequence[UnitTopic], options: argparse.Namespace) -> None:
    if options.json:
        print_json([one._asdict() for one in topics])
        return
    for one in topics:
        sides = (", ".join(word for word, _ in side[:_SHOWN]) for side in (one.up, one.down))
        cost = "" if one.divergence is None else f", KL {one.divergence:.2f}"
        state = "active" if one.active else "inactive"
        print("unit {} ({}{}): up {}; down {}".format(one.unit, state, cost, *sides))


COMMAND = Command(
    "codes",
    "show a text’s code and its reconstruction, an interpolation between two texts, or what each unit encodes",
    _add_arguments,
    _run,
)
