"""Find a Chromium for the browser tests, or get one: ``python tests/browser/chromium.py [--install]``.

Looked for in this order: ``$NLPVIZ_CHROMIUM``, the PATH and the usual places, Playwright's own download.
With ``--install``, one is installed where none is found: by Playwright, else by the system's packages.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
PLACES = (
    Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    Path("/Applications/Chromium.app/Contents/MacOS/Chromium"),
)


class ChromiumMissing(Exception):  # noqa: N818 (its name says what is wrong)
    """There is no Chromium that starts, and none could be installed."""


def find() -> Path:
    """Return the executable of a Chromium that starts.

    Raises:
        ChromiumMissing: if there is none, or ``$NLPVIZ_CHROMIUM`` is not one.
    """
    if named := os.environ.get("NLPVIZ_CHROMIUM"):
        if _starts(Path(named)):
            return Path(named)
        raise ChromiumMissing(f"NLPVIZ_CHROMIUM is {named}, which is no browser that starts.")
    for candidate in _candidates():
        if _starts(candidate):
            return candidate
    raise ChromiumMissing(
        "No Chromium for the browser tests: install Chromium or Chrome, or set NLPVIZ_CHROMIUM to its path "
        "(the other tests alone: .venv/bin/python -m pytest --ignore tests/browser)."
    )


def install() -> Path:
    """Return the executable of a Chromium, installing one where none is found.

    Raises:
        ChromiumMissing: if there is none and no way to install one.
    """
    for command in _installers():
        try:
            return find()
        except ChromiumMissing:
            if "NLPVIZ_CHROMIUM" in os.environ:  # a wrong path is for the person to correct
                raise
        print("No Chromium yet, trying:", " ".join(command), flush=True)
        done = subprocess.run(command, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            errors = re.findall(r"^(?:E|Error): .*", done.stdout + done.stderr, re.MULTILINE)
            print("  did not work:", errors[0] if errors else f"exit {done.returncode}", flush=True)
    return find()


def _candidates() -> Iterator[Path]:
    """Yield the files that may be a Chromium, the likeliest first."""
    yield from (Path(result) for name in NAMES if (result := shutil.which(name)))
    yield from PLACES
    yield _of_playwright()


def _starts(executable: Path) -> bool:
    """Tell whether the file is there and is a browser: Ubuntu's chromium-browser may be a note about snap."""
    if not executable.is_file():
        return False
    try:
        answer = subprocess.run([executable, "--version"], check=False, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0 and any(name in answer.stdout for name in ("Chrom", "Edge"))


def _of_playwright() -> Path:
    """Return where Playwright keeps, or would keep, the Chromium it downloads."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path)


def _installers() -> Iterator[list[str]]:
    """Yield the commands that may install a Chromium, the likeliest first; none of them asks anything."""
    playwright = [sys.executable, "-m", "playwright"]
    yield [*playwright, "install", "chromium"]
    sudo = _without_password()
    if sudo is None:
        return
    if _of_playwright().is_file():  # downloaded, but it does not start: the system lacks libraries
        yield [*playwright, "install-deps", "chromium"]
    if shutil.which("apt-get"):
        apt = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet"]
        yield [*apt, "update"]
        yield [*apt, "install", "--yes", "--no-install-recommends", "chromium"]


def _without_password() -> list[str] | None:
    """Return what to write before a command that needs root, or None where that is not allowed."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo and subprocess.run([sudo, "-n", "true"], check=False, capture_output=True).returncode == 0:
        return [sudo, "-n"]
    return None


if __name__ == "__main__":
    try:
        print("Chromium:", install() if "--install" in sys.argv[1:] else find())
    except ChromiumMissing as missing:
        sys.exit(str(missing))
