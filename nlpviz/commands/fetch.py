"""``fetch CORPUS``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, NoReturn

from nlpviz.commands import Command, named
from nlpviz.data import corpora

if TYPE_CHECKING:
    from tqdm import tqdm


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("corpus", help="for example imdb")


def _run(options: argparse.Namespace) -> None:
    from tqdm import tqdm

    from nlpviz.data.files import fetch

    corpus = named(corpora(), options.corpus, "corpus")
    if corpus.drawn:
        print(f"{corpus.title} is drawn by the project itself: there is nothing to fetch.")
        return
    for part in corpus.parts or (corpus,):
        with tqdm(total=part.size, unit="B", unit_scale=True, unit_divisor=1024, desc=part.file, leave=False) as bar:

            def show(arrived: int, expected: int, bar: tqdm[NoReturn] = bar) -> None:
                bar.total = expected
                bar.update(arrived - bar.n)

            path = fetch(part, show)
    print(f"{corpus.title}: {path.parent if corpus.parts else path}")


COMMAND = Command("fetch", "download a corpus, verified", _add_arguments, _run)
