"""``states RUN --text …`` and ``states RUN --corpus``: where words move the state, and where it comes to rest."""

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
    print_answers,
    print_json,
    target_of,
    texts_of,
)
from nlpviz.commands.as_json import as_json, tokens_as_json
from nlpviz.commands.word_by_word import OF_TWO_THE_LAST, add_next, reader
from nlpviz.runs import Run
from nlpviz.runs.language import reads_on

if TYPE_CHECKING:
    from nlpviz.results.dynamics import SlowPoints
    from nlpviz.results.modifiers import ModifierEffects
    from nlpviz.results.state_space import StatePath

SHOWN = 8  # words, in words


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    sources = add_texts(parser)
    sources.add_argument(
        "--corpus",
        action="store_true",
        help="show slow points, time constants and modifier effects over the test documents",
    )
    add_checkpoint(parser, OF_TWO_THE_LAST)
    add_next(parser)


def _run(options: argparse.Namespace) -> None:
    run = reader("states", options, "state after each word")
    if options.corpus:
        if reads_on(run):
            raise UsageError(f"--corpus needs a classifier, but {run.name!r} is a language model.")
        _corpus(run, options)
        return
    texts = texts_of(options)
    from nlpviz.analysis.inspection.state_path import state_path

    trained, target = run.load(options.epoch), target_of(run, options)
    results = [state_path(trained, text, target) for text in texts]
    print_answers(options, results, _facts, _in_words)


def _facts(path: StatePath) -> dict[str, Any]:
    """Return a path as JSON holds it: one record for each token, with its span in the text."""
    after = path.after[:, path.target]
    return {
        **as_json(path, "run", "epoch"),
        "text": path.text.text,
        "class": path.class_names[path.target],
        **as_json(path, "reading", "bias"),
        "score": path.scores[-1],
        "tokens": tokens_as_json(path.text, push=path.pushes, score=path.scores[1:], probability=after),
    }


def _in_words(path: StatePath) -> list[str]:
    """Return what a person wants to read of a path."""
    from nlpviz.figures.numbers import unit_of_push

    name, unit = path.class_names[path.target], unit_of_push(len(path.class_names))
    if not len(path.pushes):
        return [f"No words were read: the {unit} of {name} stay at {path.scores[0]:+.2f} (epoch {path.epoch})."]
    end = f"{path.scores[-1]:+.2f}, {path.after[-1, path.target]:.1%}"
    lines = [
        f"{unit.capitalize()} of {name} {path.scores[0]:+.2f} before the first word, {end} "
        f"after word {len(path.pushes):,} (epoch {path.epoch}); largest pushes:"
    ]
    for position in path.strongest(SHOWN):
        word = json.dumps(path.text.read[position].word, ensure_ascii=False)
        lines.append(
            f"  {path.pushes[position]:+6.2f}  {word}, word {position + 1:,}, to "
            f"{path.after[position, path.target]:.1%}"
        )
    return lines


def _corpus(run: Run, options: argparse.Namespace) -> None:
    """Print what is kept of how the state moves over test documents."""
    from nlpviz.runs.dynamics import dynamics_of

    target = target_of(run, options)
    if len(run.class_names) == 2 and target == 0:
        raise UsageError(
            f"--corpus shows values for {run.class_names[1]}; values for the other class have the opposite sign."
        )
    last = len(run.class_names) - 1
    kept = dynamics_of(
        run, run.best_epoch if options.epoch is None else options.epoch, last if target is None else target
    )
    slow = [_slow_facts(one) for one in kept.slow]
    modifiers = _modifier_facts(kept.modifiers) if kept.modifiers is not None else None
    if options.json:
        print_json(
            {
                "run": run.name,
                "class": run.class_names[last if target is None else target],
                "epoch": kept.space.epoch,
                "documents": kept.space.reviews,
                "variance": kept.space.shares,
                "slow_points": slow,
                "modifiers": modifiers,
            }
        )
        return
    shares = ", ".join(f"{share:.1%}" for share in kept.space.shares)
    print(f"{run.name} (epoch {kept.space.epoch}), {kept.space.reviews:,} test documents; variance along PCs: {shares}")
    for one in slow:
        print(
            f"  input {one['input']}: {one['fixed']} fixed and {one['slow']} slow points ({one['places']} "
            f"distinct) from {one['points']} starting points; time constants {one['time_constants'][0]:,.0f}, "
            f"{one['time_constants'][1]:,.0f} words; {one['line'][0]:.0%} of variance on one axis, spread "
            f"{one['spread']:.2f}, cosine with the class direction {one['cosine']:.2f}"
        )
    if modifiers is not None:
        low, high = modifiers["null"]
        said = ", ".join(f"{word} {factor:.2f}" for word, factor in modifiers["factors"].items())
        print(
            f"  factors for the next word’s contribution: {said}; central 95% of random words {low:.2f} to {high:.2f}"
        )


def _slow_facts(one: SlowPoints) -> dict[str, Any]:
    """Return slow points as JSON holds them; time constants are medians over those that are slow, or over all."""
    return {
        "input": one.input,
        "points": len(one.speeds),
        "fixed": one.fixed.sum(),
        "slow": (one.slow & ~one.fixed).sum(),
        "places": one.places_apart(),
        **as_json(one, "speeds", "scores"),
        "time_constants": np.median(one.longest(), axis=0),
        "line": one.shares,
        **as_json(one, "spread", "cosine"),
    }


def _modifier_facts(effects: ModifierEffects) -> dict[str, Any]:
    return {
        "contexts": effects.contexts,
        "factors": dict(zip(effects.modifiers, effects.factors(), strict=True)),
        "null": effects.band(),
        "pushes": dict(zip(effects.words, effects.plain, strict=True)),
    }


COMMAND = Command(
    "states", "show how each word moves the hidden state, and where the state settles", _add_arguments, _run
)
