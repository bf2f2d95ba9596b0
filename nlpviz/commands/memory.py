"""``memory RUN --text …``: how far back a network remembers, and how far its score moves when a word is replaced."""

from __future__ import annotations

import argparse
import json
import math
from typing import TYPE_CHECKING, Any

from nlpviz.commands import (
    Command,
    UsageError,
    add_checkpoint,
    add_run,
    add_texts,
    one_or_all,
    print_json,
    target_of,
    texts_of,
)
from nlpviz.commands.word_by_word import OF_TWO_THE_LAST, add_next, reader
from nlpviz.results.memory import SCORE, STATE, reach
from nlpviz.results.replaced_words import parting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nlpviz.results.memory import TextMemory
    from nlpviz.results.replaced_words import ReplacedWords

_SHOWN = 8  # words, in words


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    add_texts(parser)
    add_checkpoint(parser, OF_TWO_THE_LAST)
    add_next(parser)
    parser.add_argument("--matrix", action="store_true", help="with --json: include the values for every pair of words")


def _run(options: argparse.Namespace) -> None:
    run = reader("memory", options, "memory of earlier words")
    if options.matrix and not options.json:
        raise UsageError("--matrix needs --json.")
    texts = texts_of(options)
    from nlpviz.analysis.inspection.memory import read_memory
    from nlpviz.analysis.inspection.replaced import replace_words

    trained, target = run.load(options.epoch), target_of(run, options)
    results = (
        (read_memory(trained, text, target=target), replace_words(trained, text, target=target)) for text in texts
    )
    if options.json:
        facts = [_facts(memory, replaced, matrix=options.matrix) for memory, replaced in results]
        print_json(one_or_all(options, facts))
        return
    for memory, replaced in results:
        print("\n".join(_in_words(memory, replaced)))


def _facts(memory: TextMemory, replaced: ReplacedWords, *, matrix: bool) -> dict[str, Any]:
    """Return a text's memory as JSON holds it; norms as decimal logarithms, null where one is exactly zero."""
    gradient, gate, found = memory.row(SCORE), memory.gate, parting(memory, replaced)
    last = memory.last
    least, largest = replaced.band()
    facts: dict[str, Any] = {
        "run": memory.run,
        "epoch": memory.epoch,
        "text": memory.text.text,
        "probabilities": dict(zip(memory.class_names, map(float, memory.probabilities), strict=True)),
        "score_of": memory.class_names[memory.target],
        "state_size": memory.state_size,
        "receptive_field": memory.receptive_field,
        "gate": None if gate is None else gate.name,
        "tokens": [
            {
                "word": token.word,
                "start": token.start,
                "end": token.end,
                "seen": str(memory.text.seen[position]),
                "words_back": memory.words - 1 - position,
                "log10_gain": None if last is None else _number(last[position]),
                "log10_gradient": None if gradient is None else _number(gradient[position]),
                "log10_gates": None if gate is None else _number(gate.kept[position]),
                "log10_longest_gate": None if gate is None else _number(gate.longest[position]),
                "moved": float(replaced.moved[position]),
                "moved_least": float(least[position]),
                "moved_most": float(largest[position]),
            }
            for position, token in enumerate(memory.text.read)
        ],
        "replaced_by": list(replaced.drawn),
        "rank_correlation": found.correlation,
        "reach": {name: _reached(memory, name) for name in (STATE, SCORE)},
        "probes": None if memory.probes is None else memory.probes._asdict(),
    }
    if matrix:
        facts |= {f"log10_{name}": _rows(memory.matrix(name)) for name in (STATE, SCORE)}
    return facts


def _reached(memory: TextMemory, quantity: str) -> dict[str, Any] | None:
    """Return how far back at least 1% is left, and whether that is the first word of the text."""
    row = memory.row(quantity)
    far = None if row is None else reach(row, quantity)
    return None if far is None else {"words_back": far.words, "to_the_first_word": far.whole}


def _rows(matrix: NDArray[np.float32] | None) -> list[list[float | None]] | None:
    """Return the rows up to their own word; null where a number is exactly zero."""
    if matrix is None:
        return None
    return [[_number(value) for value in row[: position + 1]] for position, row in enumerate(matrix)]


def _number(value: np.float32) -> float | None:
    return round(float(value), 4) if math.isfinite(value) else None


def _in_words(memory: TextMemory, replaced: ReplacedWords) -> list[str]:
    """Return what a person wants to read of a text's memory."""
    from nlpviz.figures.numbers import unit_of_score

    lines = [
        f"{memory.class_names[memory.predicted]} {memory.probabilities[memory.predicted]:.1%} (epoch {memory.epoch}), "
        f"{memory.words:,} words read; score: {unit_of_score(len(memory.class_names))} of "
        f"{memory.class_names[memory.target]}"
    ]
    for quantity, said, share in (
        (STATE, "gain of the state (at least 1%)", ""),
        (SCORE, "gradient of the score (at least 1% of the largest)", " of the largest"),
    ):
        row = memory.row(quantity)
        far = None if row is None else reach(row, quantity)
        if far is not None:
            where = "the first word" if far.whole else f"{far.words:,} words back"
            lines.append(f"  {said}: reaches {where}; value at the first word {10.0**far.first:.2g}{share}")
    if memory.receptive_field is not None:
        lines.append(f"  receptive field: {memory.receptive_field:,} words")
    if memory.words:
        order = sorted(range(memory.words), key=lambda position: -float(replaced.moved[position]))[:_SHOWN]
        named = ", ".join(
            f"{json.dumps(memory.text.read[position].word, ensure_ascii=False)} {replaced.moved[position]:.2f}"
            for position in order
        )
        lines.append(
            f"  largest effects on the score when a word is replaced ({len(replaced.drawn)} replacements "
            f"drawn by frequency): {named}"
        )
    correlation = parting(memory, replaced).correlation
    if correlation is not None:
        lines.append(f"  Spearman correlation of gradient and effect: {correlation:+.2f}")
    return lines


COMMAND = Command(
    name="memory",
    help="show how far back a recurrent network remembers and which words it depends on",
    add_arguments=_add_arguments,
    run=_run,
)
