"""``regions RUN --text …`` and ``regions RUN --corpus``: which n-grams a network looks for.

``--texts FILE --out FILE`` answers a file of any length.
"""

from __future__ import annotations

import argparse
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from nlpviz.commands import (
    Command,
    UsageError,
    add_checkpoint,
    add_run,
    add_texts,
    positive,
    print_answers,
    print_json,
    run_for,
    target_of,
    texts_of,
)
from nlpviz.commands.as_json import as_json
from nlpviz.commands.bulk import add_file, answer, asks_file
from nlpviz.results.regions import RANKS
from nlpviz.runs import Run, ngram_counts

if TYPE_CHECKING:
    from nlpviz.results.ngram_counts import NgramCounts
    from nlpviz.results.regions import PredictiveRegions, Region

SHOWN = 5
ORDERS = ("total", "mean")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    sources = add_texts(parser, required=False)
    sources.add_argument("--corpus", action="store_true", help="list the top n-grams over all test documents")
    add_checkpoint(parser)
    parser.add_argument(
        "--rank", default=RANKS[0], choices=RANKS, help="measure that ranks a text’s regions (default: %(default)s)"
    )
    parser.add_argument(
        "--count", type=positive, help="number of n-grams per size and sign (default: 5; all with --json)"
    )
    parser.add_argument(
        "--order",
        default=ORDERS[0],
        choices=ORDERS,
        help="order of the top n-grams: by contribution summed over documents, or mean per document "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--support", type=positive, default=30, help="minimum number of documents (default: %(default)s)"
    )
    parser.add_argument("--unseen", action="store_true", help="only n-grams that do not occur in the training texts")
    parser.add_argument(
        "--without-ratings", action="store_true", help="exclude n-grams that contain part of a rating, such as 7/10"
    )
    add_file(parser, required=False)


def _run(options: argparse.Namespace) -> None:
    run = run_for("regions", options.run)
    if asks_file(options):
        _answer_file(run, options)
        return
    if options.corpus:
        _top_ngrams(run, options)
        return
    target, texts = target_of(run, options), texts_of(options)
    from nlpviz.analysis.inspection.regions import predictive_regions

    trained, counts = run.load(options.epoch), ngram_counts(run.corpus["name"])
    if options.unseen and counts is None:
        raise UsageError(f"No run stores the n-gram counts of {run.corpus['name']!r}. Omit --unseen.")
    results = (predictive_regions(trained, text, target) for text in texts)
    how: dict[str, Any] = {"options": options, "counts": counts}
    print_answers(options, results, partial(_facts, **how), partial(_in_words, **how))


def _answer_file(run: Run, options: argparse.Namespace) -> None:
    """Write the strongest regions of every row of a file."""
    if options.corpus or options.unseen or options.without_ratings:
        raise UsageError("--corpus, --unseen and --without-ratings cannot be combined with --texts.")
    count = options.count or SHOWN
    answer(run, "regions", options, target=target_of(run, options), rank=options.rank, count=count)


def _ranked(
    result: PredictiveRegions, options: argparse.Namespace, counts: NgramCounts | None, size: int, count: int | None
) -> list[tuple[Region, int | None]]:
    """Return the regions of one size as they were asked for, each with how often it stood in training."""
    ranked = result.ranked(options.rank, size)
    wanted = [region for region in ranked if not (options.without_ratings and result.holds_rating(region))]
    seen = ((region, _seen(region, counts)) for region in wanted)
    return [(region, times) for region, times in seen if not options.unseen or times == 0][:count]


def _seen(region: Region, counts: NgramCounts | None) -> int | None:
    return counts.of(region.words) if counts is not None and len(region.words) <= counts.longest else None


def _facts(result: PredictiveRegions, options: argparse.Namespace, counts: NgramCounts | None) -> dict[str, Any]:
    """Return one text's regions as JSON holds them; contributions, bias and residual are the class score."""
    return {
        **as_json(result, "run", "epoch"),
        "text": result.encoded.text,
        "target": result.class_names[result.target],
        "probabilities": dict(zip(result.class_names, result.probabilities, strict=True)),
        **as_json(result, "class_score", "bias", "residual"),
        "rank": options.rank,
        "regions": [
            {
                **as_json(region, "size", "ngram"),
                "start": region.span[0],
                "end": region.span[1],
                **as_json(region, "contribution", "norm"),
                "filters": region.won,
                "seen_in_training": times,
            }
            for branch in result.branches
            for region, times in _ranked(result, options, counts, branch.size, options.count)
        ],
    }


def _in_words(result: PredictiveRegions, options: argparse.Namespace, counts: NgramCounts | None) -> list[str]:
    """Return what a person wants to read of one text's regions."""
    predicted, target = result.class_names[result.predicted], result.class_names[result.target]
    lines = [
        f"{predicted} {result.probabilities[result.predicted]:.1%} (epoch {result.epoch}); score of {target} "
        f"{result.class_score:+.3f} = bias {result.bias:+.3f} + regions {result.class_score - result.bias:+.3f}"
    ]
    for branch in result.branches:
        shown = [
            f'"{region.ngram}" {_value(region, options.rank)}' + (" (not in the training texts)" if times == 0 else "")
            for region, times in _ranked(result, options, counts, branch.size, options.count or SHOWN)
        ]
        lines.append(f"  size {branch.size}: {', '.join(shown) or 'none'}")
    return lines


def _value(region: Region, rank: str) -> str:
    return f"{region.norm:.2f}" if rank == "norm" else f"{region.contribution:+.2f}"


def _top_ngrams(run: Run, options: argparse.Namespace) -> None:
    """Print the strongest n-grams of the test documents, each way and of each size, for the last class or another."""
    from nlpviz.runs.surveys import top_ngrams

    if options.target is not None and len(run.class_names) == 2:
        raise UsageError(
            f"--target needs a text, because the top n-grams are always listed for and against {run.class_names[-1]}."
        )
    target = target_of(run, options)
    target = len(run.class_names) - 1 if target is None else target
    name = run.class_names[target]
    epoch = run.best_epoch if options.epoch is None else options.epoch
    count = options.count or (None if options.json else SHOWN)
    value = attrgetter("total" if options.order == "total" else "contribution")
    result = sorted(top_ngrams(run, epoch, target), key=value, reverse=True)
    rows = [row for row in result if (row.seen == 0 if options.unseen else row.support >= options.support)]
    rows = [row for row in rows if not (options.without_ratings and row.of_rating)]
    sizes = sorted({row.size for row in rows})
    sides = {
        size: {
            "for": [row for row in rows if row.size == size and row.contribution > 0][:count],
            "against": [row for row in reversed(rows) if row.size == size and row.contribution < 0][:count],
        }
        for size in sizes
    }
    if options.json:
        facts = {
            str(size): {side: [row._asdict() for row in said] for side, said in both.items()}
            for size, both in sides.items()
        }
        print_json({"run": run.name, "epoch": epoch, "target": name, "board": facts})
        return
    for size, both in sides.items():
        for side, said in both.items():
            words = [
                f'"{row.ngram}" {row.contribution:+.2f} ({row.support:,} documents, {row.precision:.0%})'
                for row in said
            ]
            print(f"size {size}, {side} {name}: {', '.join(words) or 'none'}")


COMMAND = Command("regions", "show which n-grams drive one prediction or all predictions", _add_arguments, _run)
