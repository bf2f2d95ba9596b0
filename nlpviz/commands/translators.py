"""What the commands for translators share: which translator is asked, and its BLEU on texts. No command."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nlpviz.commands import UsageError, paired_lines, print_json, teller
from nlpviz.runs import Run, RunError, list_runs, open_run
from nlpviz.runs.translators import KIND


def translator_run(name: str) -> Run:
    """Return the translator called ``name``.

    Raises:
        RunError: if it is none, naming those there are.
    """
    run = open_run(name)
    if run.kind != KIND:
        there = ", ".join(other.name for other in list_runs()[0].values() if other.kind == KIND) or "none"
        raise RunError(f"The run {name!r} translates nothing: it is a {run.kind}. The translators are {there}.")
    return run


def evaluate_translator(run: Run, asked: argparse.Namespace) -> None:
    """Print the BLEU of a run: of its corpus's test split, or of a person's own sentences and references."""
    from nlpviz.decoding.bleu import SIGNATURE

    epoch = run.check_epoch(run.best_epoch if asked.epoch is None else asked.epoch)
    measured = _measured(run, epoch, asked)
    facts = {"run": run.name, "epoch": epoch, "beam": run.recipe["width"], "penalty": run.recipe["penalty"]}
    if asked.json:
        print_json({**facts, **measured, "signature": SIGNATURE})
        return
    noun = "sentence" if measured["sentences"] == 1 else "sentences"
    print(
        f"{run.name}, epoch {epoch}: BLEU {measured['bleu']:.2f} ({measured['bleu_with_case']:.2f} with case), "
        f"{measured['sentences']:,} {noun}, {measured['sentences_per_second']:.0f} a second, beam of "
        f"{run.recipe['width']}, length penalty {run.recipe['penalty']:g}\n{SIGNATURE}"
    )


def _measured(run: Run, epoch: int, asked: argparse.Namespace) -> dict[str, Any]:
    if (asked.texts is None) != (asked.references is None):
        raise UsageError("Give --texts and --references together: BLEU compares translations with references.")
    own = None if asked.texts is None else _own(asked.texts, asked.references)
    from nlpviz.training import Options
    from nlpviz.training.translator import evaluate, loaded
    from nlpviz.training.translator_bleu import measure

    options = Options(device=asked.device, say=teller(asked))
    return evaluate(run.name, options, epoch) if own is None else measure(loaded(run, epoch, options), *own).facts


def _own(texts: Path, references: Path) -> tuple[Sequence[str], Sequence[str]]:
    """Return a person's own sentences and their references."""
    lines, others = paired_lines(texts, references, "reference")
    for path, of_path in ((texts, lines), (references, others)):
        for number, line in enumerate(of_path, start=1):
            if not line.strip():
                raise UsageError(f"Line {number:,} of {path} is blank: BLEU compares sentences with their references.")
    return lines, others
