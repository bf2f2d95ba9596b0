"""Translators as figures compare them: what each reaches, and what the one setting changes in which two differ."""

from __future__ import annotations

from nlpviz.figures.translation.bleu import RunBleu
from nlpviz.results.bleu import ChangedSetting, differences_by_length, paired_bootstrap
from nlpviz.run_kinds import history
from nlpviz.runs import Run
from nlpviz.runs.translators import read_bleu, read_sentences
from nlpviz.text.languages import pair_title

_SWITCH = {False: "off", True: "on"}


def run_bleu(run: Run) -> RunBleu:
    """Return the BLEU of a translator: after each epoch, and on the test sentences at the chosen one.

    Raises:
        RunError: if a file of the run is missing or damaged.
    """
    rows = [row for row in read_bleu(run) if row.epoch == run.best_epoch]
    title = _without_languages(run).partition(f" on {run.corpus['name']}, ")[0]
    return RunBleu(run.name, title, run.best_epoch, history(run), rows)


def changed_setting(first: Run, second: Run) -> ChangedSetting:
    """Return what changes from one translator to another, whose configurations differ in one setting alone.

    Raises:
        RunError: if a run keeps no BLEU of single sentences.
        ValueError: if they differ in no setting or in several.
    """
    (setting,) = (name for name, value in first.config.items() if second.config.get(name) != value)
    values = [_SWITCH.get(run.config[setting], str(run.config[setting])) for run in (first, second)]
    before, after = read_sentences(first), read_sentences(second)
    return ChangedSetting(
        runs=f"{first.name},{second.name}",
        setting=setting.replace("_", " "),
        before=values[0],
        after=values[1],
        first=_without_languages(first),
        second=_without_languages(second),
        whole=paired_bootstrap(after, before),
        by_length=differences_by_length(after, before),
    )


def _without_languages(run: Run) -> str:
    return run.title.removeprefix(f"{pair_title(run.recipe['source'], run.recipe['target'])}, ")
