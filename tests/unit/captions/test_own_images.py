"""A person's own images with captions, from a file in COCO's form to networks, and what of it is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from nlpviz.commands.cli import main
from nlpviz.data import CorpusMissing, DataError, corpus_named
from nlpviz.data.captioned import CaptionedImages
from nlpviz.data.own_texts import OwnTextsError, Source
from nlpviz.data.own_texts import pictures as reading
from nlpviz.data.own_texts.captions import gather_captions
from nlpviz.data.own_texts.pictures import read_picture
from nlpviz.data.own_texts.recipe import read_recipe
from nlpviz.language.decoding.captions import describe
from nlpviz.results.own_texts import ImagesReport
from nlpviz.runs import list_runs, open_run
from nlpviz.runs.captioners import OF_IMAGES, load_captioner
from nlpviz.training import TrainingError
from nlpviz.training.own_plan import plan
from nlpviz.training.own_tasks import OwnRequest, tasks
from tests.captions import IMAGES, OWN, change, train, write_images

SOFT, HARD = f"{OWN}-soft", f"{OWN}-hard"


@pytest.fixture
def runs(own_images: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the runs."""
    shutil.copytree(own_images / "runs", tmp_path / "runs")
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    return tmp_path / "runs"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A captions file with its folder, and no runs."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    return write_images(tmp_path)


def asked(files: tuple[Path, Path], **more: object) -> OwnRequest:
    captions, photos = files
    return OwnRequest(OWN, Source(str(captions)), images=str(photos), **more)  # type: ignore[arg-type]


def read(split: str, name: str = SOFT) -> CaptionedImages:
    told = corpus_named(open_run(name).corpus["name"]).read(split)
    assert isinstance(told, CaptionedImages)
    return told


# ------------------------------------------------------------------------------------------------------------ pictures


def test_a_picture_is_its_middle_square(tmp_path: Path) -> None:
    pixels = np.zeros((40, 80, 3), dtype=np.uint8)
    pixels[:, 20:40], pixels[:, 40:60] = (200, 0, 0), (0, 0, 200)
    Image.fromarray(pixels).save(tmp_path / "wide.png")
    read_one = read_picture(tmp_path / "wide.png", 8)
    assert read_one.shape == (3, 8, 8)
    assert (read_one[0, :, :3] > 150).all()
    assert (read_one[2, :, 5:] > 150).all()
    Image.fromarray(pixels).convert("L").save(tmp_path / "grey.jpg")
    assert read_picture(tmp_path / "grey.jpg", 8).shape == (3, 8, 8)


def test_a_picture_that_lies_on_its_side_is_turned(tmp_path: Path) -> None:
    pixels = np.zeros((16, 16, 3), dtype=np.uint8)
    pixels[:8] = 255
    exif = Image.Exif()
    exif[0x0112] = 6  # the top of what is shown is on the left of what is stored
    Image.fromarray(np.rot90(pixels)).save(tmp_path / "turned.png", exif=exif)
    np.testing.assert_array_equal(read_picture(tmp_path / "turned.png", 16)[0], pixels[:, :, 0])


def test_a_picture_with_too_many_pixels_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Image.new("RGB", (40, 30)).save(tmp_path / "large.png")
    monkeypatch.setattr(reading, "MOST_PIXELS", 1_000)
    with pytest.raises(OwnTextsError, match="more than 1,000 pixels"):
        read_picture(tmp_path / "large.png", 8)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 300)  # at twice as many Pillow refuses by itself
    with pytest.raises(OwnTextsError, match="more than 1,000 pixels"):
        read_picture(tmp_path / "large.png", 8)


# ------------------------------------------------------------------------------------------------------------ the file


def test_bad_entries_are_listed_and_spoil_no_others(files: tuple[Path, Path]) -> None:
    captions, photos = files
    (photos / "broken.png").write_bytes((photos / "000.png").read_bytes()[:70])
    (photos / "text.png").write_text("no picture", encoding="utf-8")
    (photos / "link.png").symlink_to(captions)
    bad = ["missing.jpg", "../captions.json", "broken.png", "text.png", "link.png", str(captions), "x" * 300]
    change(captions, "images", *({"id": f"bad {n}", "file_name": name} for n, name in enumerate(bad)))
    change(captions, "annotations", *({"image_id": f"bad {n}", "caption": "A thing."} for n in range(len(bad))))
    change(
        captions, "images", {"id": 0, "file_name": "001.png"}, {"id": None, "file_name": "001.png"}, 17,
        {"id": "alone", "file_name": "002.png"}, {"id": True, "file_name": "002.png"}, {"id": 99, "file_name": "a\0b"},
    )  # fmt: skip
    change(
        captions, "annotations", {"image_id": 12345, "caption": "Nothing."}, {"image_id": 1, "caption": " "},
        {"image_id": 1, "caption": "word " * 51}, {"image_id": 1}, "no entry",
    )  # fmt: skip
    found = gather_captions(str(captions), str(photos), 16)
    assert (len(found), sum(map(len, found.captions))) == (IMAGES, 2 * IMAGES)
    said = [str(bad) for bad in found.bad]
    for number, why in (
        (1, "is not in the folder: missing.jpg"),
        (2, "is outside the folder: ../captions.json"),
        (3, "cannot be read as an image: broken.png"),
        (4, "cannot be read as an image: text.png"),
        (5, "is outside the folder: link.png"),
        (6, f"is outside the folder: {str(captions)[:80]}"),
        (8, "has the id 0, which is already used by an earlier image"),
        (9, "has no id or no file_name"),
        (10, "has no id or no file_name"),
        (11, "has no caption: 002.png"),
        (12, "has no id or no file_name"),
        (13, "has no id or no file_name"),
    ):
        assert f"Row {IMAGES + number} of images in captions.json {why}." in said
    for number, why in (
        (1, "refers to an image that is not listed"),
        (2, "has an empty caption"),
        (3, "has more than 50 words"),
        (4, "has an empty caption"),
        (5, "refers to an image that is not listed"),
    ):
        assert f"Row {2 * IMAGES + len(bad) + number} of annotations in captions.json {why}." in said
    assert found.bad_count == len(said) == len(bad) + 6 + 5
    assert found.rows == 3 * IMAGES + found.bad_count + len(bad)  # whose captions are no bad entries


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not valid JSON"),
        ("[" * 100_000, "is not valid JSON"),
        ("[]", "is not in COCO format"),
        ('{"images": {}, "annotations": []}', "is not in COCO format"),
        ('{"images": [], "annotations": []}', "contains no images with usable captions"),
        ('{"images": [{"id": 1, "file_name": "no.png"}], "annotations": [{"image_id": 1, "caption": "a"}]}', "no.png"),
    ],
)
def test_what_is_no_captions_file_is_a_sentence(files: tuple[Path, Path], text: str, said: str) -> None:
    captions, photos = files
    captions.write_text(text, encoding="utf-8")
    with pytest.raises(OwnTextsError, match=said):
        gather_captions(str(captions), str(photos), 16)
    with pytest.raises(OwnTextsError, match="There is no folder"):
        gather_captions(str(captions), str(photos / "none"), 16)
    with pytest.raises(OwnTextsError, match="cannot be read"):
        gather_captions(str(captions.with_name("none.json")), str(photos), 16)


# ------------------------------------------------------------------------------------------------------------ the plan


def test_what_is_seen_and_planned(files: tuple[Path, Path]) -> None:
    planned = plan(asked(files, models=("soft", "hard")))
    report, recipe = planned.report, planned.recipe
    assert isinstance(report, ImagesReport)
    assert report.read == f"{3 * IMAGES} entries, {IMAGES} images with {2 * IMAGES} captions used."
    assert [one.images for one in report.counts] == [32, 4, 4]
    assert (report.repeated, report.bad_count) == (0, 0)
    words = {word for one in json.loads(files[0].read_text())["annotations"] for word in one["caption"].split()}
    assert report.known <= len({word.lower().strip(".") for word in words}) + 2
    assert [run.name for run in recipe.runs] == [SOFT, HARD]
    settings = recipe.runs[1].settings
    assert settings["config"]["attention"] == "hard"
    assert (settings["fit"]["steps"], settings["fit"]["batch_size"]) == (4, 16)  # 64 captions
    assert settings["fit"]["epochs"] == 60
    assert recipe.texts.side == 64
    assert "scaled to 64 × 64 pixels" in "\n".join(report.lines())
    assert 0 < report.seconds < 600


def test_equal_images_are_on_one_side(files: tuple[Path, Path]) -> None:
    captions, photos = files
    for number in range(IMAGES):  # every image once more, under another name
        shutil.copy(photos / f"{number:03}.png", photos / f"again-{number:03}.png")
        change(captions, "images", {"id": f"again {number}", "file_name": f"again-{number:03}.png"})
        change(captions, "annotations", {"image_id": f"again {number}", "caption": "The same."})
    planned = plan(asked(files))
    assert isinstance(planned.report, ImagesReport)
    assert planned.report.repeated == IMAGES
    from nlpviz.data.own_texts.corpus import own_corpus

    corpus = own_corpus(planned.recipe, Path("nowhere"))
    names = {split: set(corpus.read(split).names) for split in ("train", "validation", "test")}  # type: ignore[attr-defined]
    assert sum(map(len, names.values())) == 2 * IMAGES
    for some in names.values():
        assert {name.removeprefix("again-") for name in some if name.startswith("again-")} == {
            name for name in some if not name.startswith("again-")
        }


@pytest.mark.parametrize(
    ("more", "error", "said"),
    [
        ({"images": "", "models": ("soft",)}, TrainingError, "A captioner needs images"),
        ({"keep_texts": True}, OwnTextsError, "Images are never stored in a run"),
        ({"test": "x.json"}, TrainingError, "omit --test"),
        ({"held_out": 1.5}, OwnTextsError, "must be between 0 and 1"),
        ({"held_out": 0.9}, OwnTextsError, "a captioner needs at least 20"),
        ({"models": ("cnn",)}, TrainingError, "different tasks"),
        ({"tokens": "words"}, TrainingError, "different tasks"),
    ],
)
def test_what_cannot_be_is_a_sentence(
    files: tuple[Path, Path], more: dict[str, object], error: type[Exception], said: str
) -> None:
    request = asked(files)
    for name, value in more.items():
        object.__setattr__(request, name, value)
    with pytest.raises(error, match=said):
        plan(request)


def test_a_visitor_cannot_hand_over_a_folder() -> None:
    known = tasks()
    assert not known["captions"].of_one_file
    assert all(task.of_one_file for name, task in known.items() if name != "captions")


# ------------------------------------------------------------------------------------------------------------ the runs


@pytest.mark.usefixtures("runs")
def test_images_become_networks() -> None:
    found, problems = list_runs()
    assert (sorted(found), problems) == ([HARD, SOFT], [])
    run = found[SOFT]
    assert (run.kind, run.config["attention"], run.epochs[0]) == (OF_IMAGES, "soft", 0)
    assert (run.corpus["train"], run.corpus["validation"], run.corpus["test"]) == (32, 4, 4)
    test = run.metrics["test"]
    assert test["perplexity"] == pytest.approx(np.exp(test["loss"]))
    assert test["loss"] < np.log(run.config["vocabulary_size"])
    assert set(run.metrics["validation"]) == {"loss"}
    assert "there" in run.vocabulary.words
    assert not [
        path
        for path in run.folder.iterdir()
        if path.suffix in (".png", ".json", ".parquet") and path.name != "run.json"
    ]
    card = (run.folder / "README.md").read_text(encoding="utf-8")
    assert f"BLEU {test['bleu']:.1f} on 4 test images, ignoring case, compared with 8" in card
    assert "recipe.toml" in card
    assert load_captioner(run).vocabulary.words == run.vocabulary.words


@pytest.mark.ci
@pytest.mark.usefixtures("runs")
def test_a_recipe_makes_the_same_run_again() -> None:
    run = open_run(SOFT)
    recipe = read_recipe(run.folder / "recipe.toml")
    assert recipe.texts.images.endswith("photos")
    assert main(["train", str(run.folder / "recipe.toml"), "--device", "cpu"]) == 0
    assert open_run(SOFT).metrics == run.metrics


@pytest.mark.usefixtures("runs")
def test_evaluate_measures_again_and_caption_tells(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", SOFT, "--json", "--device", "cpu"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["test"]["loss"] == pytest.approx(open_run(SOFT).metrics["test"]["loss"], abs=1e-6)
    assert main(["evaluate", HARD, "--device", "cpu", "--epoch", "0"]) == 0
    assert "on 4 test images with 8 human captions" in capsys.readouterr().out
    assert main(["caption", HARD, "--test", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["people"] == list(read("test").texts(1))
    (expected,) = describe(load_captioner(open_run(HARD)), read("test").images[1][None])
    assert [word["word"] for word in told["words"]] == list(expected.words)
    probabilities = [word["probability"] for word in told["words"]]
    np.testing.assert_allclose(probabilities, expected.probabilities, rtol=1e-5)
    assert len(told["places"]) == len(told["words"])
    assert main(["caption", SOFT, "--test", "5"]) == 2
    assert "There is no image 5. The images are numbered 1 to 4." in capsys.readouterr().err
    for flag, value in (("--scene", "small red square 20 24"), ("--unseen", "1")):
        assert main(["caption", SOFT, flag, value]) == 2
        assert "trained on your own images, not on scenes" in capsys.readouterr().err


@pytest.mark.usefixtures("runs")
def test_captions_are_found_by_their_number() -> None:
    corpus = corpus_named(open_run(SOFT).corpus["name"])
    captions = [" ".join(words) for words in read("test").captions[2]]
    assert corpus.find("test/3") == "\n".join(captions)
    for wrong in ("test/0", "test/99", "test/x", "nothing/1", ""):
        with pytest.raises(DataError, match="has no image"):
            corpus.find(wrong)
    with pytest.raises(DataError, match="has no split 'nothing'"):
        corpus.read("nothing")


def test_images_that_have_changed_are_not_read(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    captions, photos = files
    assert train("changing", captions, photos, "--epochs", "1") == 0
    assert main(["train", "changing", "--texts", str(captions), "--images", str(photos), "--epochs", "1"]) == 2
    assert "already exist" in capsys.readouterr().err
    Image.new("RGB", (9, 9)).save(photos / "more.png")
    with pytest.raises(CorpusMissing, match="photos has changed since the run was trained"):
        read("test", "changing")
    shutil.rmtree(photos)
    gone = r"photos no longer exists, and the run stores no images\.$"
    with pytest.raises(CorpusMissing, match=gone):
        read("test", "changing")
    with pytest.raises(CorpusMissing, match=gone):
        corpus_named("changing").find("test/1")
    assert main(["caption", "changing"]) == 2
