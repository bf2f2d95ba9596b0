"""``edits RUN --text …``: the smallest edits that turn a prediction, as far as a search finds them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, UsageError, add_run, add_texts, positive, print_answers, print_json, run_for, say
from nlpviz.commands import texts_of as typed_texts
from nlpviz.commands.as_json import as_json
from nlpviz.results.edits import ADDED_BITS, MOST, MOST_EDITS, SECONDS, WAYS, EditSearch, Reduction, Settings
from nlpviz.runs import Run, open_run

if TYPE_CHECKING:
    from nlpviz.language.surprisal import Asked

_NONE, _JUDGE = "none", "imdb-lm"
Answer = tuple[EditSearch, "Reduction | None"]


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    texts = add_texts(parser)
    texts.add_argument("--sample", type=positive, help="edit this number of test documents instead, drawn with seed 0")
    texts.add_argument(
        "--random", action="store_true", help="measure how many random edits of training texts pass the fluency filter"
    )
    parser.add_argument("--epoch", type=int, help="epoch of the checkpoint (default: the best epoch)")
    parser.add_argument(
        "--judge",
        default=_JUDGE,
        help=f"language model that filters out unlikely edits, or {_NONE} (default: {_JUDGE})",
    )
    parser.add_argument(
        "--bits",
        type=float,
        default=ADDED_BITS,
        help=f"maximum added surprisal per edited word, in bits (default: {ADDED_BITS:g})",
    )
    parser.add_argument(
        "--most",
        type=int,
        default=MOST,
        choices=range(1, MOST_EDITS + 1),
        help=f"maximum number of edits (default: {MOST})",
    )
    parser.add_argument(
        "--ways", nargs="+", choices=list(WAYS), default=list(WAYS), help="kinds of replacement allowed (default: all)"
    )
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"time limit per text (default: {SECONDS:g})")


def _run(options: argparse.Namespace) -> None:
    run = run_for("edits", options.run)
    if options.random:
        _tell_random(run, options)
        return
    texts = _texts(run, options)
    settings = Settings(tuple(options.ways), options.most, options.bits, options.seconds)
    trained, asked = run.load(options.epoch), _judge(options.judge)
    from nlpviz.analysis.attribution.edit_search import search_edits
    from nlpviz.analysis.attribution.input_reduction import reduce_input

    answers: list[Answer] = []
    for number, text in enumerate(texts, start=1):
        reduction = None if options.sample else reduce_input(trained, text)
        answers.append((search_edits(trained, text, settings, asked), reduction))
        if options.sample and not options.json:
            say(f"{number} of {len(texts)}: {answers[-1][0].fewest or 'not found'}")
    if options.sample:
        print_json(_summary(answers)) if options.json else print("\n".join(_counted(answers)))
    else:
        print_answers(options, answers, lambda answer: _facts(*answer), lambda answer: _in_words(*answer), apart=True)


def _tell_random(run: Run, options: argparse.Namespace) -> None:
    """Say how many random edits pass the filter."""
    asked = _judge(options.judge)
    if asked is None:
        raise UsageError("--random needs a language model. Name it with --judge.")
    import numpy as np

    from nlpviz.analysis.attribution.fluency_survey import added_at_random
    from nlpviz.stats.significance import wilson

    found = added_at_random(run.load(options.epoch), asked)
    passed = {way: int((bits <= options.bits).sum()) for way, bits in found.items()}
    if options.json:
        facts = {way: {"passed": passed[way], "edits": len(bits)} for way, bits in found.items()}
        print_json({"run": run.name, "language_model": asked.title, "bits": options.bits, "random_edits": facts})
        return
    print(f"{asked.title}: random edits of training texts that add at most {options.bits:g} bits")
    for way, bits in found.items():
        low, high = wilson(passed[way] / len(bits), len(bits))
        share = f"{passed[way] / len(bits):.0%} ({low:.0%} to {high:.0%})"
        print(f"  {WAYS[way]:20} {share:20} of {len(bits):,}, median {np.median(bits):+.1f} bits")


def _texts(run: Run, options: argparse.Namespace) -> Sequence[str]:
    if options.sample is None:
        return typed_texts(options)
    import numpy as np

    from nlpviz.data import corpus_named
    from nlpviz.runs.documents import DOCUMENTS, documents_of

    if DOCUMENTS not in run.files:
        raise UsageError(f"The run {run.name!r} has no stored test documents to sample. Use --text or --file.")
    ids, corpus = documents_of(run).ids, corpus_named(run.corpus["name"])
    drawn = np.random.default_rng(0).permutation(len(ids))[: options.sample]
    return [corpus.find(ids[at]) for at in drawn]


def _judge(name: str) -> Asked | None:
    if name == _NONE:
        return None
    run = open_run(name)
    if run.kind != "language-model":
        raise UsageError(
            f"The run {name!r} is not a language model. Name another run for --judge, such as {_JUDGE}, or {_NONE}."
        )
    from nlpviz.language.surprisal import opened

    return opened(run)


def _facts(found: EditSearch, reduction: Reduction | None) -> dict[str, Any]:
    return {
        **as_json(found, "run", "epoch"),
        "predicted": found.class_names[found.predicted],
        **as_json(found, "probability", "fewest"),
        "found": [
            {
                "edits": [one._asdict() for one in each.edits],
                **as_json(each, "said", "text"),
                "predicted": found.class_names[each.predicted],
                "probability": each.probability,
                "added_bits": each.added,
            }
            for each in found.found
        ],
        "nearest": found.nearest,
        "language_model": found.language_model or None,
        "bits": found.threshold,
        "texts_read": found.read,
        **as_json(found, "gradients", "unlike_english"),
        "time_ran_out": found.stopped,
        "reduced_to": None if reduction is None else {"words": reduction.words, "probability": reduction.after},
    }


def _in_words(found: EditSearch, reduction: Reduction | None) -> Iterator[str]:
    label = found.class_names[found.predicted]
    yield f"{found.run}, epoch {found.epoch}: {label}, {found.probability:.1%}"
    if not found.found:
        yield (
            f"  found no set of at most {found.most} edits that flips the prediction; lowest probability "
            f"reached {found.nearest:.1%}"
        )
    for one in found.found:
        bits = "" if one.added is None else f", {one.added:+.1f} bits"
        yield f"  {one.said}: {label} {one.probability:.1%}{bits}"
    judged = f"; {found.unlike_english:,} candidates rejected by {found.language_model}" if found.language_model else ""
    late = "; time limit reached" if found.stopped else ""
    yield (
        f"  {found.read:,} forward pass{'es' * (found.read != 1)}, {found.gradients:,} "
        f"gradient{'s' * (found.gradients != 1)}{judged}{late}"
    )
    if reduction is not None:
        yield f"  reduced to {' '.join(reduction.words)!r}: {label} {reduction.after:.1%}"


def _summary(answers: Sequence[Answer]) -> dict[str, Any]:
    searches = [found for found, _ in answers]
    fewest = [found.fewest for found in searches]
    return {
        "run": searches[0].run,
        "epoch": searches[0].epoch,
        "documents": len(searches),
        "turned_within": {
            str(most): sum(count is not None and count <= most for count in fewest)
            for most in range(1, searches[0].most + 1)
        },
        "time_ran_out": sum(found.stopped for found in searches),
        "texts_read": sum(found.read for found in searches),
        "language_model": searches[0].language_model or None,
        "bits": searches[0].threshold,
    }


def _counted(answers: Sequence[Answer]) -> Iterator[str]:
    from nlpviz.stats.significance import wilson

    facts = _summary(answers)
    judge = (
        f"at most {facts['bits']:g} added bits per word ({facts['language_model']})"
        if facts["language_model"]
        else "any"
    )
    yield f"{facts['run']}, epoch {facts['epoch']}, {facts['documents']:,} test documents; edits allowed: {judge}"
    for most, count in facts["turned_within"].items():
        low, high = wilson(count / facts["documents"], facts["documents"])
        yield (
            f"  flipped by {most} or fewer edits: {count:,} ({count / facts['documents']:.0%}, {low:.0%} to {high:.0%})"
        )
    yield f"  {facts['texts_read']:,} forward passes; time limit reached for {facts['time_ran_out']:,} documents"


COMMAND = Command("edits", "search for the smallest edits that flip a prediction", _add_arguments, _run)
