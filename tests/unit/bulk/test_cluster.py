"""The parts of a job on a cluster of two workers, if Ray is there: the file is the one that a single process makes."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from nlpviz.analysis.bulk import BulkError, jobs
from nlpviz.analysis.bulk.answers import answer_rows
from nlpviz.analysis.bulk.cluster import Cluster, ClusterWorker
from nlpviz.analysis.bulk.jobs import Told, answer_file
from nlpviz.analysis.bulk.parts import Parts, parts_of
from nlpviz.analysis.bulk.questions import BulkQuestion, LoadedQuestion
from nlpviz.runs import open_run
from tests.unit.bulk.test_jobs import QUIET, question, rows

HAS_RAY = importlib.util.find_spec("ray") is not None
needs_ray = pytest.mark.skipif(not HAS_RAY, reason="Ray is not installed: pip install -r requirements-ray.txt")


@pytest.fixture(autouse=True)
def small_parts(trained: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001 - the runs are in place
    monkeypatch.setattr(jobs, "ROWS_OF_A_PART", 16)


@needs_ray
@pytest.mark.filterwarnings("default")  # Ray's own
@pytest.mark.parametrize(("name", "about"), [("toy-cnn", "embed"), ("toy-ngrams", "predict")])
def test_two_workers_write_the_file_of_one_process(tmp_path: Path, name: str, about: str) -> None:
    run = open_run(name)
    asked = question(run, about, labelled=True, keep_texts=True)
    alone, together = tmp_path / "alone.parquet", tmp_path / "together.parquet"
    answer_file(asked, rows, alone, QUIET)

    def stop(_rows: int) -> None:
        raise KeyboardInterrupt  # with a part done

    with pytest.raises(KeyboardInterrupt):
        answer_file(asked, rows, together, Told(lambda *_: None, stop))
    answered: list[int] = []
    answer_file(asked, rows, together, Told(lambda *_: None, answered.append), Cluster(workers=2))
    assert sum(answered) == 74
    assert len(answered) > 1
    assert pq.ParquetFile(together).read().equals(pq.ParquetFile(alone).read())
    assert list(tmp_path.glob(".*")) == []


@pytest.mark.skipif(HAS_RAY, reason="Ray is installed")
def test_without_ray_a_sentence_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(BulkError, match=r"pip install -r requirements-ray\.txt"):
        answer_file(question(open_run("toy-cnn")), rows, tmp_path / "out.parquet", QUIET, Cluster())
    assert not list((tmp_path / ".out.parquet.parts").glob("rows-*")), "texts were left behind"


def test_a_worker_with_another_run_of_the_same_name_is_refused(tmp_path: Path) -> None:
    run = open_run("toy-cnn")
    with pytest.raises(BulkError, match="differs between machines"):
        ClusterWorker(BulkQuestion("predict", run.name, "0" * 12, run.best_epoch), tmp_path / "out.parquet")


def test_a_worker_answers_its_part_by_the_weights_of_ngrams(tmp_path: Path) -> None:
    run = open_run("toy-ngrams")
    there, (number, part) = Parts(tmp_path / "out.parquet"), next(iter(enumerate(parts_of(rows(), 16))))
    there.folder.mkdir()
    there.write(there.staged(number), part)
    told = ClusterWorker(question(run), there.out)(pa.table({"part": [number]}))
    assert told["rows"].to_pylist() == [16]
    answers = pq.ParquetFile(there.path(number)).read()
    assert answers.equals(answer_rows(LoadedQuestion.load(question(run)), part))


@needs_ray
@pytest.mark.filterwarnings("default")
def test_an_answer_that_fails_on_a_worker_ends_the_job_and_leaves_no_text(tmp_path: Path) -> None:
    run = open_run("toy-cnn")
    asked = question(run, "explain", method="no-such-method")
    with pytest.raises(BulkError, match="There is no method 'no-such-method'"):
        answer_file(asked, rows, tmp_path / "out.parquet", QUIET, Cluster(workers=1))
    assert not list((tmp_path / ".out.parquet.parts").glob("rows-*"))
