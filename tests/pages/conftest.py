"""Pages run without a browser, on the committed runs."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parents[2]

Page = Callable[..., AppTest]


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Page:
    """Return what runs a page by its menu name, with parameters in its address, on a machine without corpora."""
    monkeypatch.setenv("NLPVIZ_CACHE", str(tmp_path))
    monkeypatch.delenv("NLPVIZ_DATA", raising=False)

    def run(name: str, **address: str | list[str]) -> AppTest:
        file = ROOT / "app.py" if name == "Home" else next((ROOT / "pages").glob(f"*_{name}.py"))
        app = AppTest.from_file(file, default_timeout=60)
        for parameter, value in address.items():
            app.query_params[parameter] = value
        return app.run()

    return run


def figure(app: AppTest, place: int = 0) -> dict[str, Any]:
    """Return what the browser gets of a page's figure: the payload of nlpviz/ui/plotly_view.py."""
    payloads = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    return [payload for payload in payloads if "figure" in payload][place]


def numbers(packed: Any) -> NDArray[np.float64]:
    """Return an array of a figure, as plotly packs it."""
    if isinstance(packed, dict):
        values = np.frombuffer(base64.b64decode(packed["bdata"]), dtype=packed["dtype"])
        return values.astype(np.float64)
    return np.asarray(packed, dtype=np.float64)


def shown(app: AppTest) -> str:
    """Return all the words on a page, messages among them."""
    kinds = (app.markdown, app.warning, app.error, app.info, app.caption, app.title, app.text)
    return "\n".join(str(element.value) for elements in kinds for element in elements)
