"""Write a gallery of tours and reports that needs no server, into ``build/gallery``: ``python docs/gallery.py``.

Each is one HTML file with live figures. The pages are run without a browser and without a corpus, so that no text of a
corpus gets into a file but the examples that are part of nlpviz.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("OMP_NUM_THREADS", "1")
if __name__ == "__main__":
    logging.disable(logging.WARNING)  # Streamlit warns that it runs without a server

import numpy as np  # noqa: E402
from streamlit.testing.v1 import AppTest  # noqa: E402

from nlpviz import __version__  # noqa: E402
from nlpviz.figures.markdown import html_of  # noqa: E402
from nlpviz.figures.page import Section, page_html  # noqa: E402
from nlpviz.figures.tokens import literal  # noqa: E402
from nlpviz.run_kinds import kind_of  # noqa: E402
from nlpviz.run_kinds.drawn.report import report_sections, report_source, report_title  # noqa: E402
from nlpviz.run_kinds.listing import known_runs  # noqa: E402
from nlpviz.runs import Run  # noqa: E402
from nlpviz.runs.documents import documents_of, projections_of  # noqa: E402
from nlpviz.ui import frame, report  # noqa: E402
from nlpviz.ui.page_parts import PagePart  # noqa: E402
from nlpviz.ui.tour_stories import Tour, TourPlace, TourQuestion, TourStep, tours  # noqa: E402

HERO = "imdb-cnn"
LARGEST = 40 * 2**20  # bytes in all
_OWN_STYLE = Path(__file__).with_name("gallery.css")
_PAGE_STYLE = ROOT / "nlpviz" / "figures" / "page.css"
_WIDTH, _HEIGHT = 480, 300  # of a picture on the first page
_HEADING = re.compile("<h[23]>")
_BACK = '<nav><a href="index.html">nlpviz gallery</a></nav>'


class Report(NamedTuple):
    """A report to write.

    Attributes:
        runs: the run, or two to compare.
        about: what it shows, in a sentence.
        places: pages whose pictures come first.
    """

    runs: tuple[str, ...]
    about: str
    places: tuple[TourPlace, ...] = ()


class Card(NamedTuple):
    """What the index says of a file: where it is, its title, a sentence, and a few words about its size."""

    href: str
    title: str
    about: str
    facts: str


def _at(page: str, view: str, **address: str) -> TourPlace:
    return TourPlace(page, view, {name: (value,) for name, value in address.items()})


REPORTS = (
    Report(
        ("imdb-cnn",),
        "A convolutional network on film reviews: which n-grams its filters detect, and how its map of reviews forms.",
        (_at("One review", "n-grams", run="imdb-cnn", text="submarine"),),
    ),
    Report(
        ("imdb-han", "imdb-cnn"),
        "Attention and convolution on the same 25,000 test reviews: where they disagree, and what each network learnt.",
        (_at("One review", "attention", run="imdb-han", text="great-actress"),),
    ),
    Report(
        ("imdb-lstm",),
        "A recurrent network updates its prediction word by word: gates, states and the units that track sentiment.",
        (
            _at("Recurrent networks", "gates", run="imdb-lstm", text="slow-start"),
            _at("Recurrent networks", "units", run="imdb-lstm"),
        ),
    ),
    Report(
        ("enwiki-skipgram",),
        "Word vectors trained on Wikipedia: a map of 2,000 words, analogies, and axes between opposites.",
        (
            _at("Words", "map", run="enwiki-skipgram"),
            _at("Words", "analogies", run="enwiki-skipgram"),
            _at("Words", "axes", run="enwiki-skipgram"),
        ),
    ),
    Report(
        ("multi30k-en-fr-general",),
        "A translator from English to French: which source words each target word attends to, and its beam search.",
        (
            _at("Translate", "alignment", run="multi30k-en-fr-general"),
            _at("Translate", "beam", run="multi30k-en-fr-general"),
        ),
    ),
    Report(
        ("wikitext2-lstm",),
        "A language model: which words it finds surprising, and where it outperforms an n-gram model.",
        (
            _at("Language models", "surprisal", run="wikitext2-lstm"),
            _at("Language models", "network-vs-n-grams", run="wikitext2-lstm"),
        ),
    ),
    Report(
        ("newsgroups-vae-32",),
        "An autoencoder compresses newsgroup posts into 32 numbers: a map of the codes, and a word list per unit.",
        (_at("Autoencoders", "map", run="newsgroups-vae-32"), _at("Autoencoders", "topics", run="newsgroups-vae-32")),
    ),
    Report(
        ("sst-tree-lstm",),
        "A network composes sentiment along a parse tree: what each phrase adds, and how it handles negation.",
        (
            _at("Trees", "one-sentence", run="sst-tree-lstm"),
            _at("Trees", "negation-and-contrast", run="sst-tree-lstm"),
        ),
    ),
)


# ------------------------------------------------------------------------------------------------------------- pages


def shown(place: TourPlace) -> report.PageFile:
    """Return what a page shows in a state.

    Raises:
        RuntimeError: if the page fails, or says that something is wrong.
    """
    file = frame.page_file(place.page)
    if file is None:
        raise RuntimeError(f"There is no page {place.page!r}.")
    app = AppTest.from_file(file, default_timeout=600)
    for name, values in {**({"view": (place.view,)} if place.view else {}), **place.address}.items():
        app.query_params[name] = list(values)
    with report.collecting() as collected:
        app.run()
    if wrong := [one.value for one in (*app.exception, *app.error)]:
        raise RuntimeError(f"{place.page}, {place.view}: {wrong[0]}")
    return collected[-1] if collected else report.PageFile(place.page, [])


def picture(parts: Sequence[PagePart], figure: str = "") -> list[Section]:
    """Return the part of a page that a step is about, without notes on controls.

    Args:
        parts: of the page.
        figure: the key of a figure, whose heading and all under it are the part; empty for the page's beginning, to
            the end of what is under the heading of its first picture.
    """
    blocks: list[list[PagePart]] = [[]]
    for part in parts:
        if _HEADING.match(part.html):
            blocks.append([])
        blocks[-1].append(part)
    if figure:
        chosen = next((block for block in blocks if figure in _keys(block)), blocks[0])
    else:
        end = next((number for number, block in enumerate(blocks) if any(map(_draws, block))), 0)
        chosen = [part for block in blocks[: end + 1] for part in block]
    return [report.section(part) for part in _without_notes(chosen)]


def _draws(part: PagePart) -> bool:
    inside = any(_draws(one) for _, parts in part.columns for one in parts)
    return part.figure is not None or "nlpviz-" in part.html or inside


def _keys(parts: Sequence[PagePart]) -> Iterator[str]:
    for part in parts:
        yield part.key
        for _, inside in part.columns:
            yield from _keys(inside)


def _without_notes(parts: Sequence[PagePart]) -> Iterator[PagePart]:
    for part in parts:
        if part.columns:
            yield part._replace(columns=tuple((share, tuple(_without_notes(one))) for share, one in part.columns))
        elif not part.html.startswith('<div class="note">'):
            yield part


# ------------------------------------------------------------------------------------------------------------- files


def tour_html(tour: Tour) -> str:
    """Return a tour as one HTML file: its steps, their pictures, and the answers to unfold."""
    sections = [Section("", [f'<p class="lead">{literal(tour.about)}</p>'], ())]
    for number, step in enumerate(tour.steps, start=1):
        sections += _step(step, number, len(tour.steps))
    return _file(tour.title, sections, f"A tour of nlpviz {__version__}")


def _step(step: TourStep, number: int, count: int) -> Iterator[Section]:
    says = f'<p class="count">Step {number} of {count}</p><div class="says">{html_of(step.says)}</div>'
    page = shown(step.place)
    yield Section("", [says], (), [(1, picture(page.parts, step.place.figure))])
    if step.question is not None:
        yield _question(step.question)


def _question(question: TourQuestion) -> Section:
    options = "".join(f"<li>{literal(option)}</li>" for option in question.options)
    asks = f'<div class="asks"><p><strong>{literal(question.asks)}</strong></p><ul>{options}</ul></div>'
    answer = f"<strong>{literal(question.options[question.answer])}</strong>"
    reveals = f'<div class="says"><p>The answer: {answer}.</p>{html_of(question.reveals)}</div>'
    page = shown(question.place)
    inside = Section("", [reveals], (), [(1, picture(page.parts, question.place.figure))])
    return Section("", [asks], (), [(1, [Section("", (), (), [(1, [inside])], "Show the answer")])])


def report_html(planned: Report, runs: Mapping[str, Run]) -> str:
    """Return a report as one HTML file: pictures of pages first, then what the command ``report`` draws."""
    chosen = [runs[name] for name in planned.runs]
    sections = [Section("", [f'<p class="lead">{literal(planned.about)}</p>'], ())]
    for place in planned.places:
        page = shown(place)
        sections.append(Section(page.title, (), (), [(1, picture(page.parts))]))
    made, *others = report_sections(chosen, list(runs.values()))
    return _file(report_title(chosen), [*sections, *others, made], report_source(chosen))


def _file(title: str, sections: Sequence[Section], source: str) -> str:
    return page_html(title, sections, source, _rules(_OWN_STYLE)).replace("<body>", f"<body>{_BACK}", 1)


def _rules(*sheets: Path) -> str:
    return report.fonts() + "".join(sheet.read_text(encoding="utf-8") for sheet in sheets)


def index_html(parts: Mapping[str, Sequence[Card]], hero: str = "") -> str:
    """Return the first page: a picture, and the cards under their headings."""
    cards = "".join(
        f'<h2>{literal(heading)}</h2><div class="cards">{"".join(map(_card, some))}</div>'
        for heading, some in parts.items()
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>nlpviz gallery</title>'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'; font-src data:\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_rules(_PAGE_STYLE, _OWN_STYLE)}</style></head>\n"
        '<body class="index"><h1>What small language networks have learnt</h1>'
        '<p class="lead">Guided stories and reports from nlpviz, on real data. '
        "Every figure is interactive: hover over it, or replay the training.</p>"
        f"{hero}{cards}<footer>nlpviz {__version__} · Apache-2.0</footer></body></html>\n"
    )


def hero_html(run: Run) -> str:
    """Return the map of a run's test texts before training and at its best epoch, in two classes, as a picture."""
    maps = {one.epoch: one for one in projections_of(run) if (one.projector, one.dimensions) == ("pca", 2)}
    labels = documents_of(run).labels
    first, best = maps[run.epochs[0]].coordinates, maps[run.best_epoch].coordinates
    low, high = np.minimum(first.min(axis=0), best.min(axis=0)), np.maximum(first.max(axis=0), best.max(axis=0))
    panels = ""
    for said, points in (("Before training", first), (f"After {run.best_epoch} epochs", best)):
        x, y = ((points - low) / (high - low) * (_WIDTH, _HEIGHT)).round(1).T
        marks = ""
        for label in np.unique(labels):
            chosen = labels == label
            drawn = "".join(f"M{a:g} {_HEIGHT - b:g}h0" for a, b in zip(x[chosen], y[chosen], strict=True))
            marks += f'<path class="class-{label}" d="{drawn}"/>'
        panels += (
            f'<div><svg viewBox="-4 -4 {_WIDTH + 8} {_HEIGHT + 8}" aria-hidden="true">{marks}</svg><p>{said}</p></div>'
        )
    about = f"{len(labels):,} texts on the same axes, as represented by the network “{run.title}”"
    classes = ", ".join(f'<b class="class-{number}">{literal(one)}</b>' for number, one in enumerate(run.class_names))
    return f'<figure class="hero"><div>{panels}</div><figcaption>{literal(about)}: {classes}.</figcaption></figure>'


def _card(card: Card) -> str:
    return (
        f'<a class="card" href="{literal(card.href)}"><h3>{literal(card.title)}</h3><p>{literal(card.about)}</p>'
        f'<p class="facts">{literal(card.facts)}</p></a>'
    )


def _of_tour(tour: Tour) -> Card:
    asked = sum(step.question is not None for step in tour.steps)
    return Card(f"tour-{tour.slug}.html", tour.title, tour.about, f"{len(tour.steps)} steps, {asked} questions")


def _of_report(planned: Report, runs: Mapping[str, Run]) -> Card:
    chosen = [runs[name] for name in planned.runs]
    facts = " · ".join(kind_of(run).headline.said(run) for run in chosen)
    return Card(f"report-{'-'.join(planned.runs)}.html", report_title(chosen), planned.about, facts)


def write(folder: Path, some_tours: Sequence[Tour], reports: Sequence[Report]) -> None:
    """Write the gallery into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    runs, _ = known_runs()
    cards: dict[str, list[Card]] = {"Tours": [], "Reports": []}
    for tour in some_tours:
        cards["Tours"].append(_of_tour(tour))
        _write(folder / cards["Tours"][-1].href, tour_html(tour))
    for planned in reports:
        cards["Reports"].append(_of_report(planned, runs))
        _write(folder / cards["Reports"][-1].href, report_html(planned, runs))
    _write(folder / "index.html", index_html(cards, hero_html(runs[HERO]) if HERO in runs else ""))


def _write(file: Path, html: str) -> None:
    file.write_text(html, encoding="utf-8")
    sys.stdout.write(f"{file.name}: {file.stat().st_size / 2**20:.1f} MiB\n")


def main() -> None:
    """Write the whole gallery into ``build/gallery``."""
    folder = ROOT / "build" / "gallery"
    with TemporaryDirectory() as cache:
        os.environ.pop("NLPVIZ_DATA", None)
        os.environ["NLPVIZ_CACHE"] = cache
        write(folder, tours()[0], REPORTS)
    size = sum(file.stat().st_size for file in folder.glob("*.html"))
    sys.stdout.write(f"{folder / 'index.html'}: {size / 2**20:.1f} MiB in total\n")
    if size > LARGEST:
        sys.exit(f"The gallery is larger than {LARGEST / 2**20:.0f} MiB.")


if __name__ == "__main__":
    main()
