"""Processes that each fit one recipe: this program again, with one thread, and its output in a log."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
MPS = "nvidia-cuda-mps-control"
_TRIAL = "import torch; torch.zeros(1, device='cuda').add_(1).item()"
_PATIENCE = 30  # seconds that a first computation under MPS may take


def this_program() -> list[str]:
    """Return what this process was started with, up to its arguments: Python, its options, the module."""
    return [sys.executable, *sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv) + 1]]


class Process:
    """A process that writes its output into a file."""

    def __init__(self, command: Sequence[str], log: Path, environment: Mapping[str, str]) -> None:
        """Start it, with some variables beside those of this process."""
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as stream:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream, env={**os.environ, **environment}
            )

    def running(self) -> bool:
        """Return whether it is at work."""
        return self._process.poll() is None

    def stop(self) -> None:
        """End it at once."""
        self._process.kill()
        self.wait()

    def wait(self) -> None:
        """Return when it has ended."""
        self._process.wait()


@contextmanager
def shared_gpu() -> Iterator[dict[str, str]]:
    """Let several processes compute on a GPU at the same time, where NVIDIA's MPS is there and works.

    Yields:
        The variables by which a process finds it; none where it is not there.
    """
    with TemporaryDirectory(prefix="mps-") as folder:
        found = {"CUDA_MPS_PIPE_DIRECTORY": folder, "CUDA_MPS_LOG_DIRECTORY": folder}
        if shutil.which(MPS) is None or not _ran([MPS, "-d"], found):
            yield {}
            return
        try:
            yield found if _ran([sys.executable, "-c", _TRIAL], found) else {}
        finally:
            _ran([MPS], found, "quit -t 5\n")


def _ran(command: Sequence[str], environment: Mapping[str, str], words: str = "") -> bool:
    """Run a command to its end; return whether it did what it should."""
    try:
        done = subprocess.run(
            command,
            input=words,
            env={**os.environ, **environment},
            stdout=subprocess.DEVNULL,  # a pipe would be kept open by the daemon
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
