"""The user's image as a network reads it: its middle square, scaled; other files are refused."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nlpviz.data.own_texts.rows import OwnTextsError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_PIXELS = 80_000_000
"""Of a picture: what claims more is not unpacked."""


def read_picture(path: Path, side: int) -> NDArray[np.uint8]:
    """Return a picture's middle square, upright and scaled to ``side`` pixels, as uint8 (3, S, S).

    Raises:
        OwnTextsError: if it cannot be read, is damaged, or has too many pixels.
    """
    import numpy as np
    from PIL import Image, ImageOps

    bombs = (Image.DecompressionBombError, Image.DecompressionBombWarning)
    try:
        with Image.open(path) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                raise OwnTextsError(f"{path} has more than {MOST_PIXELS:,} pixels.")
            opened.draft("RGB", (2 * side, 2 * side))  # of a JPEG no more is unpacked than is looked at
            scaled = ImageOps.fit(ImageOps.exif_transpose(opened).convert("RGB"), (side, side))
    except bombs:
        raise OwnTextsError(f"{path} has more than {MOST_PIXELS:,} pixels.") from None
    except (OSError, SyntaxError, ValueError, EOFError):  # Pillow's readers raise all of these
        raise OwnTextsError(f"{path} cannot be read as an image.") from None
    return np.asarray(scaled, dtype=np.uint8).transpose(2, 0, 1).copy()
