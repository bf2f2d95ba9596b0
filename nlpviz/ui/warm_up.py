"""What every page asks, asked once by the server's own thread while a browser loads its scripts (nlpviz/server.py)."""

from __future__ import annotations

from nlpviz.run_kinds.listing import known_runs
from nlpviz.ui import frame, glossary
from nlpviz.ui.tour_stories import tours

known_runs()
tours()
frame.page_files()
glossary.linked()
