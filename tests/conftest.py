"""Settings of every test run: how many samples it takes, and which tests only wider runs hold."""

import logging
import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from companion.app.logging_setup import OURS
from tests.worlds.campaign import IS_LARGE, IS_WIDE, SIZE, pick
from tests.worlds.compiled_rules import share_compiled_rules
from tests.worlds.compiled_templates import share_compiled_templates
from tests.worlds.fixed_samples import draw_fixed_samples
from tests.worlds.left_open import one_test
from tests.worlds.wider_tests import takes_more_samples

share_compiled_rules()
share_compiled_templates()
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
    draw_fixed_samples()


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
        if str(record.msg).startswith("game_failed ") and " asked=screen " not in str(record.msg):
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
    return named or not IS_WIDE or takes_more_samples(item)
