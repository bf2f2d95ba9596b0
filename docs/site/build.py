"""Build the documentation: ``make docs``.

Everything is written to ``build/docs``: the pages in ``source``, as Markdown, and the site in ``html``. Pages about
views, runs and commands are generated from the app, the manifests and the parser. The rest is Markdown in ``docs``.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import build_main

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import command_pages  # noqa: E402
import run_pages  # noqa: E402
import view_pages  # noqa: E402

BUILT = ROOT / "build" / "docs"
OUTSIDE = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""Pages of the site that are files elsewhere in the repository."""
LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")


def write_sources(folder: Path) -> None:
    """Write the Markdown of all pages into an empty ``folder``."""
    docs = ROOT / "docs"
    for file in sorted(docs.rglob("*.md")):
        if file.name != "views.md":
            copy(file, folder / file.relative_to(docs))
    for file, name in OUTSIDE.items():
        copy(ROOT / file, folder / name)
    shutil.copytree(docs / "pictures", folder / "pictures", dirs_exist_ok=True)
    view_pages.write(folder / "views")
    run_pages.write(folder / "runs")
    command_pages.write(folder / "commands")


def copy(file: Path, target: Path) -> None:
    """Copy a page; what it links to in the repository, but not on the site, becomes the name of a file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(with_links(file), encoding="utf-8")


def with_links(file: Path) -> str:
    """Return the text of ``file`` with links between files of the repository made links between pages of the site."""
    depth = len(file.relative_to(ROOT / "docs").parts) - 1 if file.is_relative_to(ROOT / "docs") else 0
    up = "../" * depth

    def linked(result: re.Match[str]) -> str:
        target, anchor = result["target"], result["anchor"] or ""
        if "://" in target or target.startswith("mailto:"):
            return result[0]
        path = (file.parent / target).resolve()
        inside = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
        if (card := re.fullmatch(r"trained/([\w-]+)/README\.md", inside)) is not None:
            return f"[{result['text']}]({up}runs/{card[1]}.md)"
        if inside in OUTSIDE:
            return f"[{result['text']}]({up}{OUTSIDE[inside]}{anchor})"
        if inside == "docs/views.md":
            return f"[{result['text']}]({up}views/{anchor[1:] or 'index'}.md)"
        if inside == "README.md":
            return f"[{result['text']}]({up}index.md)"
        if inside.startswith("docs/") and (path.suffix in (".md", ".webp") or not path.exists()):
            return f"{result['image']}[{result['text']}]({up}{inside.removeprefix('docs/')}{anchor})"
        return result["text"] if result["text"].startswith("`") else f"`{inside}`"

    pieces = re.split(r"(^```.*?^```$)", file.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return "".join(piece if piece.startswith("```") else LINK.sub(linked, piece) for piece in pieces)


def main() -> int:
    """Build the site, and return Sphinx's exit code: a warning is an error."""
    shutil.rmtree(BUILT, ignore_errors=True)
    write_sources(BUILT / "source")
    arguments = ["-W", "--keep-going", "-q", "-j", "auto", "-c", str(ROOT / "docs" / "site")]
    code = build_main(
        [*arguments, "-b", "html", "-d", str(BUILT / "doctrees"), str(BUILT / "source"), str(BUILT / "html")]
    )
    if code == 0:
        sys.stdout.write(f"{BUILT / 'html' / 'index.html'}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
