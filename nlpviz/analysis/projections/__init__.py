"""Projectors, one per module: maps of document embeddings whose epochs can be compared."""

from __future__ import annotations

from nlpviz.analysis.projections.maps import compute, project_run, write_maps
from nlpviz.analysis.projections.projector import (
    Embeddings,
    FittedMap,
    Fitting,
    Progress,
    Projector,
    part_of,
    projectors,
    title_of,
)
from nlpviz.analysis.projections.settings import NEIGHBOURS, MapSettings, check

__all__ = [
    "NEIGHBOURS",
    "Embeddings",
    "FittedMap",
    "Fitting",
    "MapSettings",
    "Progress",
    "Projector",
    "check",
    "compute",
    "part_of",
    "project_run",
    "projectors",
    "title_of",
    "write_maps",
]
