"""The installer killed anywhere, for good: at files that it makes, moves or removes.

A real SIGKILL in a process of its own, so that nothing can tidy up after it.
"""

import os
import shutil
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from installer.pi import CONFIG_TXT as BOOT
from installer.version import VERSIONS, folder_digest
from tests.worlds.campaign import pick
from tests.worlds.pi_folder import Workbench, install, tree

NTH = pick(3, 3, 1)
TOUCHES = {"os.rename", "os.symlink", "os.remove", "os.mkdir", "os.rmdir", "os.chmod"}


def killed(run: Callable[[], object], at: int, root: Path) -> bool:
    """Whether this was killed at its so-many-th touch of a file, before it came to its end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Threads of the test runner, not ours.
        child = os.fork()
    if not child:
        try:
            _kill_at(at, str(root))
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            run()
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def _kill_at(at: int, root: str) -> None:
    left = at

    def hook(event: str, facts: tuple[Any, ...]) -> None:
        nonlocal left
        writes = event == "open" and isinstance(facts[1], str) and set(facts[1]) & set("wa")
        if (writes or event in TOUCHES) and str(facts[0]).startswith(root):
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def every_touch(start: Path, source: Path, *words: str, nth: int = 1) -> Iterator[Workbench]:
    """The machine as it was left by each kill, one after the other, until none comes."""
    for at in range(0, 1_000, nth):
        root = start.with_name("killed")
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(start, root, symlinks=True)
        if not killed(lambda at_=root: install(Workbench(at_), source, *words), at, root):
            assert at > 10, "it touches a good many files"
            return
        yield Workbench(root)


@pytest.mark.wide
def test_a_first_run_that_is_killed_goes_on_where_it_was(bench: Workbench, source: Path) -> None:
    start, never = bench.root, bench.root.with_name("never")
    shutil.copytree(start, never, symlinks=True)
    install(Workbench(never), source)
    for left in every_touch(start, source, nth=NTH):
        assert left.read_text(BOOT) in (bench.read_text(BOOT), Workbench(never).read_text(BOOT))
        assert install(left, source) == 0
        assert tree(left.root) == tree(never)


@pytest.mark.wide
def test_what_was_killed_can_be_taken_away(bench: Workbench, source: Path) -> None:
    before = tree(bench.root)
    for left in every_touch(bench.root, source, nth=NTH):
        assert install(left, source, "--uninstall") == 0
        assert tree(left.root) == before


@pytest.mark.wide
def test_an_update_that_is_killed_leaves_a_version_that_works(
    bench: Workbench, source: Path
) -> None:
    install(Workbench(bench.root), source)
    (source / "web/__init__.py").write_text('"""Better."""\n')
    for left in every_touch(bench.root, source, nth=NTH):
        runs = left.path_of("/opt/companion/current")
        whole = (runs / "whole").read_text()
        assert whole == folder_digest(left.path_of(f"{VERSIONS}/{runs.readlink().name}"))
        assert install(left, source) == 0


@pytest.mark.wide
def test_taking_away_that_is_killed_is_taken_up_again(bench: Workbench, source: Path) -> None:
    before = tree(bench.root)
    install(Workbench(bench.root), source)
    for left in every_touch(bench.root, source, "--uninstall"):
        assert install(left, source, "--uninstall") == 0
        assert tree(left.root) == before
