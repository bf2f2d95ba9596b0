"""What the documents say: links that lead somewhere, commands that exist, every name listed, examples that run."""

from __future__ import annotations

import importlib
import inspect
import json
import re
import shlex
import subprocess
import sys
import tomllib
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import regex
import torch
from PIL import Image
from streamlit.testing.v1 import AppTest

from benchmarks import SUBJECTS, Row, benchmarks, report
from nlpviz import __version__
from nlpviz.analysis.attribution import explain, methods
from nlpviz.analysis.inspection.features import features
from nlpviz.analysis.projections import project_run, projectors
from nlpviz.commands.cli import main, parser
from nlpviz.commands.templates import fields_of, parts_of
from nlpviz.data import corpora
from nlpviz.discovery import discover
from nlpviz.experiments.toys import toy_tasks
from nlpviz.networks.architectures import architectures, captioners, transducers, translators
from nlpviz.networks.cells import cells
from nlpviz.networks.recurrence import through_time
from nlpviz.run_kinds import kinds
from nlpviz.runs import Run, open_run
from nlpviz.runs.budget import LARGEST, MIB, TOGETHER
from nlpviz.training import Options
from nlpviz.training.produce import produce
from nlpviz.training.recipes import recipes
from nlpviz.ui.frame import page_name
from tests import toy
from tests.recurrence import looped
from tests.unit.test_words import said

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").glob("*.md")]
SITE = ROOT / "docs" / "site"
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)|<(?:img src|source [^>]*srcset)=\"([^\"]+)\"")
GENERATED = re.compile(r"(?:\.\./)?(?:views|runs|commands)/[\w-]+\.md")
CODE = re.compile(r"^```(?:\w+)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")
DISCOVERED = re.compile(r'discover\("([\w.]+)", "([A-Z_]+)"')
EXAMPLE = re.compile(r"^```python\n# (\S+)/(\w+)\.py\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ASSIGNED = re.compile(r"[A-Z_]+=")
TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)

# Empty praise, things left open, paths of one machine.
UNWANTED = re.compile(
    r"(?i)\b(cutting[- ]edge|easily|effortless\w*|fixme|leverag\w+|obviously|powerful|robust|seamless\w*|simply|"
    r"state[- ]of[- ]the[- ]art|todo|unleash\w*|xxx)\b|(?<![\w.])/(?:home|root|tmp|work)/"
)


@pytest.mark.parametrize("picture", sorted((ROOT / "docs/pictures").rglob("*.webp")), ids=lambda path: path.stem)
def test_pictures_can_be_opened(picture: Path) -> None:
    with Image.open(picture) as opened:
        opened.load()


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """What generates pages of the documentation."""
    monkeypatch.syspath_prepend(SITE)
    names = {"views": "view_pages", "runs": "run_pages", "commands": "command_pages", "build": "build"}
    return SimpleNamespace(**{name: importlib.import_module(module) for name, module in names.items()})


@pytest.fixture(params=DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def document(request: pytest.FixtureRequest) -> Path:
    """Each Markdown file of the project."""
    return request.param


def commands(text: str) -> list[list[str]]:
    """Return the words of every ``make``, ``python`` and ``nlpviz`` line, in console blocks and in running text."""
    lines = [line.removeprefix("$ ") for block in CODE.findall(text) for line in block.splitlines()]
    lines += INLINE.findall(CODE.sub("", text))
    return [shlex.split(line) for line in lines if line.startswith(("make ", "python ", "nlpviz "))]


# ------------------------------------------------------------------------------------------------------------- words


def test_relative_links_lead_somewhere(document: Path) -> None:
    links = [link or image for link, image in LINK.findall(CODE.sub("", document.read_text(encoding="utf-8")))]
    own = [link.partition("#")[0] for link in links if "://" not in link and not link.startswith("#")]
    written = [link for link in own if not (document.is_relative_to(ROOT / "docs") and GENERATED.fullmatch(link))]
    assert [link for link in written if not (document.parent / link).exists()] == [], (
        "pictures: python docs/pictures.py"
    )


def test_controls_that_the_guides_quote_stand_in_the_app() -> None:
    app = " ".join(text for file, text in said(ROOT) if file.endswith((".py", ".js")))
    guides = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "docs" / "start").glob("*.md"))
    quoted = {" ".join(label.split()) for label in re.findall(r"“([A-Z][^”]*[^.”])”", guides)}
    assert quoted
    assert [label for label in sorted(quoted) if label not in app] == []


def test_generated_pages_that_are_linked_exist(document: Path, site: SimpleNamespace) -> None:
    links = [link for link, _ in LINK.findall(document.read_text(encoding="utf-8"))]
    named = [
        link.partition("#")[0].removeprefix("../") for link in links if GENERATED.fullmatch(link.partition("#")[0])
    ]
    pages = {f"views/{view.document}.md" for view in site.views.documented_views()}
    pages |= {f"commands/{name}.md" for name in site.commands.subparsers()}
    pages |= {f"runs/{manifest.parent.name}.md" for manifest in (ROOT / "trained").glob("[!.]*/run.json")}
    assert set(named) - {"views/index.md", "runs/index.md", "commands/index.md"} <= pages


def test_readme_is_short_and_leads_to_all_sections_of_a_view() -> None:
    """A newcomer reads it whole; GitHub leads to the headings of docs/views.md."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.encode()) <= 8_000
    headings = re.findall(r"^## (.*)$", (ROOT / "docs" / "views.md").read_text(encoding="utf-8"), re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    linked = re.findall(r"docs/views\.md#([\w-]+)", readme)
    assert len(linked) >= 7
    assert set(linked) <= anchors


def test_plain_words(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert UNWANTED.findall(text) == []
    assert regex.findall(r"\p{Emoji_Presentation}", text) == []


def test_a_release_is_five_to_eight_lines_and_the_newest_is_this_one() -> None:
    _, *releases = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    names = [release.split(" – ")[0] for release in releases]
    assert names[0] == __version__
    assert names == sorted(names, key=lambda name: [int(part) for part in name.split(".")], reverse=True)
    assert {name for name, text in zip(names, releases, strict=True) if not 5 <= text.count("\n- ") <= 8} == set()


def test_readme_counts_the_runs() -> None:
    (count,) = re.findall(r"(\d+) trained models", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert int(count) == len(list((ROOT / "trained").glob("[!.]*/run.json")))


def test_code_blocks_are_closed(document: Path) -> None:
    assert len(re.findall(r"^```", document.read_text(encoding="utf-8"), re.MULTILINE)) % 2 == 0


def test_rows_of_a_table_are_of_one_length(document: Path) -> None:
    for table in TABLE.findall(CODE.sub("", document.read_text(encoding="utf-8"))):
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1, table


def test_budget_is_what_the_package_says() -> None:
    """Documents and the hook repeat the numbers of `nlpviz/runs/budget.py`, and no others."""
    together, largest = TOGETHER // MIB, LARGEST // MIB
    for name in ("CONTRIBUTING.md", "docs/runs/index.md", "docs/architecture.md"):
        text = " ".join((ROOT / name).read_text(encoding="utf-8").split())
        assert re.findall(r"together stay\w* under (\d+) MiB", text) == [str(together)], name
        assert set(re.findall(r"over (\d+) MiB", text)) == {str(largest)}, name
    hook = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert set(re.findall(r"(\d+) (?:MiB|<< 20)", hook)) == {str(largest)}


# ---------------------------------------------------------------------------------------------------------- commands


def test_make_has_every_command(document: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    variables = set(re.findall(r"^([A-Z_]+) *\?=", makefile, re.MULTILINE)) | {"ARGS"}
    for _, *words in (words for words in commands(document.read_text(encoding="utf-8")) if words[0] == "make"):
        assert {word.partition("=")[0] for word in words if ASSIGNED.match(word)} <= variables
        assert {word for word in words if not ASSIGNED.match(word)} <= targets


def test_command_line_understands_every_command(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    understood = parser()
    for words in commands(document.read_text(encoding="utf-8")):
        if "nlpviz" in (words[0], *words[2:3]):
            try:
                understood.parse_args(words[1:] if words[0] == "nlpviz" else words[3:])
            except SystemExit as stopped:
                if stopped.code:
                    pytest.fail(f"{shlex.join(words)}: {capsys.readouterr().err}")


def test_every_command_has_examples_that_it_understands(
    site: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those under `run` are executed where the documentation is built: `.ci/run` does that."""
    examples = tomllib.loads((ROOT / "docs" / "commands.toml").read_text(encoding="utf-8"))
    assert set(examples) == set(site.commands.subparsers())
    for name, entry in examples.items():
        lines = [*entry.get("run", []), *entry.get("show", [])]
        assert lines, name
        for line in lines:
            assert shlex.split(line)[0] == name
            try:
                parser().parse_args(shlex.split(line))
            except SystemExit:
                pytest.fail(f"{line}: {capsys.readouterr().err}")


def test_a_command_s_page_has_its_arguments_and_its_output(site: SimpleNamespace, tmp_path: Path) -> None:
    site.commands.write_page(tmp_path / "neighbours.md", "neighbours")
    page = (tmp_path / "neighbours.md").read_text(encoding="utf-8")
    assert "# neighbours" in page
    assert re.search(r"^\$ nlpviz neighbours enwiki-skipgram paris.*\nparis .*\n +1 ", page, re.MULTILINE)
    assert "| `--count " in page


def test_scripts_that_are_named_exist(document: Path) -> None:
    for words in commands(document.read_text(encoding="utf-8")):
        scripts = [word for word in words[1:2] if word.endswith(".py")]
        assert all((ROOT / script).exists() for script in scripts)
        if words[1:3] == ["-m", "benchmarks"]:
            assert set(words[3:]) - {"NAME"} <= set(benchmarks())


def test_benchmarks_stand_in_the_order_of_their_subjects() -> None:
    """The table of their files has the same order, and so has what they measured."""
    subjects = [SUBJECTS.index(benchmark.subject) for benchmark in benchmarks().values()]
    assert subjects == sorted(subjects)
    assert len(set(subjects)) == len(SUBJECTS), "a subject without a benchmark"
    written = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    files = re.findall(r"^\| \[(\w+)\.py\]", written, flags=re.M)
    assert files == [name.replace("-", "_") for name in benchmarks()]


def test_what_benchmarks_measured_is_reported_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results, readme = tmp_path / "results.json", tmp_path / "README.md"
    readme.write_text(f"Before.\n{report.BEGIN}\n{report.END}\nAfter.", encoding="utf-8")
    monkeypatch.setattr(report, "RESULTS", results)
    monkeypatch.setattr(report, "README", readme)
    for name in ("word-training", "saliency", "start"):
        left = Row(f"memory that {name} left", "MB", (-1.5,), "nothing", (0.0,))
        report.write(benchmarks()[name], [Row(name, "s", (2.0,), "a peer", (4.0,), bar=3.0), left], 1.0)
    assert list(json.loads(results.read_text(encoding="utf-8"))) == ["start", "saliency", "word-training"]
    lines = [line for line in readme.read_text(encoding="utf-8").split("\n") if line.startswith("| ")][2:]
    assert [line.split(" | ")[0].removeprefix("| ") for line in lines[::2]] == ["start", "saliency", "word-training"]
    assert lines[0] == "| start | 2.00 s | a peer | 4.00 s | 0.50 | 3 s, met |"
    assert lines[1].endswith("| -2 MB | nothing | 0 MB | – | none |")


# ------------------------------------------------------------------------------------------------------------- names


def test_modules_that_docstrings_name_exist() -> None:
    for file in (ROOT / "nlpviz").rglob("*.py"):
        named = re.findall(r":mod:`~?(nlpviz[\w.]*)`", file.read_text(encoding="utf-8"))
        assert [name for name in named if find_spec(name) is None] == [], file


@cache
def committed() -> frozenset[Path]:
    """Return the files under version control: what is only tried out needs no word yet. All files where git is not."""
    try:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return frozenset(ROOT.rglob("*"))
    return frozenset(ROOT / name for name in listed.split("\0"))


def test_a_class_name_means_one_thing() -> None:
    defined: dict[str, list[Path]] = {}
    for file in (ROOT / "nlpviz").rglob("*.py"):
        if file in committed():
            for name in re.findall(r"^class ([A-Z]\w*)", file.read_text(encoding="utf-8"), flags=re.M):
                defined.setdefault(name, []).append(file)
    assert len(defined) > 100
    assert {name: files for name, files in defined.items() if len(files) > 1} == {}


def test_glossary_lists_every_name() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    origins = {
        **{method: method.attribute for method in methods().values()},
        **{projector: projector.project for projector in projectors().values()},
        **{one: one.config for one in (architectures() | translators() | transducers() | captioners()).values()},
    }
    for one, made_by in origins.items():
        if Path(inspect.getfile(made_by)) in committed():
            assert re.search(rf"^\| `{one.name}` \| {re.escape(one.title)} \|", glossary, re.MULTILINE), one.name


def test_architecture_is_short_and_names_every_package_and_extension_point() -> None:
    described = (ROOT / "docs" / "architecture.md").read_bytes()
    assert len(described) <= 25_000, "a page that is read in fifteen minutes"
    packages, points = described.decode().split("## Extension points")
    rows = [line for line in points.splitlines() if line.startswith("| ")]
    for folder in sorted({path.parent for path in committed() if path.name == "__init__.py"}):
        if folder.parent == ROOT / "nlpviz":
            assert f"`{folder.name}/`" in packages, folder.name
    sources = [path for path in committed() if path.suffix == ".py" and path.is_relative_to(ROOT / "nlpviz")]
    called = [call for path in sources for call in DISCOVERED.findall(path.read_text(encoding="utf-8"))]
    assert len(called) > 20
    for package, constant in called:
        folder = package.removeprefix("nlpviz.").replace(".", "/")
        assert any(f"| `{folder}` |" in row and f"`{constant}`" in row for row in rows), (package, constant)


def test_every_view_is_described(page_view: tuple[Path, Path | None], site: SimpleNamespace) -> None:
    page, view = page_view
    if (view or page) in committed():
        assert len(site.views.descriptions()[view_name(page, view)].split()) >= 8, "docs/views.md"


def test_no_view_is_described_that_is_not_there(site: SimpleNamespace) -> None:
    assert set(site.views.descriptions()) == {view.name for view in site.views.documented_views()}


def view_name(page: Path, view: Path | None) -> str:
    """Return what documents call a view: its page, then its own name, ``Toy tasks: live``."""
    return page_name(page) if view is None else f"{page_name(page)}: {low(page_name(view))}"


def low(title: str) -> str:
    """Return a title as it stands within a line."""
    return title if title.isupper() else title[:1].lower() + title[1:]


def test_committed_runs_are_in_the_tables(site: SimpleNamespace) -> None:
    runs = [Run.open(manifest.parent) for manifest in sorted((ROOT / "trained").glob("[!.]*/run.json"))]
    written = site.runs.tables_of(runs)
    assert all(f"]({run.name}.md) (`{run.name}`)" in written for run in runs)
    assert "| 91.91% | 91.56% to 92.24% |" in written


# ---------------------------------------------------------------------------------------------------------- examples


@pytest.mark.parametrize("verb", [("check", "--no-cache"), ("format", "--diff", "--no-cache")], ids=["check", "format"])
def test_examples_of_contributing_are_in_style(verb: tuple[str, ...]) -> None:
    for folder, name, source in EXAMPLE.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")):
        command = [sys.executable, "-m", "ruff", *verb, "--stdin-filename", f"{folder}/{name}.py", "-"]
        told = subprocess.run(command, cwd=ROOT, input=source, capture_output=True, encoding="utf-8", check=False)
        assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.slow  # half a minute where `make check` has not filled mypy's cache
@pytest.mark.timeout(600)
def test_examples_of_contributing_are_typed(tmp_path: Path) -> None:
    for _, name, source in EXAMPLE.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")):
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
    files = sorted(str(path) for path in tmp_path.glob("*.py"))
    told = subprocess.run(
        [sys.executable, "-m", "mypy", *files], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    assert told.returncode == 0, told.stdout + told.stderr


def written_by_new() -> list[tuple[str, str, str]]:
    """Return folder, name and source of the modules and the view that `new` writes in CONTRIBUTING."""
    place = {"page": "Explore", "folder": "10_Explore", "stem": "Review_lengths", "number": "70"}
    wanted = {"method": "mean-gradient", "model": "bag", "view": "review-lengths", "kind": "tagger"}
    paths = {
        Path(path): part.text
        for what, name in wanted.items()
        for path, part in parts_of(what, fields_of(name) | place).items()
    }
    return [
        (path.parent.as_posix(), path.stem, text)
        for path, text in paths.items()
        if path.parts[0] in ("nlpviz", "pages")
    ]


@pytest.mark.ci
@pytest.mark.usefixtures("trained")
def test_examples_of_contributing_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stands there as a file, or is written by the commands there, from a model to a view."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for folder, name, source in [*EXAMPLE.findall(text), *written_by_new()]:
        if folder.startswith("pages/"):
            page_of = tmp_path / f"{Path(folder).name}.py"
            page_of.write_text("from nlpviz.ui import views\nviews.show(__file__)\n", encoding="utf-8")
            page_of.with_suffix("").mkdir()
            (page_of.with_suffix("") / f"{name}.py").write_text(source, encoding="utf-8")
        else:
            toy.add_modules(monkeypatch, folder.replace("/", "."), tmp_path / folder, {name: source})
    (tmp_path / "data").mkdir()
    (make,) = (words for words in commands(text) if words[:2] == ["python", "-c"])
    subprocess.run([sys.executable, *make[1:]], cwd=tmp_path, check=True)
    monkeypatch.setenv("NLPVIZ_DATA", str(tmp_path / "data"))
    try:
        assert corpora()["toy-reviews"].find("test/1") == "splendid film number 2"
        run = produce(recipes()["tiny-bag"], Options(device="cpu"))
        assert run is not None
        assert run.metrics["test"]["accuracy"] == 1.0
        assert "whitened-pca" in {chart.projector for chart in project_run(run)}
        strongest = explain(open_run("tiny-bag").load(), "a splendid film", "mean-gradient")
        assert strongest.scores.shape == (3,)
        assert not methods()["mean-gradient"].surveyed, "no committed survey has to have it"
        assert main(["tokens", "tiny-bag", "--text", "a splendid zzz"]) == 0
        assert kinds()["tagger"].headline.more_is_better
        torch.manual_seed(0)
        leaky, inputs = cells()["leaky"].build(3, 4).double(), torch.randn(40, 2, 3, dtype=torch.double)
        by_hand, by_loop = through_time(leaky, inputs)[0], torch.stack([state[0] for state in looped(leaky, inputs)])
        torch.testing.assert_close(by_hand, by_loop)
        trained = list(leaky.parameters())
        for mine, theirs in zip(
            *(torch.autograd.grad(states[-1].sum(), trained) for states in (by_hand, by_loop)), strict=True
        ):
            torch.testing.assert_close(mine, theirs)
        read = open_run("tiny-bag").vocabulary.encode("in 1994 a splendid 10/10", 100)
        assert features()["numeral"].course(read, {}).tolist() == [any(map(str.isdigit, one.word)) for one in read.read]
        parity = toy_tasks()["parity"]
        drawn = parity.draw(np.random.default_rng(0), 4_000, 5)
        alone = drawn.inputs[..., 0] != drawn.targets
        assert alone.mean() == pytest.approx(parity.chance(5).error, abs=0.02)
        assert (~alone.any(axis=1)).mean() == pytest.approx(parity.chance(5).exact, abs=0.02)
        page = AppTest.from_file(page_of, default_timeout=60)
        page.query_params["run"] = "toy-cnn"
        assert not page.run().exception
        assert page.title[0].value.startswith("Does the network err")
    finally:
        discover.cache_clear()
