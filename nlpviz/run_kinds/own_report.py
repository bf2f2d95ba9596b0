"""``evaluate RUN --texts FILE`` for classifiers: the report on the user's labelled file, in lines and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from nlpviz.results.assessment import Assessment
from nlpviz.results.own_evaluation import FileEvaluation, RunOnFile
from nlpviz.run_kinds.own_evaluation import FileRequest, evaluate_file
from nlpviz.run_kinds.own_predictions import check_place, write_predictions
from nlpviz.run_kinds.own_report_lines import compared, lines
from nlpviz.run_kinds.own_rows import read_mapping
from nlpviz.run_kinds.parts import Evaluation, Request
from nlpviz.runs import Run, open_run


def report(run: Run, request: Request) -> Evaluation:
    """Return the report on a run, or two, on the user's labelled file; write the predictions if requested.

    Raises:
        UsageError: if it cannot be measured, or the predictions cannot be written.
        RunError: if a run is missing, damaged or keeps no such epoch.
        OwnTextsError: if the file cannot be read.
    """
    from nlpviz.data.own_texts import Source, open_source

    said = {key: value or "" for key, value in request.options.items()}
    place: Path | None = request.options.get("predictions")
    if place is not None:
        check_place(place)
    source = Source(
        str(said["texts"]),
        text=said["text"],
        label=said["label"],
        delimiter=said["delimiter"],
        encoding=said["encoding"],
    )
    wanted = FileRequest(
        epoch=request.options.get("epoch"),
        mapping=read_mapping(said["mapping"]) if said["mapping"] else {},
        column=said["slice"],
        keep_texts=bool(said["keep_texts"]),
        device=request.device,
    )
    runs = [run, *([open_run(said["against"])] if said["against"] else [])]
    found = evaluate_file(runs, open_source(source), wanted, request.say)
    if place is not None:
        write_predictions(place, found)
    return Evaluation(facts(found, place), [*lines(found), *([f"Predictions: {place}"] if place else [])])


def facts(found: FileEvaluation, place: Path | None = None) -> dict[str, Any]:
    """Return an evaluation as JSON holds it; a text stands in it only where texts were kept."""
    first, *others = (_facts(one, keep_texts=found.texts is not None) for one in found.runs)
    result = {**first, "file": asdict(found.rows)}
    if found.comparison is not None:
        pair = compared(found.comparison, found.runs[0].assessment.run)
        names = ("difference", "interval", "p", "first_only", "other_only")
        result |= {"against": others[0], "comparison": dict(zip(names, pair, strict=True))}
    return result | ({} if place is None else {"predictions": str(place)})


def _facts(one: RunOnFile, *, keep_texts: bool) -> dict[str, Any]:
    whole, names = one.assessment, one.assessment.confusion.class_names
    known = whole.calibration
    return {
        "run": whole.run,
        "epoch": whole.epoch,
        "accuracy": whole.accuracy,
        "interval": list(whole.interval),
        "loss": known.scores.loss if known.scores else None,
        "documents": whole.documents,
        "macro_f1": whole.macro_f1,
        "majority": {"class": names[whole.majority], "accuracy": whole.majority_accuracy},
        "classes": [score._asdict() for score in whole.classes],
        "confusion": whole.confusion.counts.tolist(),
        "calibration": {
            "confidence": known.confidence,
            "error": known.error,
            "by_chance": known.by_chance._asdict(),
            "bins": [each._asdict() for each in known.bins],
            "brier": known.scores.brier if known.scores else None,
            "temperature": _temperature(whole),
        },
        "slices": {part.by: [each._asdict() for each in part.slices] for part in (one.lengths, one.column) if part},
        "words": [word._asdict() for word in one.words.words],
        "words_tested": one.words.tested,
        "errors": [
            {"row": error.row, "label": names[error.label], "predicted": names[error.predicted]}
            | {"probability": error.probability}
            | ({"text": error.text} if keep_texts else {})
            for error in one.errors
        ],
    }


def _temperature(whole: Assessment) -> dict[str, Any] | None:
    known = whole.calibration.temperature
    return None if known is None else {**known._asdict(), "scores": known.scores._asdict()}
