"""The density map as a picture that a browser paints at once, before it has read plotly.js: cells and points, still."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from nlpviz.figures import map_panels, theme
from nlpviz.results.density import DensityMap


def still(shown: DensityMap, darkness: NDArray[np.float64], colors: Sequence[str], top: int) -> str:
    """Return the picture as SVG; it fills the panel of the figure, however wide that is.

    Args:
        shown: the map.
        darkness: (H, W), 0 to 1, how far a cell is from :data:`~nlpviz.figures.theme.MIDDLE` to its class's colour.
        colors: of the classes, hexadecimal.
        top: pixels over the panel.
    """
    left, below = shown.x[0], shown.y[0]
    width, height = shown.x[-1] - left, shown.y[-1] - below
    unit = 1000 / width  # coordinates without many digits
    x, y = (shown.sample[:, 0] - left) * unit, (height - (shown.sample[:, 1] - below)) * unit
    points = "".join(
        f'<path stroke="{color}" d="{_dots(x[chosen], y[chosen])}"/>'
        for number, color in enumerate(colors)
        if (chosen := shown.sample_classes == number).any()
    )
    sides = f"{top}px {map_panels.BELOW}px {map_panels.BELOW}px"
    return (
        f'<svg style="padding: {sides}" viewBox="0 0 1000 {height * unit:.1f}" preserveAspectRatio="xMinYMin">'
        f'<image width="1000" height="{height * unit:.1f}" preserveAspectRatio="none"'
        f' href="data:image/png;base64,{_png(shown, darkness, colors)}"/>{points}</svg>'
    )


def _dots(x: NDArray[np.float32], y: NDArray[np.float32]) -> str:
    """Return one path for all points: lines of no length with round ends, which are as wide at any size."""
    return "".join(f"M{across:.0f} {down:.0f}h0" for across, down in zip(x.tolist(), y.tolist(), strict=True))


def _png(shown: DensityMap, darkness: NDArray[np.float64], colors: Sequence[str]) -> str:
    """Return the cells, a pixel each, as a PNG in base 64; empty cells are transparent."""
    pale, dark = _rgb(theme.MIDDLE), np.stack([_rgb(color) for color in colors])[shown.leading]
    pixels = np.zeros((*darkness.shape, 4), np.uint8)
    pixels[..., :3] = np.round(pale + darkness[..., None] * (dark - pale))
    pixels[..., 3] = np.where(shown.leading >= 0, 255, 0)
    written = BytesIO()
    Image.fromarray(pixels[::-1]).save(written, "png", optimize=True)
    return b64encode(written.getvalue()).decode()


def _rgb(color: str) -> NDArray[np.float64]:
    return np.array(list(bytes.fromhex(color[1:])), dtype=np.float64)
