"""The report on runs on the user's labelled file, as lines to print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nlpviz.results.assessment import Assessment
from nlpviz.results.comparison import Comparison
from nlpviz.results.errors import ErrorWords, Slices
from nlpviz.results.own_evaluation import FileEvaluation, RunOnFile
from nlpviz.run_kinds.own_rows import left_out
from nlpviz.stats.significance import LEVEL, Interval, PairedDifference
from nlpviz.text.vocabulary import shortened

_WORDS, _ERRORS = 10, 10
_MATRIX = 12  # classes of which a confusion matrix is printed
_NAME = 24  # letters of a class


def compared(found: Comparison, first: str) -> PairedDifference:
    """Return how two runs differ, the one called ``first`` less the other: a comparison has the better one first."""
    (pair,) = found.pairs.values()
    if found.runs[0] == first:
        return pair
    turned = Interval(-pair.interval.high, -pair.interval.low)
    return PairedDifference(-pair.difference, turned, pair.p, pair.second_only, pair.first_only)


def lines(found: FileEvaluation) -> list[str]:
    """Return an evaluation in lines for a person."""
    result = [*found.rows.guesses]
    for one in found.runs:
        result += [*assessment_lines(one.assessment), ""]
        for part in (one.lengths, one.column):
            if part is not None:
                result += [*_slices(part), ""]
        result += [*_words(one.words), *_errors(one), ""]
    if found.comparison is not None:
        result += [_comparison_said(found.comparison, found.runs), ""]
    missed = left_out(found.rows)
    return [*result, f"{found.rows.measured:,} of {found.rows.read:,} rows evaluated; excluded: {missed or 'none'}."]


def assessment_lines(whole: Assessment) -> list[str]:
    """Return how good a classifier is in lines: accuracy, each class, confusion, calibration."""
    known, names = whole.calibration, [shortened(one.name, _NAME) for one in whole.classes]
    which = f"{whole.run}, epoch {whole.epoch}" if whole.epoch else whole.run
    loss = f", loss {known.scores.loss:.3f} nats" if known.scores else ""
    width = max(map(len, names))
    result = [
        f"{which}: accuracy {whole.accuracy:.2%} (95% interval {whole.interval.low:.2%} to {whole.interval.high:.2%})"
        f"{loss}, {whole.documents:,} texts from {whole.source}",
        f"Macro F1 {whole.macro_f1:.1%}. Accuracy of always predicting {names[whole.majority]!r}, the "
        f"majority class: {whole.majority_accuracy:.1%}.",
        "",
        f"{'class':{width}}  {'texts':>8} {'predicted':>9} {'precision':>9} {'recall':>8} {'F1':>8}",
    ]
    result += [
        f"{name:{width}}  {one.support:>8,} {one.predicted:>9,} {one.precision:>9.1%} {one.recall:>8.1%} {one.f1:>8.1%}"
        for name, one in zip(names, whole.classes, strict=True)
    ]
    if len(names) <= _MATRIX:
        size = max(8, *(len(name) + 1 for name in names))
        result += [
            "",
            "Confusion matrix (rows: true labels, columns: predicted classes):",
            f"{'':{width}} {_row(names, size)}",
        ]
        result += [
            f"{name:{width}} {_row([f'{count:,}' for count in row], size)}"
            for name, row in zip(names, whole.confusion.counts.tolist(), strict=True)
        ]
    return [*result, "", whole.calibration_said, *_temperature_said(whole)]


def _row(cells: Sequence[str], size: int) -> str:
    return "".join(f"{cell:>{size}}" for cell in cells)


def _temperature_said(whole: Assessment) -> Iterator[str]:
    known = whole.calibration
    if known.temperature is None or known.scores is None:
        return
    fitted = (
        "fitted on the run’s validation texts"
        if known.temperature.fitted_on == "validation"
        else "fitted on the file by five-fold cross-fitting, since the run stores no validation texts"
    )
    after = known.temperature.scores
    yield (
        f"With a temperature of {known.temperature.value:.2f}, {fitted}: loss {known.scores.loss:.3f} to "
        f"{after.loss:.3f} nats, Brier score {known.scores.brier:.3f} to {after.brier:.3f}, calibration error "
        f"{known.error:.1%} to {known.temperature.error:.1%}."
    )


def _slices(part: Slices) -> Iterator[str]:
    names = [shortened(one.name) for one in part.slices]
    width = max([len(f"by {part.by}"), *map(len, names)])
    yield f"{f'by {part.by}':{width}}  {'texts':>8} {'accuracy':>9}  {'95% interval':>16}  adjusted p"
    for name, one in zip(names, part.slices, strict=True):
        mark = "  differs from the rest" if one.significant else ""
        ends = f"{one.interval.low:.1%} to {one.interval.high:.1%}"
        yield f"{name:{width}}  {one.texts:>8,} {one.accuracy:>9.1%}  {ends:>16}  {one.q:.3f}{mark}"


def _words(words: ErrorWords) -> Iterator[str]:
    found = [word for word in words.words if word.significant]
    if not found:
        yield (
            f"None of the {words.tested:,} words in at least {words.least} texts is significantly associated "
            "with errors (Fisher’s exact test, corrected for multiple testing)."
        )
        return
    yield f"Words associated with errors or correct predictions ({words.tested:,} words tested, adjusted p < 0.05):"
    for word in found[:_WORDS]:
        yield (
            f"  {shortened(word.word)}: {word.errors:,} of {word.texts:,} texts with this word misclassified "
            f"({word.share:.1%}; without it {word.outside:.1%}), odds ratio {word.odds_ratio:.2g}, "
            f"adjusted p {word.q:.2g}"
        )
    if len(found) > _WORDS:
        yield f"  … {len(found) - _WORDS:,} more"


def _errors(one: RunOnFile) -> Iterator[str]:
    names = one.assessment.confusion.class_names
    if one.errors:
        yield "Most confident errors:"
    for error in one.errors[:_ERRORS]:
        yield f"  row {error.row:,}: {names[error.predicted]} {error.probability:.1%}, labelled {names[error.label]}"


def _comparison_said(comparison: Comparison, runs: Sequence[RunOnFile]) -> str:
    first, other = (one.assessment.run for one in runs)
    found = compared(comparison, first)
    low, high = (100 * end for end in found.interval)
    verdict = "differ significantly" if found.p < LEVEL else "do not differ significantly"
    return (
        f"{first} and {other} {verdict} on these texts: {100 * found.difference:+.2f} points (95% interval {low:+.2f} "
        f"to {high:+.2f}), McNemar’s test p = {found.p:.3g}; {found.first_only:,} texts are classified correctly only "
        f"by {first}, {found.second_only:,} only by {other}."
    )
