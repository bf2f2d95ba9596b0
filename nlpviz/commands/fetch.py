"""``fetch CORPUS``."""

from __future__ import annotations

import argparse

from nlpviz.commands import Command, named
from nlpviz.data import corpora


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("corpus", help="for example imdb")


def _run(asked: argparse.Namespace) -> None:
    from tqdm import tqdm

    from nlpviz.data.files import fetch

    corpus = named(corpora(), asked.corpus, "corpus")
    with tqdm(total=corpus.size, unit="B", unit_scale=True, unit_divisor=1024, desc=corpus.file, leave=False) as bar:

        def show(arrived: int, expected: int) -> None:
            bar.total = expected
            bar.update(arrived - bar.n)

        path = fetch(corpus, show)
    print(f"{corpus.title}: {path}")


COMMAND = Command("fetch", "download a corpus, verified", _add_arguments, _run)
