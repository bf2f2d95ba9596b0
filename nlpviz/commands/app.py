"""``app``: start the dashboard."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from nlpviz.commands import Command, positive, say
from nlpviz.discovery import places
from nlpviz.runs.folders import NO_RUNS, find


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=positive, default=8501, help="port of the server (default: 8501)")


def _run(options: argparse.Namespace) -> None:
    if not any(about for _, about in find().manifests):
        say(NO_RUNS)
    # -P: the current folder may contain modules with the names of libraries
    command = [sys.executable, "-P", "-m", "streamlit", "run", str(places.APP / "app.py")]
    command += ["--server.port", str(options.port)]
    if sys.platform == "win32":  # there a replaced process loses its console
        sys.exit(subprocess.call(command))
    os.execv(sys.executable, command)


COMMAND = Command("app", "start the dashboard on this computer, for use in a browser", _add_arguments, _run)
