"""What one visitor may ask of the server: the one place that reads its limits from the environment.

A server that only its own machine can reach gives its visitor much; one that others can reach is public, and gives each
less and trains nothing for them. ``docs/serving.md`` has the table of :data:`SETTINGS`, which a test holds to it.
"""

from __future__ import annotations

import os
from typing import NamedTuple
from urllib.parse import urlsplit

import streamlit as st

PUBLIC = "NLPVIZ_PUBLIC"
"""``1`` says that strangers visit the server, ``0`` that its visitors are trusted; unset, it is found out."""
_HERE = {"127.0.0.1", "localhost", "::1"}


class SettingError(ValueError):
    """A variable of the environment holds what is no such limit."""


class Setting(NamedTuple):
    """A limit that a variable of the environment sets.

    Attributes:
        alone: where its visitors are trusted.
        public: where they are not.
        says: what it bounds.
    """

    alone: int
    public: int
    says: str


SETTINGS = {
    "NLPVIZ_TRAINING": Setting(1, 0, "1 if visitors may train networks on their own texts, else 0"),
    "NLPVIZ_TRAINING_MINUTES": Setting(60, 10, "maximum minutes per training run"),
    "NLPVIZ_TRAINING_ROWS": Setting(1_000_000, 20_000, "maximum rows read from a file"),
    "NLPVIZ_TEXT_CHARACTERS": Setting(200_000, 20_000, "maximum number of characters in a typed or pasted text"),
    "NLPVIZ_TAB_MB": Setting(512, 64, "maximum size of uploaded word vectors per tab, in MiB"),
    "NLPVIZ_RACES": Setting(6, 2, "maximum number of simultaneous races, over all visitors; 0 for none"),
    "NLPVIZ_RACE_MINUTES": Setting(10, 3, "maximum minutes of uninterrupted training in a race"),
    "NLPVIZ_MAPS": Setting(8, 4, "maximum number of queued maps, over all visitors; 0 for none"),
    "NLPVIZ_CACHE_PERCENT": Setting(100, 100, "size of the largest caches, in percent of the default"),
}
"""Every limit by its variable."""


def public() -> bool:
    """Return whether strangers may visit the server.

    Raises:
        SettingError: if ``NLPVIZ_PUBLIC`` is neither empty nor 0 or 1.
    """
    said = os.environ.get(PUBLIC, "")
    if said not in ("", "0", "1"):
        raise SettingError(f"{PUBLIC} is {said!r}. Set it to 1 or 0, or leave it unset.")
    return said == "1" if said else not _reached_from_here_alone()


def paths_allowed() -> bool:
    """Return whether a visitor may name a file by its path: only who sits at this machine, and may read it anyway."""
    return alone()


def alone() -> bool:
    """Return whether the server is for the person at this machine alone: nothing that is typed leaves it."""
    return not public() and _reached_from_here_alone()


def downloads_allowed() -> bool:
    """Return whether a visitor may have the server download a corpus."""
    return not public()


def training_allowed() -> bool:
    """Return whether visitors may train networks on texts of their own."""
    return _limit("NLPVIZ_TRAINING") > 0


def most_minutes() -> int:
    """Return how many minutes a training on the visitor's texts may take."""
    return _limit("NLPVIZ_TRAINING_MINUTES")


def most_rows() -> int:
    """Return how many rows of a visitor's file are read."""
    return _limit("NLPVIZ_TRAINING_ROWS")


def most_upload_bytes() -> int:
    """Return how large an upload may be; Streamlit itself refuses what is larger, before it is in memory."""
    return int(st.get_option("server.maxUploadSize")) << 20


def most_characters(field: int | None = None) -> int:
    """Return how many characters a text may have; no more than ``field``, where a field has a bound of its own."""
    most = _limit("NLPVIZ_TEXT_CHARACTERS")
    return most if field is None else min(most, field)


def most_tab_bytes() -> int:
    """Return how many bytes a tab's own word vectors may take."""
    return _limit("NLPVIZ_TAB_MB") << 20


def most_races() -> int:
    """Return how many races of networks go on at once."""
    return _limit("NLPVIZ_RACES")


def race_minutes() -> int:
    """Return how many minutes a race trains in one go."""
    return _limit("NLPVIZ_RACE_MINUTES")


def most_maps() -> int:
    """Return how many maps may wait to be computed."""
    return _limit("NLPVIZ_MAPS")


def entries(usual: int) -> int:
    """Return how many things a cache keeps that would keep ``usual`` ones: at least one."""
    return max(1, usual * _limit("NLPVIZ_CACHE_PERCENT") // 100)


def _limit(variable: str) -> int:
    """Return what the environment says, or the default for such a server.

    Raises:
        SettingError: if it is no whole number.
    """
    said = os.environ.get(variable, "")
    if not said:
        setting = SETTINGS[variable]
        return setting.public if public() else setting.alone
    if not (said.isascii() and said.isdigit()):
        raise SettingError(f"{variable} is {said!r}. Set it to an integer of at least 0.")
    return int(said)


def _reached_from_here_alone() -> bool:
    """Return whether the server listens to this machine alone, under no name but this machine's.

    A proxy on the same machine reaches it at 127.0.0.1 as well, but asks for it by the name that visitors typed.
    """
    names: list[str] = st.get_option("server.allowedHosts")  # empty: any
    origins = [urlsplit(origin).hostname for origin in st.get_option("server.corsAllowedOrigins")]
    own = st.get_option("server.enableCORS") and names and {*names, *origins} <= _HERE
    return bool(own) and st.get_option("server.address") in _HERE
