"""Can the bundle of plotly.js that is committed draw what the figures of the package ask for?"""

from __future__ import annotations

import re
from pathlib import Path

from plotly.offline import get_plotlyjs_version

ROOT = Path(__file__).parents[2]
BUNDLE = (ROOT / "static" / "plotly.min.js").read_text(encoding="utf-8")
BUILT = re.search(r"plotly\.js (\d+)\.[\d.]+: (.+)", BUNDLE)
RECIPE = (ROOT / "nlpviz" / "figures" / "plotlyjs.mjs").read_text(encoding="utf-8")
ANEW = "make it again, as nlpviz/figures/plotlyjs.mjs says"


def test_it_has_the_traces_of_all_figures_and_no_more() -> None:
    sources = [file.read_text(encoding="utf-8") for file in (ROOT / "nlpviz").rglob("*.py")]
    drawn = {name.lower() for text in sources for name in re.findall(r"\bgo\.([A-Z]\w+)", text)} - {"figure"}
    assert BUILT is not None
    assert sorted(drawn) == BUILT[2].split(", "), ANEW
    assert all(f'"{name}"' in RECIPE for name in drawn), ANEW


def test_its_version_is_that_for_which_the_python_package_writes() -> None:
    assert BUILT is not None
    assert BUILT[1] == get_plotlyjs_version().split(".")[0], ANEW


def test_no_text_in_it_ends_the_script_of_a_page_in_which_it_stands() -> None:
    assert "</script" not in BUNDLE
