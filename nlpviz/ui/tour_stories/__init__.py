"""Tours: stories of a few steps through real pages in a real state, one YAML file each.

A tour is read here and its form is checked: a file that is no tour costs one sentence that says where. Whether the
pages, runs and epochs that it names are there is asked where they are known (``nlpviz/ui/tour_bar.py``).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlpviz.discovery.read_once import ReadOnce

OWN = "NLPVIZ_TOURS"
"""The variable that names a folder with the user's tours."""
RESERVED = ("tour", "step", "guess", "present", "view")
"""Parameters that no step may set: they say where on a tour a visitor is."""
_LARGEST = 256 * 1024  # bytes of a file
_FEWEST_OPTIONS = 2

Address = dict[str, tuple[str, ...]]
"""What an address asks for: the values of each of its parameters."""


class TourError(Exception):
    """A file that is no tour; the message says where, in one sentence."""


@dataclass(frozen=True)
class TourPlace:
    """A page in a state.

    Attributes:
        page: its name in the menu.
        view: its name in the address; empty where the page is a single view.
        address: what else the address asks for; what it leaves open is the page's default.
        figure: the key of what the words are about, which is scrolled into sight; empty for the first figure.
    """

    page: str
    view: str
    address: Address
    figure: str = ""

    @property
    def runs(self) -> list[str]:
        """The runs that it names."""
        return [name for parameter in ("run", "beside") for name in self.address.get(parameter, ()) if name != "none"]


@dataclass(frozen=True)
class TourQuestion:
    """What people are to predict before they see it.

    Attributes:
        asks: the question.
        options: what may be predicted, at least two.
        answer: the place of the right one among them, from 0.
        reveals: what is said once somebody has predicted, in Markdown.
        place: where the answer can be seen.
    """

    asks: str
    options: tuple[str, ...]
    answer: int
    reveals: str
    place: TourPlace


@dataclass(frozen=True)
class TourStep:
    """One step: a page in a state, and the sentence beside it.

    Attributes:
        place: that is shown, until a question is answered.
        says: the sentence, in Markdown.
        question: what is to be predicted; None for nothing.
    """

    place: TourPlace
    says: str
    question: TourQuestion | None = None

    def shown(self, *, revealed: bool) -> TourPlace:
        """Return the place before or after the answer is revealed."""
        return self.question.place if self.question and revealed else self.place


@dataclass(frozen=True)
class Tour:
    """A story.

    Attributes:
        slug: its name in the address: the file's.
        title: what people read.
        about: one or two sentences: what is learnt, and for whom it is.
        steps: at least one.
    """

    slug: str
    title: str
    about: str
    steps: tuple[TourStep, ...]


def tours() -> tuple[list[Tour], list[str]]:
    """Return the tours in the order of their titles, first the project's, and a sentence for each file that is none."""
    found: dict[str, Tour] = {}
    problems: list[str] = []
    own = os.environ.get(OWN)
    for folder in (Path(__file__).parent, *([Path(own)] if own else [])):
        for file in sorted(folder.glob("*.yaml")):
            try:
                tour = read_tour(file)
                if tour.slug in found:
                    raise TourError(f"{file.name}: another tour has this name.")
                found[tour.slug] = tour
            except TourError as error:
                problems.append(str(error))
    return list(found.values()), problems


def read_tour(file: Path) -> Tour:
    """Return the tour in ``file``.

    Raises:
        TourError: if it cannot be read, or is none.
    """
    try:
        return _read(file)
    except OSError as error:
        raise TourError(f"{file.name} cannot be read: {error.strerror}.") from error


@ReadOnce
def _read(file: Path) -> Tour:
    import yaml

    if file.stat().st_size > _LARGEST:
        raise TourError(f"{file.name} is larger than {_LARGEST // 1024} KiB, the maximum size of a tour.")
    try:
        written = yaml.safe_load(file.read_text(encoding="utf-8"))
    except yaml.MarkedYAMLError as error:
        line = "" if error.problem_mark is None else f", line {error.problem_mark.line + 1}"
        raise TourError(f"{file.name}{line}: this is not valid YAML ({error.problem}).") from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        raise TourError(f"{file.name} is not a valid YAML file in UTF-8.") from error
    entry = _Entry(file.name, written)
    tour = Tour(file.stem, entry.text("title"), entry.text("about"), tuple(map(_step, entry.entries("steps"))))
    entry.done()
    return tour


def _step(entry: _Entry) -> TourStep:
    place = TourPlace(entry.text("page"), entry.text("view", optional=True), entry.address("address"), _figure(entry))
    asked = entry.entry("question")
    question = None if asked is None else _question(asked, place)
    step = TourStep(place, entry.text("says"), question)
    entry.done()
    return step


def _question(entry: _Entry, before: TourPlace) -> TourQuestion:
    """Return a question; where its answer is on the same view, what it leaves open stays as it was when asked."""
    options, answer = entry.texts("options"), entry.text("answer")
    if len(set(options)) < max(_FEWEST_OPTIONS, len(options)):
        raise TourError(f"{entry.place}: a question needs at least two different options.")
    if answer not in options:
        raise TourError(f"{entry.place}: the answer, {answer!r}, is not one of the options.")
    page, view = entry.text("page", optional=True), entry.text("view", optional=True)
    address, figure = entry.address("address"), _figure(entry)
    if page or view not in ("", before.view):
        place = TourPlace(page or before.page, view, address, figure)
    else:
        place = TourPlace(before.page, before.view, before.address | address, figure or before.figure)
    question = TourQuestion(entry.text("asks"), options, options.index(answer), entry.text("reveals"), place)
    entry.done()
    return question


def _figure(entry: _Entry) -> str:
    return entry.text("figure", optional=True)


class _Entry:
    """A mapping of the file, and where it stands; what is asked for is taken out of it."""

    def __init__(self, place: str, written: object) -> None:
        if not isinstance(written, dict):
            raise TourError(f"{place}: expected names with values, such as `page: Explore`.")
        self.place = place
        self._left: dict[Any, Any] = dict(written)

    def text(self, name: str, *, optional: bool = False) -> str:
        """Return the text of this name."""
        value = self._left.pop(name, "" if optional else None)
        if not isinstance(value, str) or not (value.strip() or optional):
            raise TourError(f"{self.place}: {name!r} is missing or is not text.")
        return " ".join(value.split())

    def texts(self, name: str) -> tuple[str, ...]:
        """Return the texts of this name."""
        values = self._left.pop(name, None)
        if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
            raise TourError(f"{self.place}: {name!r} is missing or is not a list of texts.")
        return tuple(" ".join(one.split()) for one in values)

    def entry(self, name: str) -> _Entry | None:
        """Return the mapping of this name; None where there is none."""
        value = self._left.pop(name, None)
        return None if value is None else _Entry(f"{self.place}, {name}", value)

    def entries(self, name: str) -> list[_Entry]:
        """Return the mappings of this name, at least one."""
        values = self._left.pop(name, None)
        if not isinstance(values, list) or not values:
            raise TourError(f"{self.place}: {name!r} is missing or is not a list.")
        return [_Entry(f"{self.place}, {name} {number}", value) for number, value in enumerate(values, start=1)]

    def address(self, name: str) -> Address:
        """Return the parameters of this name, each with its values."""
        written = self._left.pop(name, None)
        if written is not None and not isinstance(written, dict):
            raise TourError(f"{self.place}: {name!r} has no parameters, such as `run: imdb-cnn`.")
        return {str(key): self._values(str(key), value) for key, value in (written or {}).items()}

    def _values(self, parameter: str, written: object) -> tuple[str, ...]:
        if parameter in RESERVED:
            raise TourError(f"{self.place}: the address of a step cannot set {parameter!r}.")
        values = written if isinstance(written, list) else [written]
        if not values or any(isinstance(one, bool) or not isinstance(one, str | int | float) for one in values):
            raise TourError(f"{self.place}: the values of {parameter!r} must be words or numbers.")
        return tuple(map(str, values))

    def done(self) -> None:
        """Refuse what nobody asked for.

        Raises:
            TourError: if anything is left: a word is misspelt, perhaps.
        """
        if self._left:
            raise TourError(f"{self.place}: {next(iter(self._left))!r} is not a valid name here.")
