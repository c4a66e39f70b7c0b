"""How a command ends that cannot be done: one sentence and a status, whatever raised it."""

import pytest

from companion.cli import run_command
from companion.core.errors import Malformed

SENTENCE = "The power was gone for a moment; {title} goes on where it stopped."
SAID = "companion run: Der Strom war kurz weg; X geht weiter, wo es aufgehört hat.\n"
Capture = pytest.CaptureFixture[str]


def test_an_explained_error_is_one_sentence_and_status_2(capsys: Capture) -> None:
    def fail() -> int:
        raise Malformed("--x", SENTENCE, title="X")

    assert run_command("run", "de", fail) == 2
    assert capsys.readouterr() == ("", SAID)


def test_another_error_is_a_fault_of_ours_and_is_not_hidden() -> None:
    def fail() -> int:
        raise LookupError

    with pytest.raises(LookupError):
        run_command("run", "en", fail)
