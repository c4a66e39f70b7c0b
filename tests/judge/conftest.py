"""The judge as people use it: bytes in, words out, an exit status."""

import io
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from companion.cli import main


class Ran(NamedTuple):
    """What a run of the command left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def refusal(self) -> str:
        """The one sentence of a bad case; and nothing else may have happened."""
        assert (self.status, self.out) == (2, ""), self
        assert self.err.startswith("companion judge: "), self
        said = self.err.removeprefix("companion judge: ").removesuffix("\n")
        assert said.replace("\u00a0", " ").isprintable(), (
            f"more than one line, or a control character: {said!r}"
        )
        assert said.endswith("."), said
        assert len(said) < 400, f"longer than anybody reads: {len(said)} characters"
        return said


Judge = Callable[..., Ran]


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Judge:
    """Run `companion judge` in this process; a case may be given as bytes or as plain data."""

    def run(case: Any = b"", *options: str) -> Ran:
        data = case if isinstance(case, bytes) else json.dumps(case).encode()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        try:
            status = main(["judge", *options])
        except SystemExit as left:  # argparse
            status = int(left.code or 0)
        return Ran(status, *capsys.readouterr())

    return run
