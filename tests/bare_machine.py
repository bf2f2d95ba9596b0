"""The command line as on a machine that has nothing but what a fit needs: `python -m tests.bare_machine train --all …`.

What else `requirements.txt` names cannot be imported.
"""

from __future__ import annotations

import re
import runpy
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

THERE = {
    "accelerate",
    "filelock",
    "numpy",
    "regex",
    "sacrebleu",
    "safetensors",
    "scikit-learn",
    "scipy",
    "torch",
    "tqdm",
}
"""What the packed path may import; CONTRIBUTING names it."""
_NAMES = re.findall(r"^[A-Za-z][\w-]*", Path("requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
MISSING = {*_NAMES} - THERE


class Bare(PathFinder):
    """Finds what the machine has."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return None if fullname.split(".", maxsplit=1)[0] in MISSING else PathFinder.find_spec(fullname, path, target)


if __name__ == "__main__":
    assert {"openTSNE", "pandas", "pyarrow", "sentencex", "streamlit"} <= MISSING
    assert not MISSING & {name.partition(".")[0] for name in sys.modules}
    sys.meta_path[sys.meta_path.index(PathFinder)] = Bare
    runpy.run_module("nlpviz", run_name="__main__", alter_sys=True)
