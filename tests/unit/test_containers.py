"""The files of a public server name files that exist and settings that are read; nothing in a container is root."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from nlpviz.ui import limits

ROOT = Path(__file__).parents[2]
DOCKERFILE = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
REPLICAS = {name: service for name, service in COMPOSE["services"].items() if name.startswith("replica")}


def instructions(name: str) -> list[str]:
    """Return what stands after each instruction of that name."""
    return re.findall(rf"^{name}\s+(.+)$", DOCKERFILE, re.MULTILINE)


def copied() -> dict[str, str]:
    """Return what the image is made of: paths in the repository, and where they lie in the image."""
    result = {}
    for line in instructions("COPY"):
        *sources, target = line.split()
        result |= {one: f"{target}{Path(one).name}" if target.endswith("/") else target for one in sources}
    return result


def test_what_is_copied_exists_and_is_all_that_docker_is_sent() -> None:
    assert [one for one in copied() if not (ROOT / one).exists()] == []
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    assert {rule[1:] for rule in rules if rule.startswith("!")} == set(copied())


@pytest.mark.ci
def test_pages_run_on_what_is_copied(tmp_path: Path) -> None:
    """As in the image: there, what is missing is found by the first visitor."""
    for source, target in copied().items():
        (tmp_path / target).parent.mkdir(exist_ok=True)
        if (ROOT / source).is_dir() and source != "trained":
            shutil.copytree(ROOT / source, tmp_path / target)
        else:
            (tmp_path / target).symlink_to(ROOT / source)
    code = (
        "from pathlib import Path; from streamlit.testing.v1 import AppTest; import nlpviz\n"
        "assert Path(nlpviz.__file__).parent.parent == Path.cwd()\n"
        "for page in ('app.py', 'pages/70_Models.py', 'pages/90_Glossary.py'):\n"
        "    app = AppTest.from_file(Path(page).absolute(), default_timeout=120).run()\n"
        "    assert not app.exception, (page, app.exception)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_base_is_pinned_and_nobody_is_root() -> None:
    (base,) = instructions("FROM")
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-\w+(@sha256:[0-9a-f]{64})?", base)
    (user,) = instructions("USER")
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", user), "a number, which a cluster can see to be no root"
    assert DOCKERFILE.index("\nUSER ") > max(DOCKERFILE.rindex("\nRUN "), DOCKERFILE.rindex("\nCOPY "))
    assert re.search(r":\d+\.\d+\.\d+", COMPOSE["services"]["proxy"]["image"])


def test_pytorch_is_the_one_of_the_requirements() -> None:
    (pattern,) = re.findall(r"grep --only-matching '(.+?)' requirements.txt", DOCKERFILE)
    found = re.findall(pattern, (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(found) == 1
    assert re.fullmatch(r"torch==\d+\.\d+\.\d+", found[0])


def test_both_replicas_are_the_same_and_can_write_nothing() -> None:
    assert len(REPLICAS) == 2
    first, second = REPLICAS.values()
    assert first == second
    assert first["read_only"] is True
    assert first["cap_drop"] == ["ALL"]
    assert first["environment"][limits.PUBLIC] == "1"
    assert "ports" not in first, "reached through the proxy alone"
    assert COMPOSE["networks"]["inside"]["internal"] is True


def test_compose_hands_on_every_limit_and_nothing_unknown() -> None:
    given = {name for name in REPLICAS["replica-1"]["environment"] if name.startswith("NLPVIZ_")}
    assert given == {limits.PUBLIC, *limits.SETTINGS}


def test_the_proxy_asks_the_replicas_that_there_are() -> None:
    proxy = COMPOSE["services"]["proxy"]
    mounted, docs = [volume.split(":")[0] for volume in proxy["volumes"] if volume.startswith("./")]
    assert docs == "./build/docs/html", "where `make docs` builds them"
    caddyfile = (ROOT / mounted).read_text(encoding="utf-8")
    (replicas,) = re.findall(r"\{\$NLPVIZ_REPLICAS:(.+?)\}", caddyfile)
    (port,) = instructions("EXPOSE")
    assert replicas.split() == [f"{name}:{port}" for name in REPLICAS]
    assert set(proxy["depends_on"]) == set(REPLICAS)
    variables = set(re.findall(r"\{\$(NLPVIZ_\w+)", caddyfile))
    assert variables == {"NLPVIZ_REPLICAS", "NLPVIZ_DOCS", *proxy["environment"]}


@pytest.mark.parametrize("option", ["ADDRESS", "ALLOWED_HOSTS", "MAX_UPLOAD_SIZE"])
def test_streamlit_knows_the_variables(option: str) -> None:
    from streamlit import config

    name = f"STREAMLIT_SERVER_{option}"
    assert name in DOCKERFILE + str(REPLICAS)
    assert name in {one.env_var for one in config.get_config_options().values()}
