"""``units RUN --feature …``: which units of a network follow something in the text, against what chance would find."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, UsageError, add_run, named, print_json, run_for, teller, texts_of
from nlpviz.commands.as_json import as_json
from nlpviz.runs import Run, RunError
from nlpviz.runs.language import reads_on

if TYPE_CHECKING:
    from nlpviz.analysis.inspection.features import Feature
    from nlpviz.results.units import Ablation, UnitSearch, UnitSurvey

SHOWN = 10  # units


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    parser.add_argument("--feature", help="feature, for example negation; with --feature-words: words or trace")
    parser.add_argument("--feature-words", help='your own list of words, for example "actor, cast"; needs the corpus')
    parser.add_argument("--epoch", type=int, help="epoch of the checkpoint (default: the best epoch)")
    texts = parser.add_mutually_exclusive_group()
    texts.add_argument("--text", help="text to read; the value of the best unit is shown after each word")
    texts.add_argument("--file", type=Path, help="file with one text per line; - reads standard input")


def _run(options: argparse.Namespace) -> None:
    run = run_for("units", options.run)
    if "reading" not in run.config and not reads_on(run):
        raise UsageError(f"The run {run.name!r} has no recurrent units. Choose a recurrent network.")
    feature, words = _feature(options, run)
    epoch = run.check_epoch(run.best_epoch if options.epoch is None else options.epoch)
    survey = None
    if words:
        found = _live(run, epoch, feature.name, words, options)
    else:
        from nlpviz.runs.units import unit_survey

        survey = unit_survey(run, epoch)
        found = named(survey.searches, feature.name, "feature searched")
    other = _other(run, feature.name, words)
    courses = [_course(run, epoch, found, text) for text in texts_of(options)] if options.text or options.file else []
    if options.json:
        print_json(_facts(feature, found, survey, other) | ({"texts": courses} if courses else {}))
        return
    print("\n".join(_in_words(feature, found, survey, other)))
    for course in courses:
        print(f"  {course['unit']}: " + " ".join(f"{one['word']} {one['value']:+.2f}" for one in course["tokens"]))


def _feature(options: argparse.Namespace, run: Run) -> tuple[Feature, tuple[str, ...]]:
    """Return the feature that was asked for, and the words of its list; no words where it is not one of a list."""
    from nlpviz.analysis.inspection.features import LISTED, features_of, of_words, typed_words

    known = features_of(run.tokenizer, run.class_names)
    if options.feature_words is None:
        if options.feature is None:
            raise UsageError(f"No feature was given. Use --feature-words, or --feature with {', '.join(known)}.")
        return named(known, options.feature, "feature"), ()
    if reads_on(run):
        raise UsageError(f"--feature-words needs a classifier of reviews; for {run.name!r} use --feature.")
    words = typed_words(options.feature_words)
    if not words:
        raise UsageError("--feature-words contains no words.")
    return named(of_words(words), options.feature or LISTED, "feature of a word list"), words


def _live(run: Run, epoch: int, name: str, words: tuple[str, ...], options: argparse.Namespace) -> UnitSearch:
    """Return the search for a word list."""
    from nlpviz.analysis.inspection.units_live import DOCUMENTS, live_sample, search_words

    trained = run.load(epoch)
    teller(options)(f"Reading {DOCUMENTS} test documents of {run.name}")
    found = search_words(trained, live_sample(trained), words)[name]
    if not found.ever:
        raise RunError(f"None of these words occurs in the {found.documents} test documents.")
    return found


def _other(run: Run, name: str, words: tuple[str, ...]) -> UnitSearch | None:
    """Return the same search in a run of another seed, at its best epoch; None where there is none."""
    from nlpviz.runs import list_runs
    from nlpviz.runs.seeds import of_another_seed
    from nlpviz.runs.units import UNITS, unit_survey

    other = of_another_seed(run, list_runs()[0].values())
    if other is None:
        return None
    if words:
        from nlpviz.analysis.inspection.units_live import live_sample, search_words

        trained = other.load()
        return search_words(trained, live_sample(trained), words)[name]
    return unit_survey(other, other.best_epoch).searches.get(name) if UNITS in other.files else None


def _reader(run: Run) -> Run:
    """Return ``run``, or a language model's asked for any words: its units are the same."""
    if not reads_on(run):
        return run
    from nlpviz.language.logit_difference import ask

    return ask(run)


def _course(run: Run, epoch: int, found: UnitSearch, text: str) -> dict[str, Any]:
    """Return the best unit after each word of a text."""
    from nlpviz.analysis.inspection.states import read_states
    from nlpviz.analysis.inspection.units_sample import course_of

    states, unit = read_states(_reader(run).load(epoch), text), found.units[found.best]
    values = course_of(states, unit).tolist()
    tokens = zip(states.text.read, values, strict=True)
    return {"text": text, "unit": unit.id, "tokens": [{"word": one.word, "value": value} for one, value in tokens]}


def _facts(feature: Feature, found: UnitSearch, survey: UnitSurvey | None, other: UnitSearch | None) -> dict[str, Any]:
    """Return a search as JSON holds it."""
    return {
        **as_json(found, "run", "epoch"),
        "feature": feature.name,
        "feature_at_each_word": feature.says,
        **as_json(found, "words", "documents", "ever"),
        "null": as_json(found, "redraws", "threshold", "shifted", "swapped", "p"),
        "units": [
            {
                "unit": found.units[position].id,
                "r": found.r[position],
                "interval": [found.low[position], found.high[position]],
                "follows": found.follows(position),
            }
            for position in (found.ranked(SHOWN) if found.ever else [])
        ],
        "followers": found.followers,
        "searched": len(found.units),
        "other_seed": None if other is None or not other.ever else _best(other),
        "ablation": _ablation_facts(found, survey),
    }


def _best(other: UnitSearch) -> dict[str, Any]:
    best = other.best
    return {**as_json(other, "run", "epoch"), "unit": other.units[best].id, "r": other.r[best]}


def _ablation_facts(found: UnitSearch, survey: UnitSurvey | None) -> dict[str, Any] | None:
    """Return what holding the best unit, and random ones, does to the accuracy; None where that is not known."""
    one = None if survey is None else survey.ablation(found.units[found.best])
    if survey is None or one is None:
        return None
    return {
        **as_json(survey, "accuracy", "documents"),
        "best": _held(one),
        "random": [_held(each) for each in survey.random],
    }


def _held(one: Ablation) -> dict[str, Any]:
    change = one.change
    return {"unit": one.unit.id, "change": change.difference, "interval": change.interval, "p": change.p}


def _in_words(feature: Feature, found: UnitSearch, survey: UnitSurvey | None, other: UnitSearch | None) -> list[str]:
    """Return what a person wants to read of a search."""
    head = (
        f"{found.run}, epoch {found.epoch}: {feature.title}, over {found.words:,} words of {found.documents} test texts"
    )
    if not found.ever:
        return [head, "  The feature is constant, so no unit can correlate with it."]
    best = found.best
    said = "significant" if found.follows(best) else "no unit significant"
    lines = [
        head,
        f"  best unit {found.units[best].id}, r {found.r[best]:+.3f}; 95% threshold of the null "
        f"distribution {found.threshold:.3f}: {said}",
        f"  {found.followers} of {len(found.units)} units exceed the threshold",
    ]
    for position in found.ranked(SHOWN):
        interval = f"{found.low[position]:+.3f} to {found.high[position]:+.3f}"
        lines.append(f"  {found.units[position].id:>8}  {found.r[position]:+.3f}  (95% interval {interval})")
    if other is not None and other.ever:
        lines.append(
            f"  other seed ({other.run}): best unit {other.units[other.best].id}, r {other.r[other.best]:+.3f}"
        )
    one = None if survey is None else survey.ablation(found.units[best])
    if survey is not None and one is not None:
        drawn = [each.change.difference for each in survey.random]
        lines.append(
            f"  fixing {one.unit.id} at its mean changes the accuracy by {100 * one.change.difference:+.1f} points "
            f"(95% interval {100 * one.change.interval.low:+.1f} to {100 * one.change.interval.high:+.1f})"
            + (f"; {len(drawn)} random units {100 * min(drawn):+.1f} to {100 * max(drawn):+.1f}" if drawn else "")
        )
    return lines


COMMAND = Command("units", "show which units of a recurrent network track a feature of the text", _add_arguments, _run)
