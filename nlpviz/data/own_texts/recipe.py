"""How the runs on user data are made: a recipe in TOML, written into each of their folders.

Whatever was guessed or chosen stands in it, so that ``train my-tickets.toml`` makes the same runs again, whatever a
later version would choose. It holds no text.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from nlpviz.data.own_texts.rows import OwnTextsError, Source

_HEAD = (
    "# Written by `python -m nlpviz train`. To train these runs again, pass this file: `python -m "
    "nlpviz train FILE`.\n\n"
)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,63}", re.ASCII)


@dataclass(frozen=True)
class TextsRecipe:
    """Which texts, and how they are split.

    Attributes:
        path: of the file or folder, in full.
        sha256: of its contents.
        text: the column of the texts.
        label: that of the labels; empty where the runs need none.
        group: that of what may not stand on both sides.
        time: that by which later texts are held out.
        delimiter: what parts the columns of CSV.
        encoding: as Python calls it; empty for UTF-8 with Windows-1252 line by line.
        test: a test file; empty where a share is held out or the folder has one.
        test_sha256: of its contents.
        held_out: the share of the texts to test on.
        validation: the share of the others to choose the epoch on.
        seed: of what is drawn.
        classes: names in the order of their indices.
        keep_texts: whether runs keep the texts.
        task: what is learnt of them, a name in :mod:`nlpviz.data.own_texts.readers`.
        translations: the column of the translations, or a second file with a line for each; empty where there are none.
        translations_sha256: of the contents of such a file.
        test_translations: of a test file that is one of two, the other one.
        test_translations_sha256: of its contents.
        languages: of pairs, that of the texts and that of their translations.
        images: the folder of the images that the texts are captions of; empty where there are none.
        images_sha256: of the names and contents of its files.
        side: pixels that an image is scaled to, in width and height; 0 where there are none.
    """

    path: str
    sha256: str
    text: str
    label: str = ""
    group: str = ""
    time: str = ""
    delimiter: str = ""
    encoding: str = ""
    test: str = ""
    test_sha256: str = ""
    held_out: float = 0.2
    validation: float = 0.1
    seed: int = 0
    classes: tuple[str, ...] = ()
    keep_texts: bool = False
    task: str = "classes"
    translations: str = ""
    translations_sha256: str = ""
    test_translations: str = ""
    test_translations_sha256: str = ""
    languages: tuple[str, ...] = ()
    images: str = ""
    images_sha256: str = ""
    side: int = 0

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """The paths and hashes of what the texts are read from, those of a test file aside."""
        more = ((self.translations, self.translations_sha256), (self.images, self.images_sha256))
        return ((self.path, self.sha256), *((path, sha256) for path, sha256 in more if sha256))

    @property
    def source(self) -> Source:
        """What is read of the file."""
        return Source(self.path, self.text, self.label, self.group, self.time, self.delimiter, self.encoding)

    @property
    def test_source(self) -> Source:
        """What is read of the test file: the same columns, its own delimiter and encoding guessed."""
        return Source(self.test, self.text, self.label)


@dataclass(frozen=True)
class RunRecipe:
    """One of the runs: its name, its title, the kind of it, and the settings of that kind."""

    name: str
    title: str
    kind: str
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class OwnRecipe:
    """All that makes the runs on user data.

    Attributes:
        name: the corpus's, with which the runs' names begin.
        texts: which, and how they are split.
        runs: in the order in which they are made.
    """

    name: str
    texts: TextsRecipe
    runs: tuple[RunRecipe, ...]

    @property
    def toml(self) -> str:
        """The recipe as TOML."""
        import tomli_w

        said = {"name": self.name, "texts": asdict(self.texts), "runs": [asdict(run) for run in self.runs]}
        return _HEAD + tomli_w.dumps(_sayable(said))


def read_recipe(path: Path) -> OwnRecipe:
    """Return the recipe in a file.

    Raises:
        OwnTextsError: if it cannot be read, is no TOML, or lacks or adds a field.
    """
    try:
        return _recipe(path, tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as problem:
        raise OwnTextsError(f"{path} cannot be read: {problem.strerror}.") from None
    except tomllib.TOMLDecodeError as problem:
        raise OwnTextsError(f"{path} is not valid TOML: {problem}.") from None
    except KeyError as problem:
        raise OwnTextsError(f"{path} is not a recipe: {problem} is missing.") from None
    except (TypeError, ValueError, AttributeError):
        raise OwnTextsError(f"{path} is not a recipe: a field is missing or has the wrong type.") from None


def _recipe(path: Path, said: Mapping[str, Any]) -> OwnRecipe:
    texts, known = said["texts"], {item.name for item in fields(TextsRecipe)}
    if extra := sorted(set(texts) - known):
        raise OwnTextsError(
            f"{path} has the unknown field {extra[0]!r} for its texts; available: {', '.join(sorted(known))}."
        )
    return OwnRecipe(
        check_name(str(said["name"])),
        TextsRecipe(**texts | {name: tuple(texts.get(name, ())) for name in ("classes", "languages")}),
        tuple(RunRecipe(check_name(run["name"]), run["title"], run["kind"], run["settings"]) for run in said["runs"]),
    )


def check_name(name: str) -> str:
    """Return the name of a run.

    Raises:
        OwnTextsError: if it is not made of letters, digits and hyphens.
    """
    if not _NAME.fullmatch(name):
        raise OwnTextsError(
            f"{name[:80]!r} is not a valid run name. Use at most 64 letters, digits and hyphens, such as “my-tickets”."
        )
    return name


def _sayable(value: object) -> Any:  # noqa: ANN401
    """Return a value as TOML has it: tuples as lists, and what is None left out."""
    if isinstance(value, Mapping):
        return {str(key): _sayable(one) for key, one in value.items() if one is not None}
    return [_sayable(one) for one in value] if isinstance(value, list | tuple) else value
