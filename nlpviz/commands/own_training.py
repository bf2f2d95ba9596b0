"""What ``train`` takes for a person's own texts, and what it says of them before and after."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from nlpviz.commands import UsageError, say
from nlpviz.kinds import after_training
from nlpviz.runs import Run

if TYPE_CHECKING:
    from nlpviz.training.own_tasks import OwnRequest

_FLAGS = (
    "text", "label", "group", "time", "delimiter", "encoding", "test", "held_out", "model", "tokens",
    "translations", "languages", "test_translations", "images", "seed", "keep_texts", "look",
)  # fmt: skip


def add_own(parser: argparse.ArgumentParser) -> None:
    """Let ``train`` take a person's own texts."""
    own = parser.add_argument_group("your own texts", "What is not said is guessed from the file, and said.")
    own.add_argument(
        "--texts", metavar="FILE", help="CSV, TSV, JSON lines, Parquet, a folder of folders, or plain text"
    )
    own.add_argument("--text", metavar="COLUMN", help="the column of the texts")
    own.add_argument("--label", metavar="COLUMN", help="the column of the labels")
    own.add_argument(
        "--model", metavar="MODEL[,MODEL…]",
        help="for classes such as cnn, lstm, han or transformer (default: cnn); for word vectors such as skip-gram or "
        "glove; for a language model such as lstm-lm or kneser-ney; for a translator such as general or transformer; "
        "for captions soft or hard, the attention",
    )  # fmt: skip
    own.add_argument("--tokens", choices=("words", "characters"), help="which a language model predicts")
    own.add_argument(
        "--translations",
        metavar="COLUMN|FILE",
        help="for a translator: the column of the translations, or a second file with a line for each of the first",
    )
    own.add_argument(
        "--languages",
        metavar="FROM-TO",
        help="of a translator, such as en-fr; with a comma between names that have a hyphen (default: as columns or "
        "files are called)",
    )
    own.add_argument(
        "--images",
        metavar="FOLDER",
        help="for captions: the images that --texts, a file in COCO's form (JSON), has captions of",
    )
    own.add_argument("--test", metavar="FILE", help="test on the texts of this file")
    own.add_argument(
        "--test-translations", metavar="FILE", help="their translations, where --translations is a file as well"
    )
    own.add_argument(
        "--held-out",
        type=float,
        metavar="SHARE",
        help="test on such a share of the texts (default: 0.2; of running text and pairs 0.1)",
    )
    own.add_argument(
        "--group", metavar="COLUMN", help="texts with one value here, such as an author, are held out together"
    )
    own.add_argument("--time", metavar="COLUMN", help="the latest texts by this column are held out")
    own.add_argument("--keep-texts", action="store_true", help="keep the texts in the runs, which else hold none")
    own.add_argument("--seed", type=int, help="of all that is drawn (default: 0)")
    own.add_argument("--delimiter", metavar="SIGN", help="what parts the columns, such as ';' or tab")
    own.add_argument("--encoding", help="such as utf-8, utf-16 or cp1252")
    own.add_argument("--look", action="store_true", help="say what there is, train nothing")


def is_own(options: argparse.Namespace) -> bool:
    """Return whether it is a person's own texts that are to be trained on."""
    return options.texts is not None or _names_recipe(options)


def check_own(options: argparse.Namespace) -> None:
    """Refuse options that do not go together.

    Raises:
        UsageError: if one is for own texts and there are none, or the recipe says already what an option says.
    """
    given = [flag for flag in _FLAGS if getattr(options, flag) not in (None, False)]
    if given and options.texts is None:
        flag = given[0].replace("_", "-")
        raise UsageError(f"--{flag} is for texts of your own: give their file with --texts.")
    if options.texts is not None and (options.all or not options.recipe):
        raise UsageError("--texts needs a name for the run, such as `train my-tickets --texts tickets.csv`.")
    if _names_recipe(options) and (options.texts is not None or options.epochs or options.vectors):
        raise UsageError(f"{options.recipe} says what to train: --device and --minutes alone go with it.")


def train_own(options: argparse.Namespace, finish: Callable[[Run], None]) -> None:
    """Look at the texts, say what there is, train, and say what the runs reach."""
    from nlpviz.own_texts.recipe import read_recipe
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
            raise UsageError(
                f"These runs are there already: `train` with the recipe.toml of {folder} makes them again."
            )
    made = list(make(recipe, Options(options.device, say=say), finish, again=again))
    for run in made:
        print("\n".join([*after_training.said(Run.open(run.folder)), f"{run.name}: {run.folder}", ""]))


def _names_recipe(options: argparse.Namespace) -> bool:
    return bool(options.recipe) and options.recipe.endswith(".toml")


def _request(options: argparse.Namespace) -> OwnRequest:
    """Return what a person asked for."""
    from nlpviz.own_texts import Source
    from nlpviz.own_texts.pairs import languages_in
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
