"""What the program asks of its machine as a process."""

from companion.app.process import restart_arguments


def test_a_plug_that_is_pulled_often_makes_no_longer_command() -> None:
    same = ["--plugged", "kept", "--port", "8001"]
    once = restart_arguments(
        ["-m", "companion", "play", "--port", "8000", "--", "robby_solo"], same
    )
    assert once == ["-m", "companion", "play", "--port", "8000", *same, "--", "robby_solo"]
    assert restart_arguments(once, same) == once
    assert restart_arguments(["play"], same) == ["play", *same]
