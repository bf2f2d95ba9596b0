"""Word vectors: tables of an input and an output vector a word, and analogy questions that each epoch answers."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from pathlib import Path

from nlpviz.results.history import WordEpoch
from nlpviz.results.projection import WordMap
from nlpviz.run_kinds import EPOCH, Answer, Column, Criterion, Curve, Headline, Kind, Measure, Option, Say
from nlpviz.run_kinds.word_evaluation import AMONG, METHODS, evaluate, evaluate_file
from nlpviz.runs import Run
from nlpviz.runs.analogies import ANALOGIES
from nlpviz.runs.documents import MAPS
from nlpviz.runs.run import HISTORY, VOCABULARY
from nlpviz.runs.vectors import KIND as NAME
from nlpviz.runs.weights import all_weights

NOISE = 0.009
"""The two halves of the questions differ by 1.8 points with CBOW's vectors: the whole by half of that."""
# No interval: each section asks about every two of its few pairs of words, so that questions depend on each other.
ON_ANALOGIES = Headline("Analogies", "analogies", "accuracy", ".2%", on="analogies")


def _files(run: Run) -> frozenset[str]:
    """Return the files of a run: words, the vectors of the kept epochs, the questions that these answer, maps."""
    from nlpviz.analysis.projections.stored_words import maps_are_kept

    maps = (MAPS,) * maps_are_kept(run.config["vocabulary_size"])
    return frozenset({VOCABULARY, HISTORY, ANALOGIES, *maps, *all_weights(run.epochs, run.files)})


def _maps(run: Run, seed: int, say: Say) -> Sequence[WordMap]:
    """Compute the maps of a run's commonest words, write them into its folder and return them."""
    from nlpviz.analysis.projections.stored_words import project_words
    from nlpviz.runs.word_maps import write_word_maps

    maps = project_words(run, seed, say)
    write_word_maps(run, maps)
    return maps


def _finish(run: Run, say: Say) -> Run:
    from nlpviz.analysis.projections.stored_words import maps_are_kept

    if maps_are_kept(run.config["vocabulary_size"]):
        _maps(run, 0, say)
    return Run.open(run.folder)


def _positive(value: str) -> int:
    number = int(value)
    if number < 1:
        raise ValueError(value)
    return number


def _learnt(run: Run, history: Sequence[WordEpoch]) -> tuple[Answer, ...]:
    """Say what the vectors answer, and what became of the loss."""
    test = run.metrics.get("analogies", {"accuracy": float("nan"), "questions": 0})
    pieces: dict[str, object] = {"share": test["accuracy"], "questions": test["questions"], "epoch": run.best_epoch}
    if not test["questions"]:
        sentence = "No analogy question has all four words in the vocabulary, so accuracy was not measured."
    elif len(history) > 1:
        pieces |= {"first": history[0].epoch, "before": history[0].accuracy}
        sentence = (
            "After the last epoch ({epoch}), **{share:.1%}** of {questions:,.0f} analogy questions are answered "
            "correctly; after epoch {first}, {before:.1%}."
        )
    else:
        sentence = (
            "Computed in one step, without epochs. **{share:.1%}** of {questions:,.0f} analogy questions "
            "are answered correctly."
        )
    answers = [Answer(sentence, pieces)]
    losses = [record for record in history if not isnan(record.loss)]
    if len(losses) > 1:
        way = {"first": losses[0].epoch, "last": losses[-1].epoch, "from": losses[0].loss, "to": losses[-1].loss}
        went = "fell" if losses[-1].loss < losses[0].loss else "went"
        said = "from {from:.3f} in epoch {first} to {to:.3f} in epoch {last}."
        answers.append(Answer(f"The loss {went} {said}", way))
    return tuple(answers)


def _reading(run: Run) -> str:
    return f"""
**Loss** is the model’s own training loss, averaged over an epoch while the vectors were still changing. The loss
depends on the model, so its values cannot be compared between models. The loss is undefined before training and for a
matrix factorisation (PPMI-SVD). **Analogies** are Google’s questions (Mikolov et al. 2013): *king* is to *queen* as
*man* is to what? The answer is the nearest word by 3CosAdd, excluding the three words of the question. Only questions
with all four words in the vocabulary of {run.config["vocabulary_size"]:,} words count. The curve uses
single-precision vectors. The table uses the stored vectors, which are quantised to 8 bits per number. These questions
were also used to compare settings; see the model card.
"""


KIND = Kind(
    name=NAME,
    says="is a set of word vectors",
    table="Word vectors",
    headline=ON_ANALOGIES,
    criterion=Criterion("analogies", "accuracy", NOISE),
    evaluate=evaluate,
    evaluate_file=evaluate_file,
    columns=(
        Column(ON_ANALOGIES.name, lambda run: f"{run.metrics['analogies']['accuracy']:.1%}"),
        Column("of", lambda run: f"{run.metrics['analogies']['questions']:,.0f}"),
        Column("Words", lambda run: f"{run.config['vocabulary_size']:,} × {run.config['dimensions']}"),
        Column("Epochs", lambda run: f"{run.best_epoch}"),
    ),
    record=WordEpoch,
    measures=(
        Measure("loss", "training loss", (Curve("loss", "train"),), ".3f"),
        Measure("analogies", "analogy accuracy", (Curve("accuracy", "analogies"),), ".1%"),
    ),
    files=_files,
    learnt=_learnt,
    reading=_reading,
    options=(
        EPOCH,
        Option("--questions", Path, "file of analogies in Google’s format (default: Google’s own)"),
        Option(
            "--pairs",
            Path,
            "file with a word pair and its score per line; analogies are then evaluated only with --questions",
        ),
        Option("--method", str, f"scoring method for analogies (default: {METHODS[0]})", METHODS),
        Option(
            "--among", _positive, f"number of most frequent words among which answers are searched (default: {AMONG:,})"
        ),
        Option("--output-vectors", None, "use output vectors (default: input vectors)"),
    ),
    finish=_finish,
    maps=_maps,
    commands=("analogy", "export", "neighbours", "project", "similarity"),
    refusals={"survey": "cannot be surveyed, because it is a set of word vectors"},
    pages=("Words",),
    worth=lambda run: (ON_ANALOGIES.rank(run),),
    order=20,
)
