"""Images with captions, and where a training takes them from: drawn as they are needed, or out of those there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nlpviz.data.scene_objects import Scene


class ImageSource(Protocol):
    """What a network learns to caption, however many images there are."""

    def __len__(self) -> int:
        """Return how many images are stored; 0 where all are drawn."""
        ...

    def words(self) -> Iterable[Sequence[str]]:
        """Return the captions that a vocabulary is made of."""
        ...

    def alike(self) -> Sequence[Sequence[str]]:
        """Return groups of words of which one could stand where another one stands: colours, for example."""
        ...

    def some(self, random: np.random.Generator, count: int, done: float = 1.0) -> CaptionedImages:
        """Return so many images with one caption each, by chance.

        ``done`` is the share of the training that is over: a source may begin with what is easier.
        """
        ...


@dataclass(frozen=True)
class CaptionedImages:
    """Images with captions; a source too, of itself.

    Attributes:
        images: uint8 (N, 3, S, S).
        captions: of each image one or several, as words.
        scenes: what is drawn; empty where nobody knows.
        names: what each is called; empty where it has no name.
    """

    images: NDArray[np.uint8]
    captions: tuple[tuple[tuple[str, ...], ...], ...]
    scenes: tuple[Scene, ...] = ()
    names: tuple[str, ...] = ()

    def __len__(self) -> int:
        """Return the number of images."""
        return len(self.images)

    def texts(self, place: int) -> tuple[str, ...]:
        """Return the captions of one image as texts: in small letters, no blank before a comma."""
        from nlpviz.text.tokenizers import REVIEWS, TOKENIZERS

        return tuple(TOKENIZERS[REVIEWS].write(words) for words in self.captions[place])

    def words(self) -> Iterator[Sequence[str]]:
        """Yield every caption."""
        for captions in self.captions:
            yield from captions

    def alike(self) -> Sequence[Sequence[str]]:
        """Return no groups: nobody knows them."""
        return ()

    def some(self, random: np.random.Generator, count: int, done: float = 1.0) -> CaptionedImages:
        """Return so many images with one of their captions each, no image twice unless there are fewer."""
        del done  # nobody knows which are easier
        places = random.choice(len(self), size=count, replace=count > len(self))
        chosen = (self.captions[place] for place in places)
        captions = tuple((captions[int(random.integers(len(captions)))],) for captions in chosen)
        scenes = tuple(self.scenes[place] for place in places) if self.scenes else ()
        return CaptionedImages(self.images[places], captions, scenes)

    def first(self, count: int) -> CaptionedImages:
        """Return the first so many images."""
        return replace(
            self, images=self.images[:count], captions=self.captions[:count], scenes=self.scenes[:count],
            names=self.names[:count],
        )  # fmt: skip

    def parts(self, size: int) -> Iterator[CaptionedImages]:
        """Yield each image once for each of its captions, with that one alone, at most so many at once."""
        import numpy as np

        rows = [(place, caption) for place, captions in enumerate(self.captions) for caption in captions]
        for start in range(0, len(rows), size):
            some = rows[start : start + size]
            places = np.array([place for place, _ in some])
            yield CaptionedImages(self.images[places], tuple((caption,) for _, caption in some))
