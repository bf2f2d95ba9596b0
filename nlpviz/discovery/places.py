"""Where the dashboard's files are: in the checkout, or in the installed package.

The wheel contains ``app.py``, ``pages/``, ``static/``, ``.streamlit/`` and the glossary in ``nlpviz/dashboard``, so
that an installation adds nothing but ``nlpviz`` to the environment (``tool.hatch`` in ``pyproject.toml``).
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
_INSTALLED = _PACKAGE / "dashboard"

APP = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent
"""The folder of ``app.py`` and of all that belongs to it."""


def checkout() -> Path | None:
    """Return the repository's folder: the one with this code, or the current folder of an installed nlpviz, or None."""
    folder = Path.cwd() if APP == _INSTALLED else _PACKAGE.resolve().parent
    return folder if (folder / "nlpviz" / "__init__.py").is_file() else None
