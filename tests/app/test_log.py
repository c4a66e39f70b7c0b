"""The log: how lines look, and which are written."""

import io
import logging
from collections.abc import Iterator

import pytest

from companion.app.process import set_up_logging


@pytest.fixture
def restored_logging() -> Iterator[None]:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = before[0], before[1]
    for name in ("companion", "hardware", "web", "tornado.access", "tornado.general"):
        logging.getLogger(name).setLevel(logging.NOTSET)


@pytest.mark.usefixtures("restored_logging")
def test_the_level_holds_for_our_packages_only(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    set_up_logging("info")
    logging.getLogger("companion.host").info("pin_renewed")
    logging.getLogger("companion.host").debug("unseen")
    logging.getLogger("somebody.else").info("unseen")
    logging.getLogger("tornado.access").error("unseen")
    (line,) = stream.getvalue().splitlines()
    assert line.endswith("INFO companion.host: pin_renewed")


@pytest.mark.usefixtures("restored_logging")
def test_systemd_reads_the_priority_of_every_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOURNAL_STREAM", "8:1")
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    set_up_logging("debug")
    log = logging.getLogger("companion.app")
    log.warning("reader_lost place=3")
    log.info("first\nsecond")
    assert stream.getvalue().splitlines() == [
        "<4>companion.app: reader_lost place=3",
        "<6>companion.app: first",
        "<6>second",
    ]
