"""Multi30k: 29,000 sentences that describe photographs, in English, German and French, to learn translation from.

Elliott, Frank, Sima'an and Specia (2016) and Elliott, Frank, Barrault, Bougares and Specia (2017): sentence i of each
language says the same. Texts are those of ``data/task1/raw``, neither tokenized nor lower-cased.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib

from nlpviz.data import Corpus, DataError
from nlpviz.data.files import locate, verify
from nlpviz.data.parallel import ParallelTexts

LANGUAGES = ("de", "en", "fr")
SPLITS = ("train", "val", "test_2016_flickr")

_HOME = "https://raw.githubusercontent.com/multi30k/dataset/master/data/task1/raw"
_FILES = {  # bytes and SHA-256
    "train.de": (637_044, "726e39b2fa9eb9ffb6dc763fb35a179f80fae06ffc5d28b6ace5faa883de28a6"),
    "train.en": (568_929, "d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f"),
    "train.fr": (604_242, "622e75069e9f4c577425c4f277116ce66e63a2401c0a2312d90073cb12379a3c"),
    "val.de": (24_681, "f0cba2f995189cf5770f29a8a9a537a3ad3f51657ad873405082ff6863a5e75a"),
    "val.en": (21_650, "14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28"),
    "val.fr": (23_001, "ca3106f1a72390591d25f6c45cb4cd39dec4cd3f123e099748a3ce5256c160e9"),
    "test_2016_flickr.de": (22_890, "9204244e408ccb38d2a55cfcd344df15005fc42a07a6e55ca6c52b6ababb8cc8"),
    "test_2016_flickr.en": (21_077, "611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9"),
    "test_2016_flickr.fr": (22_310, "6d326e188d259fb1d04ac19eae3af956559b3a0b93d7635e56c90987c40c8b90"),
}
_LARGEST = 2**25  # bytes unpacked; the largest has 2.1 million


def read(split: str) -> ParallelTexts:
    """Return the sentences of ``"train"``, ``"val"`` or ``"test_2016_flickr"``.

    Raises:
        CorpusMissing: if a file is not on this machine.
        DataError: if there is no such split, or a file is wrong.
    """
    if split not in SPLITS:
        raise DataError(f"Multi30k has no split {split!r}; available: {', '.join(SPLITS)}.")
    texts = {language: _lines(f"{split}.{language}") for language in LANGUAGES}
    if len({len(lines) for lines in texts.values()}) > 1:
        raise DataError(f"The split {split} of Multi30k has different numbers of sentences in the two languages.")
    return ParallelTexts(split, texts)


def find(sentence_id: str) -> str:
    """Return the sentence called ``sentence_id``: split, language and place from 1, as ``"val/en/17"``.

    Raises:
        CorpusMissing: if it is not on this machine.
        DataError: if there is no such sentence.
    """
    split, _, rest = sentence_id.partition("/")
    language, _, position = rest.partition("/")
    if split in SPLITS and language in LANGUAGES and position.isdecimal() and len(position) < 10:
        lines = _lines(f"{split}.{language}")
        if 1 <= int(position) <= len(lines):
            return lines[int(position) - 1]
    raise DataError(f"Multi30k has no sentence {sentence_id!r}; ids look like 'val/en/17'.")


def _lines(name: str) -> tuple[str, ...]:
    """Return the sentences of one file."""
    part = _PARTS[name]
    path = locate(part)
    verify(part, path)
    try:
        with gzip.open(path) as stream:
            content = stream.read(_LARGEST)
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{path} cannot be read: {error}.") from error
    return tuple(content.decode().removesuffix("\n").split("\n"))


def _part(name: str) -> Corpus:
    """Return one of the files."""
    size, sha256 = _FILES[name]
    return Corpus(
        name="multi30k",
        title=f"Multi30k ({name}.gz)",
        file=f"multi30k/{name}.gz",
        url=f"{_HOME}/{name}.gz",
        size=size,
        sha256=(sha256,),
        licence="No licence is stated for the texts; the images are for non-commercial research and education.",
        citation=(
            "Desmond Elliott, Stella Frank, Khalil Sima'an and Lucia Specia (2016): Multi30K: Multilingual "
            "English-German Image Descriptions. https://aclanthology.org/W16-3210; Desmond Elliott, Stella Frank, "
            "Loïc Barrault, Fethi Bougares and Lucia Specia (2017): Findings of the Second Shared Task on Multimodal "
            "Machine Translation and Multilingual Image Description. https://aclanthology.org/W17-4718"
        ),
        read=read,
        find=find,
    )


_PARTS = {name: _part(name) for name in _FILES}

CORPUS = Corpus(
    name="multi30k",
    title="Multi30k, task 1",
    file="multi30k",
    url="https://github.com/multi30k/dataset",
    size=sum(part.size for part in _PARTS.values()),
    # of the list of the files' checksums: there is no one file
    sha256=(hashlib.sha256("\n".join(part.sha256[0] for part in _PARTS.values()).encode()).hexdigest(),),
    licence=_PARTS["train.en"].licence,
    citation=_PARTS["train.en"].citation,
    read=read,
    find=find,
    parts=tuple(_PARTS.values()),
    held_out=SPLITS[1:],
    document="sentence",
    written="captions of photographs",
    splits="The test set is the 2016 set, `test_2016_flickr`.",
)
