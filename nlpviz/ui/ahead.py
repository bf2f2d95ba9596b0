"""What every page asks, asked once by the server's own thread while a browser loads its scripts (nlpviz/server.py)."""

from __future__ import annotations

from nlpviz.kinds.listing import known_runs
from nlpviz.tours import tours
from nlpviz.ui import frame, glossary

known_runs()
tours()
frame.page_files()
glossary.linked()
