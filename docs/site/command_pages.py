"""A page of the documentation for each command: its arguments from the parser, and examples with their output.

``docs/commands.toml`` lists the examples. Those under ``run`` are executed while the documentation is built, so that no
output is pasted; those under ``show`` need a corpus, write files or train.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import shlex
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "commands.toml"
LONGEST = 40
"""Lines of an output that are shown."""


def write(folder: Path) -> None:
    """Write a page for each command, and the list of all."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = subparsers()
    for name in parts:
        write_page(folder / f"{name}.md", name)
    index = folder / "index.md"
    rows = "".join(f"\n| [`{name}`]({name}.md) | {_line(part.description)} |" for name, part in parts.items())
    names = "\n".join(parts)
    index.write_text(
        f"{index.read_text(encoding='utf-8')}\n| Command | What it does |\n| --- | --- |{rows}\n\n"
        f"```{{toctree}}\n:hidden:\n\n{names}\n```\n",
        encoding="utf-8",
    )


def write_page(file: Path, name: str) -> None:
    """Write the page of one command."""
    examples = tomllib.loads(EXAMPLES.read_text(encoding="utf-8"))
    file.write_text(_page(name, subparsers()[name], examples[name]), encoding="utf-8")


def subparsers() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of each command."""
    from nlpviz.commands.cli import parser

    (action,) = (one for one in parser()._actions if isinstance(one, argparse._SubParsersAction))  # noqa: SLF001
    return dict(action.choices)


def _page(name: str, part: argparse.ArgumentParser, examples: dict[str, list[str] | str]) -> str:
    parts = [f"# {name}", _line(part.description)]
    parts += [str(examples["about"])] if "about" in examples else []
    parts.append("## Examples")
    parts += [f"```console\n$ nlpviz {line}\n{output_of(line)}```" for line in examples.get("run", [])]
    parts += (
        ["\n".join(["```console", *(f"$ nlpviz {line}" for line in examples["show"]), "```"])]
        if "show" in examples
        else []
    )
    for group in part._action_groups:  # noqa: SLF001
        if rows := [_row(part, action) for action in group._group_actions if action.help != argparse.SUPPRESS]:  # noqa: SLF001
            title = {"positional arguments": "Arguments", "options": "Options"}.get(group.title or "", group.title)
            parts.append(f"## {title}\n\n| | |\n| --- | --- |\n" + "\n".join(rows))
    return "\n\n".join(parts) + "\n"


def _row(part: argparse.ArgumentParser, action: argparse.Action) -> str:
    formatter = part._get_formatter()  # noqa: SLF001
    names = formatter._format_action_invocation(action)  # noqa: SLF001
    said = formatter._expand_help(action) if action.help else ""  # noqa: SLF001
    choices = f" ({', '.join(map(str, action.choices))})" if action.choices and action.metavar else ""
    return f"| `{names}` | {said}{choices} |".replace("||", "| |")


def _line(text: str | None) -> str:
    """Return a description as a sentence."""
    return f"{(text or '')[:1].upper()}{(text or '')[1:]}"


def output_of(line: str) -> str:
    """Run a command in this process, and return what it prints.

    Raises:
        RuntimeError: if it fails.
    """
    from nlpviz.commands.cli import main

    printed, errors = io.StringIO(), io.StringIO()
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
            code = main(shlex.split(line))
    finally:
        os.chdir(before)
    if code:
        raise RuntimeError(f"nlpviz {line}: {errors.getvalue()}")
    lines = printed.getvalue().splitlines()
    shown = lines[:LONGEST] + ([f"… ({len(lines) - LONGEST} more lines)"] if len(lines) > LONGEST else [])
    return "".join(f"{one}\n" for one in shown)
