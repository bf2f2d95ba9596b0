"""``memory RUN --text …``: how far back a network remembers, and how far its score moves when a word is replaced."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from nlpviz.commands import (
    Command,
    UsageError,
    add_checkpoint,
    add_run,
    add_texts,
    print_answers,
    target_of,
    texts_of,
)
from nlpviz.commands.as_json import as_json, tokens_as_json
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
    print_answers(
        options, results, lambda found: _facts(*found, matrix=options.matrix), lambda found: _in_words(*found)
    )


def _facts(memory: TextMemory, replaced: ReplacedWords, *, matrix: bool) -> dict[str, Any]:
    """Return a text's memory as JSON holds it; norms as decimal logarithms, null where one is exactly zero."""
    gate, words = memory.gate, memory.words
    least, largest = replaced.band()
    facts: dict[str, Any] = {
        **as_json(memory, "run", "epoch"),
        "text": memory.text.text,
        "probabilities": dict(zip(memory.class_names, memory.probabilities, strict=True)),
        "score_of": memory.class_names[memory.target],
        **as_json(memory, "state_size", "receptive_field"),
        "gate": None if gate is None else gate.name,
        "tokens": tokens_as_json(
            memory.text,
            words_back=reversed(range(words)),
            log10_gain=_rounded(memory.last, words),
            log10_gradient=_rounded(memory.row(SCORE), words),
            log10_gates=_rounded(gate and gate.kept, words),
            log10_longest_gate=_rounded(gate and gate.longest, words),
            moved=replaced.moved,
            moved_least=least,
            moved_most=largest,
        )[:words],
        "replaced_by": replaced.drawn,
        "rank_correlation": parting(memory, replaced).correlation,
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
    """Return the rows up to their own word."""
    return None if matrix is None else [_rounded(row[:words], words) for words, row in enumerate(matrix, start=1)]


def _rounded(values: NDArray[np.float32] | None, words: int) -> list[float | None]:
    """Return a row's values; none for each of the words where there are no such values."""
    return [None] * words if values is None else [round(value, 4) for value in values.tolist()]


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
