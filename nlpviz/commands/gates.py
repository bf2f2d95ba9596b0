"""``gates RUN --text …``: what a network that reads word by word predicts after each word, and what its gates do."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpviz.commands import (
    Command,
    UsageError,
    add_checkpoint,
    add_run,
    add_texts,
    positive,
    print_answers,
    target_of,
    texts_of,
)
from nlpviz.commands.as_json import as_json, tokens_as_json
from nlpviz.commands.word_by_word import OF_TWO_THE_LAST, add_next, reader
from nlpviz.results.gates import CLOSED, OPEN, jumps, running, saturation, skipped, turns
from nlpviz.results.states import HIDDEN_STATE
from nlpviz.text.vocabulary import shortened

if TYPE_CHECKING:
    from nlpviz.results.states import TextStates

_LETTERS = 18  # of a word, in words


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    add_texts(parser)
    add_checkpoint(parser, OF_TWO_THE_LAST)
    add_next(parser)
    parser.add_argument(
        "--layer", type=positive, help="layer, counted from 1 (default: all with --json, otherwise the first)"
    )
    parser.add_argument(
        "--unit", type=positive, help="unit, counted from 1 (default: all with --json, otherwise the mean over units)"
    )


def _run(options: argparse.Namespace) -> None:
    run = reader("gates", options, "gates")
    texts = texts_of(options)
    from nlpviz.analysis.inspection.prediction import target_class
    from nlpviz.analysis.inspection.states import read_states

    trained, asked = run.load(options.epoch), target_of(run, options)
    results = []
    for text in texts:
        states = read_states(trained, text)
        _refuse(options, states)
        results.append((states, target_class(run, states.probabilities, asked), options))
    print_answers(options, results, lambda found: _facts(*found), lambda found: _in_words(*found), apart=True)


def _refuse(options: argparse.Namespace, states: TextStates) -> None:
    """Raise a :class:`UsageError` for a layer or a unit that the network does not have."""
    for name, asked, count in (("layer", options.layer, states.layers), ("unit", options.unit, states.units)):
        if asked is not None and asked > count:
            there = f"1 to {count}" if count > 1 else "only 1"
            raise UsageError(f"The network of {states.run!r} has no {name} {asked}; available: {there}.")


def _facts(states: TextStates, target: int, options: argparse.Namespace) -> dict[str, Any]:
    """Return what the network held as JSON holds it: a record for each token, and the parts of each layer by name."""
    layers = range(states.layers) if options.layer is None else [options.layer - 1]
    return {
        **as_json(states, "run", "epoch"),
        "text": states.text.text,
        "class": states.class_names[target],
        "probabilities": _by_class(states, states.probabilities),
        "tokens": tokens_as_json(states.text, after=[_by_class(states, after) for after in states.after]),
        "layers": [_layer_facts(states, layer, options.unit) for layer in layers],
    }


def _by_class(states: TextStates, probabilities: np.typing.NDArray[np.float32]) -> dict[str, float]:
    return dict(zip(states.class_names, map(float, probabilities), strict=True))


def _layer_facts(states: TextStates, layer: int, unit: int | None) -> dict[str, Any]:
    """Return one layer: each part (T, H), or (T,) of one unit, and how often its gates are saturated."""
    kept = skipped(states, layer)
    parts = {name: states.values(name)[:, layer].astype(np.float64) for name in (*states.parts, HIDDEN_STATE)}
    return {
        "layer": layer + 1,
        "units": states.units,
        **({} if unit is None else {"unit": unit}),
        **({} if kept is None else {"skipped": kept}),
        "parts": {name: np.round(held if unit is None else held[:, unit - 1], 6) for name, held in parts.items()},
        "saturation": {
            one.gate: {"mean": one.mean, "open": one.opened.mean(), "closed": one.closed.mean()}
            for one in saturation(states)
            if one.layer == layer
        },
    }


def _in_words(states: TextStates, target: int, options: argparse.Namespace) -> list[str]:
    """Return what a person wants to read: the prediction after each word, and each part beside it."""
    layer = (options.layer or 1) - 1
    lines = [_summary(states, target)]
    if not len(states.after):
        return lines
    lines += _table(states, target, layer, options.unit)
    kept = skipped(states, layer)
    if kept is not None:
        lines.append(f"  read {int((~kept).sum()):,} of {len(kept):,} words; - marks a skipped word")
    lines += [
        f"  {one.gate}: mean {one.mean:.2f}; open (> {OPEN}) {one.opened.mean():.1%}, closed (< {CLOSED}) "
        f"{one.closed.mean():.1%}"
        for one in saturation(states)
        if one.layer == layer
    ]
    return lines


def _table(states: TextStates, target: int, layer: int, unit: int | None) -> list[str]:
    """Return a line of headings and one for each word: the prediction after it, and each part, of one unit or all."""
    names, kept = [*states.parts, HIDDEN_STATE], skipped(states, layer)
    label = f"layer {layer + 1}, " + (f"unit {unit}" if unit else f"mean of {states.units:,} units")
    first, followed = max(len(label), _LETTERS + 2), f"P({states.class_names[target]})"
    lines = ["  ".join([f"  {label:{first}}", followed, *(f"{name:>12}" for name in names)])]
    for position, token in enumerate(states.text.read):
        mark = "-" if kept is not None and kept[position] else " "
        word = json.dumps(shortened(token.word, _LETTERS), ensure_ascii=False)[1:-1]
        held = [states.values(name)[position, layer] for name in names]
        numbers = [float(one.mean() if unit is None else one[unit - 1]) for one in held]
        after = f"{states.after[position, target]:>{len(followed)}.1%}"
        lines.append("  ".join([f"  {f'{mark} {word}':{first}}", after, *(f"{number:12.3f}" for number in numbers)]))
    return lines


def _summary(states: TextStates, target: int) -> str:
    course, changes = running(states, target), len(turns(states))
    told = (
        f"{states.class_names[states.predicted]} {states.probabilities[states.predicted]:.1%} (epoch {states.epoch}); "
        f"the predicted class changes {changes} time{'s' * (changes != 1)}"
    )
    for place in jumps(course, most=1):
        word = shortened(states.text.read[place].word, _LETTERS)
        told += f"; largest change at {word!r}: {course[place - 1]:.1%} to {course[place]:.1%}"
    return told if len(course) else f"{told.partition(';')[0]}; no words were read"


COMMAND = Command("gates", "show a recurrent network’s prediction after each word, and its gates", _add_arguments, _run)
