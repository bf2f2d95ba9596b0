"""The options of ``train`` for user data, and what it reports before and after training."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from nlpviz.commands import UsageError, say
from nlpviz.run_kinds import after_training
from nlpviz.runs import Run

if TYPE_CHECKING:
    from nlpviz.training.own_tasks import OwnRequest

_FLAGS = (
    "text", "label", "group", "time", "delimiter", "encoding", "test", "held_out", "model", "tokens",
    "translations", "languages", "test_translations", "images", "seed", "keep_texts", "look",
)  # fmt: skip


def add_own(parser: argparse.ArgumentParser) -> None:
    """Let ``train`` take user data."""
    own = parser.add_argument_group(
        "your own texts", "Settings that you leave out are detected from the file and reported."
    )
    own.add_argument(
        "--texts",
        metavar="FILE",
        help="your texts: CSV, TSV, JSON lines, Parquet, plain text, or a folder with one subfolder per class",
    )
    own.add_argument("--text", metavar="COLUMN", help="text column (default: detected)")
    own.add_argument("--label", metavar="COLUMN", help="label column (default: detected)")
    own.add_argument(
        "--model", metavar="MODEL[,MODEL…]",
        help="models to train: classifiers such as cnn, lstm, han or transformer (default: cnn); word vectors such as "
        "skip-gram or glove; language models such as lstm-lm or kneser-ney; translators such as general or "
        "transformer; captioners with soft or hard attention",
    )  # fmt: skip
    own.add_argument("--tokens", choices=("words", "characters"), help="tokens that a language model predicts")
    own.add_argument(
        "--translations",
        metavar="COLUMN|FILE",
        help="for a translator: translation column, or a second file aligned line by line",
    )
    own.add_argument(
        "--languages",
        metavar="FROM-TO",
        help="languages of a translator, such as en-fr; use a comma if a name contains a hyphen (default: "
        "names of the columns or files)",
    )
    own.add_argument(
        "--images",
        metavar="FOLDER",
        help="for captions: image folder; --texts is then a JSON file of captions in COCO format",
    )
    own.add_argument("--test", metavar="FILE", help="file of test texts")
    own.add_argument(
        "--test-translations", metavar="FILE", help="file of test translations, if --translations is a file too"
    )
    own.add_argument(
        "--held-out",
        type=float,
        metavar="SHARE",
        help="share of the texts held out for testing (default: 0.2; 0.1 for running text and sentence pairs)",
    )
    own.add_argument(
        "--group",
        metavar="COLUMN",
        help="group column: texts with the same value, such as the same author, stay in one split",
    )
    own.add_argument("--time", metavar="COLUMN", help="date column: the latest texts are held out")
    own.add_argument(
        "--keep-texts", action="store_true", help="store the texts in the run (default: texts are not stored)"
    )
    own.add_argument("--seed", type=int, help="random seed (default: 0)")
    own.add_argument("--delimiter", metavar="CHARACTER", help="column delimiter, such as ';' or tab")
    own.add_argument("--encoding", help="text encoding, such as utf-8, utf-16 or cp1252")
    own.add_argument("--look", action="store_true", help="describe the texts without training")


def is_own(options: argparse.Namespace) -> bool:
    """Return whether the training uses user data."""
    return options.texts is not None or _names_recipe(options)


def check_own(options: argparse.Namespace) -> None:
    """Refuse options that do not go together.

    Raises:
        UsageError: if one is for own texts and there are none, or the recipe says already what an option says.
    """
    given = [flag for flag in _FLAGS if getattr(options, flag) not in (None, False)]
    if given and options.texts is None:
        flag = given[0].replace("_", "-")
        raise UsageError(f"--{flag} applies to your own texts. Name the text file with --texts.")
    if options.texts is not None and (options.all or not options.recipe):
        raise UsageError("--texts needs a name for the run, such as `train my-tickets --texts tickets.csv`.")
    if _names_recipe(options) and (options.texts is not None or options.epochs or options.vectors):
        raise UsageError(f"{options.recipe} already defines the training, so only --device and --minutes can be added.")


def train_own(options: argparse.Namespace, finish: Callable[[Run], None]) -> None:
    """Look at the texts, say what there is, train, and say what the runs reach."""
    from nlpviz.data.own_texts.recipe import read_recipe
    from nlpviz.training import Options
    from nlpviz.training.own import is_complete, make
    from nlpviz.training.own_plan import plan

    again = False
    if _names_recipe(options):
        recipe = read_recipe(Path(options.recipe))
        again = is_complete(recipe)
    else:
        planned = plan(_request(options))
        recipe = planned.recipe
        for line in planned.report.lines():
            say(line)
        if options.look:
            return
        if is_complete(recipe):
            folder = next(iter(recipe.runs)).name
            raise UsageError(f"These runs already exist. To train them again, pass recipe.toml in {folder} to `train`.")
    made = list(make(recipe, Options(options.device, say=say), finish, again=again))
    for run in made:
        print("\n".join([*after_training.said(Run.open(run.folder)), f"{run.name}: {run.folder}", ""]))


def _names_recipe(options: argparse.Namespace) -> bool:
    return bool(options.recipe) and options.recipe.endswith(".toml")


def _request(options: argparse.Namespace) -> OwnRequest:
    """Return what a person asked for."""
    from nlpviz.data.own_texts import Source
    from nlpviz.data.own_texts.pairs import languages_in
    from nlpviz.training.own_tasks import NO_VECTORS, OwnRequest

    columns = {
        name: getattr(options, name) or "" for name in ("text", "label", "group", "time", "delimiter", "encoding")
    }
    return OwnRequest(
        name=options.recipe,
        source=Source(options.texts, **columns),
        models=tuple(name.strip() for name in options.model.split(",")) if options.model else (),
        test=options.test or "",
        held_out=options.held_out,
        vectors=options.vectors or NO_VECTORS,
        tokens=options.tokens or "",
        translations=options.translations or "",
        test_translations=options.test_translations or "",
        languages=languages_in(options.languages or ""),
        images=options.images or "",
        epochs=options.epochs,
        seed=options.seed or 0,
        keep_texts=options.keep_texts,
    )
