"""A log line is one line: an event name, then facts that can be split at spaces."""

import shlex

from hypothesis import given
from hypothesis import strategies as st

from companion.core.log_lines import log_line


def test_a_line_names_the_event_then_the_facts_in_their_order() -> None:
    line = log_line("reader_lost", place=3, ok=True, seconds=0.25, none=None, word="loose plug")
    assert line == 'reader_lost place=3 ok=yes seconds=0.2 word="loose plug"'


@given(st.text())
def test_no_fact_breaks_a_line(text: str) -> None:
    line = log_line("event", fact=text, after=1)
    assert len(line.splitlines()) == 1
    assert line.isprintable()
    assert line.endswith(" after=1")
    assert shlex.split(line)[0] == "event"
