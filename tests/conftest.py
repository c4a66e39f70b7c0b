"""Settings of every test run: how many samples it takes, and which tests only wider runs hold."""

import logging
import os
import re
import signal
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture.providers import Constants, HypothesisProvider
from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket
from werkzeug.routing import Rule

from companion.app.process import OURS
from tests.worlds.campaign import IS_LARGE, IS_WIDE, SIZE, pick
from tests.worlds.left_open import one_test


class CompiledTemplates(BytecodeCache):
    """Compiled templates, for all apps of a test run: a test has an app of its own, and compiling
    is more than half of the time of all web tests."""

    def __init__(self) -> None:
        self._codes: dict[tuple[object, ...], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get(_key(bucket))

    def dump_bytecode(self, bucket: Bucket) -> None:
        assert bucket.code is not None
        self._codes[_key(bucket)] = bucket.code


def _key(bucket: Bucket) -> tuple[object, ...]:
    by: Environment = bucket.environment
    how = (by.code_generator_class, by.context_class, by.trim_blocks, by.lstrip_blocks)
    return (*how, bucket.key, bucket.checksum)


Builder = Callable[..., tuple[str, str]]
_BUILDERS: dict[tuple[object, ...], Builder] = {}


class SharedRule(Rule):
    """A URL rule that compiles its builders only if no equal rule of another app has done so."""

    def _compile_builder(self, append_unknown: bool = True) -> Builder:
        defaults = tuple(sorted((self.defaults or {}).items()))
        spelled = (self.rule, self.host, self.subdomain, defaults, append_unknown)
        if spelled not in _BUILDERS:
            _BUILDERS[spelled] = super()._compile_builder(append_unknown)
        return _BUILDERS[spelled]


Flask.jinja_options = {"bytecode_cache": CompiledTemplates()}
Flask.url_rule_class = SharedRule
# With it, every command that a test starts would compile all its modules.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# A table that a service manager starts does not give up; a container tells of one too.
os.environ.pop("NOTIFY_SOCKET", None)
os.environ["LANGUAGE"] = "en"  # Of what commands print, whichever the terminal has.
# A job in the background (`&`, nohup) ignores these, and so would every command that a test starts.
# A handler that does nothing is not inherited.
for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, lambda *_: None)

settings.register_profile(
    SIZE,
    max_examples=pick(15, 100, 500),
    deadline=None,
    derandomize=not IS_LARGE,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(SIZE)
if not IS_LARGE:
    # Hypothesis mixes constants of the code that is loaded into what it draws, which depends on the
    # tests that ran before in this process. It has no setting for this.
    HypothesisProvider._local_constants = Constants()  # type: ignore[assignment]


@pytest.fixture(autouse=True)
def nothing_stays_open() -> Iterator[None]:
    """Close the worlds of a test."""
    with one_test():
        yield


@pytest.fixture(autouse=True)
def no_log_of_the_test_before() -> Iterator[None]:
    """Take back how a command has set up the log: its stream was that of its own test."""
    yield
    root = logging.getLogger()
    root.handlers = [one for one in root.handlers if type(one) is not logging.StreamHandler]
    for name in OURS:
        logging.getLogger(name).setLevel(logging.NOTSET)


class FailedGames(logging.Handler):
    """Collects the lines of the log which say that a game has failed."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        # A page may be painted while its seat goes away: the next one shows what is there now.
        if re.match("(game|table)_failed (?!.*asked=screen )", str(record.msg)):
            self.lines.append(record.getMessage())


@pytest.fixture(autouse=True)
def no_game_fails(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test whose table caught an error of a game, unless the test is about that."""
    heard, log = FailedGames(), logging.getLogger("companion.table")
    log.addHandler(heard)
    yield
    log.removeHandler(heard)
    assert "failing_games" in request.node.nodeid or heard.lines == []


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only a wider campaign runs, and from one what does no more in it.

    Tests that are named on the command line run in a campaign of any size.
    """
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    left_out = [item for item in items if not _belongs(item, named)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


def _belongs(item: pytest.Item, named: bool) -> bool:
    """Return whether a test runs in a campaign of this size."""
    if item.get_closest_marker("large"):
        return IS_LARGE
    if item.get_closest_marker("wide"):
        return IS_WIDE
    return named or not IS_WIDE or _draws_samples(item.path)


@cache
def _draws_samples(module: Path) -> bool:
    """Return whether tests of a module ask for the size of the campaign, or draw with Hypothesis:
    all others do the same in a campaign of any size."""
    source = module.read_text("utf-8")
    return "tests.worlds.campaign" in source or "hypothesis" in source
