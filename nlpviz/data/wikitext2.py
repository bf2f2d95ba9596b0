"""WikiText-2: articles of Wikipedia, two million words, the usual small corpus of language models.

Merity, Xiong, Bradbury and Socher (2016), *Pointer Sentinel Mixture Models*, section 4: good and featured articles,
their words parted as published, those that occur fewer than three times in training written ``<unk>``.
"""

from __future__ import annotations

import zipfile
from functools import partial

from nlpviz.data import Corpus, DataError
from nlpviz.data.files import locate, verify
from nlpviz.data.streams import TextStream, line_called

SPLITS = {"train": "train", "validation": "valid", "test": "test"}

_LARGEST = 2**25  # bytes of a split unpacked; the largest has 10.8 million


def read(split: str) -> TextStream:
    """Return the words of ``"train"``, ``"validation"`` or ``"test"``, each line ended, blank ones too.

    Raises:
        CorpusMissing: if the archive is not on this machine.
        DataError: if there is no such split, or the archive is wrong.
    """
    if split not in SPLITS:
        raise DataError(f"WikiText-2 has no split {split!r}; available: {', '.join(SPLITS)}.")
    path = locate(CORPUS)
    verify(CORPUS, path)
    try:
        with zipfile.ZipFile(path) as archive, archive.open(f"wikitext-2/wiki.{SPLITS[split]}.tokens") as member:
            text = member.read(_LARGEST).decode()
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise DataError(f"{path} cannot be read: {error}.") from error
    return TextStream(split, text, parted=True)


CORPUS = Corpus(
    name="wikitext2",
    title="WikiText-2",
    file="wikitext-2-v1.zip",
    url="https://wikitext.smerity.com/wikitext-2-v1.zip",
    size=4_475_746,
    sha256=(
        "92675f1d63015c1c8b51f1656a52d5bdbc33aafa60cc47a218a66e7ee817488c",
        "0b6ef10b5f377ddbb1c4746567af0ed2326ccadf3cf735e20d183450c216eea5",
    ),
    licence="Wikipedia text, under the Creative Commons Attribution-ShareAlike 3.0 licence and the GFDL.",
    citation=(
        "Stephen Merity, Caiming Xiong, James Bradbury and Richard Socher (2016): Pointer Sentinel Mixture Models. "
        "https://arxiv.org/abs/1609.07843"
    ),
    read=read,
    find=partial(line_called, read=read, title="WikiText-2"),
)
