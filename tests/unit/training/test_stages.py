"""The steps of which a run is made, one after the other."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

import nlpviz.training
from nlpviz.training import Options, Recipe, Stages, TrainingError
from nlpviz.training.arrays import Arrays
from nlpviz.training.produce import produce
from nlpviz.training.sources import Sources

CPU = Options(device="cpu")


def stages(done: list[str], *, one_process: bool = False, own_vectors: bool = False) -> Stages:
    """Return steps that note in ``done`` that they were taken, and with what."""

    def read(folder: Path, options: Options) -> Arrays:
        done.append(f"read {folder.name} {options.device}")
        return {"numbers": np.arange(3)}

    def encode(sources: Sources, options: Options) -> Arrays:
        done.append(f"encode {' '.join(sources)} {options.device}")
        return {"ids": sources["toy"]()["numbers"] + 1}

    def fit(arrays: Arrays, folder: Path, options: Options) -> None:
        done.append(f"fit {arrays['ids'].tolist()} {folder.name} {options.device}")

    def finish(folder: Path, options: Options) -> None:
        done.append(f"finish {folder.name} {options.device}")

    return Stages(
        lambda: {"toy": read, "needless": read}, encode, fit, finish, one_process=one_process, own_vectors=own_vectors
    )


def test_each_step_follows_the_one_before() -> None:
    done: list[str] = []
    stages(done).make(Path("toy"), CPU)
    assert done == ["encode toy needless cpu", "read toy cpu", "fit [1, 2, 3] toy cpu", "finish toy cpu"]


@pytest.mark.parametrize("first", [True, False])
def test_others_do_nothing_where_one_process_does_it_all(first: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nlpviz.training, "accelerator_for", lambda _: SimpleNamespace(is_main_process=first))
    done: list[str] = []
    stages(done, one_process=True).make(Path("toy"), CPU)
    assert len(done) == (4 if first else 0)
    stages(done).make(Path("toy"), CPU)
    assert len(done) == (8 if first else 4)


@pytest.mark.parametrize("staged", [True, False])
def test_others_make_nothing_where_a_recipe_has_no_stages(
    staged: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    met: list[str] = []
    other = SimpleNamespace(
        is_main_process=False,
        wait_for_everyone=lambda: met.append("all connected"),
        destroy_process_group=lambda: met.append("left"),
    )
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    monkeypatch.setattr(torch.distributed, "is_torchelastic_launched", lambda: True)
    monkeypatch.setattr("nlpviz.training.produce.accelerator_for", lambda _: SimpleNamespace(state=other))
    recipe = Recipe("toy", "Toy", "toy", lambda *_: met.append("made"), lambda *_: {}, stages([]) if staged else None)
    assert produce(recipe, CPU) is None
    assert met == ["all connected", *(["made"] if staged else []), "left"]


def test_vectors_are_refused_where_the_run_trains_its_own() -> None:
    done: list[str] = []
    with pytest.raises(TrainingError, match=r"^toy trains its own word vectors; --vectors applies only to classifiers"):
        stages(done, own_vectors=True).make(Path("toy"), Options(device="cpu", vectors="words"))
    assert not done
    stages(done, own_vectors=True).make(Path("toy"), CPU)
    stages(done).make(Path("toy"), Options(device="cpu", vectors="words"))
    assert len(done) == 8
