"""The command line as on a machine that has nothing but what a fit needs: `python -m tests.bare_machine train --all …`.

What else `requirements.txt` names cannot be imported. Two variables stand for what a clock and chance do there:
``ENDS``, a mapping of recipes to the epochs after which the time of their process is over, as JSON, and ``KILLED``, the
name of a recipe whose process is killed after its first epoch, as often as it is begun with time left.
"""

from __future__ import annotations

import json
import os
import re
import runpy
import signal
import sys
from collections.abc import Callable, Sequence
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


def limit(recipe: str) -> None:
    """Let the time of a recipe's process end, or the process itself, after the epochs that the variables name."""
    from nlpviz.training import bounds

    ends = json.loads(os.environ.get("ENDS", "{}"))
    if recipe in ends:
        bounds.check_time = _after(ends[recipe] + 1, _is_over)
    if recipe == os.environ.get("KILLED") and "--minutes" not in sys.argv:
        begun = Path(sys.argv[sys.argv.index("--packed") + 1], "runs", ".unfinished", recipe, ".state.safetensors")
        bounds.check_time = _after(0 if begun.exists() else 2, lambda: os.kill(os.getpid(), signal.SIGKILL))


def _after(checks: int, happens: Callable[[], None]) -> Callable[[float], None]:
    """Return what is asked before every epoch, the one before training among them, and does something in the end."""
    asked: list[float] = []

    def check(seconds: float = 0.0) -> None:
        asked.append(seconds)
        if len(asked) > checks:
            happens()

    return check


def _is_over() -> None:
    from nlpviz.training.bounds import OutOfTimeError

    raise OutOfTimeError


if __name__ == "__main__":
    assert {"openTSNE", "pandas", "pyarrow", "sentencex", "streamlit"} <= MISSING
    assert not MISSING & {name.partition(".")[0] for name in sys.modules}
    sys.meta_path[sys.meta_path.index(PathFinder)] = Bare
    if sys.argv[1:2] == ["train"]:
        limit(sys.argv[2])
    runpy.run_module("nlpviz", run_name="__main__", alter_sys=True)
