"""Records: one game as a file that anybody can read, replay and prove, and nobody can bend."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.app.settings import journal_path
from companion.cli import main
from companion.core.errors import Malformed
from companion.core.events import Opened, to_json
from companion.core.i18n import LANGUAGES, get_language
from companion.core.table_events import Cleared, Ended, Frozen, Paused, Thawed
from companion.games import make_rulebook
from companion.journal import Journal
from companion.records.format import BadRecord, Record, build_record, parse_record, to_bytes
from companion.records.store import import_record, make_record
from companion.records.verify import prove_record, record_events
from tests.worlds.campaign import pick
from tests.worlds.journal_lines import append
from tests.worlds.own_games import own_games
from tests.worlds.rulebook_players import Evening

Capture = pytest.CaptureFixture[str]


def played(game: str, seed: int = 1) -> Record:
    """A whole game, as a record."""
    evening = Evening(game, Random(seed), 3).play()
    told = ((1000.5 + n, f"phone {n % 3 + 1}", to_json(e)) for n, e in enumerate(evening.events))
    return build_record(evening.rules, "evening", 1, told)


GAMES = {game: played(game) for game in own_games()}
DATA = to_bytes(GAMES["robby_solo"])


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal(tmp_path / "journal.sqlite3")) as opened:
        yield opened


def refused(data: bytes) -> tuple[str, str]:
    """The code with which this is refused, and the one sentence."""
    with pytest.raises(BadRecord) as caught:
        prove_record(parse_record(data))
    said = {get_language(code)(caught.value.say) for code in LANGUAGES}
    assert all(0 < len(sentence) < 500 for sentence in said)
    assert not {*"\n\x1b\u202e"} & {*"".join(said)}
    return caught.value.code, str(caught.value)


# Out and in again.


@pytest.mark.parametrize("game", GAMES)
def test_a_game_goes_out_comes_in_elsewhere_and_goes_out_the_same(
    game: str, tmp_path: Path, journal: Journal
) -> None:
    assert import_record(journal, GAMES[game])
    out = to_bytes(make_record(journal, "evening"))
    assert out == to_bytes(GAMES[game])
    assert not import_record(journal, parse_record(out)), "it is there already"
    with closing(Journal(tmp_path / "other.sqlite3")) as other:
        append(other, "bankueberfall", "before", 1.0, "phone 1", b'{"event":"passed","seat":1}')
        import_record(other, parse_record(out))
        assert to_bytes(make_record(other, "evening")) == out
        assert other.newest_game() == "before"


def test_another_game_of_the_same_id_is_refused(journal: Journal) -> None:
    import_record(journal, GAMES["robby_solo"])
    with pytest.raises(BadRecord, match="A different game of the id evening") as caught:
        import_record(journal, played("robby_solo", 2))
    assert caught.value.code == "different"
    assert len(journal.list_games()) == 1


def test_an_unknown_or_damaged_game_has_no_record(journal: Journal) -> None:
    with pytest.raises(Malformed, match="There is no game nobody"):
        make_record(journal, "nobody")
    append(journal, "chess", "c", 1.0, "phone 1", b'{"event":"passed","seat":1}')
    with pytest.raises(Malformed, match="the box chess, which no installed package brings"):
        make_record(journal, "c")
    append(journal, "robby_solo", "w", 1.0, "phone 1", b'{"event":"walked"}')
    with pytest.raises(Malformed, match="none that this companion knows"):
        make_record(journal, "w")
    append(journal, "robby_solo", "r", 1.0, "phone 1", b'{"event":"thawed"}')
    with pytest.raises(Malformed, match="is none that this companion knows"):
        make_record(journal, "r")


def test_a_record_holds_no_key_and_no_tag(journal: Journal) -> None:
    first, *_ = GAMES["robby_solo"].moments
    append(
        journal, "robby_solo", "evening", 1.0, "phone 1", bytes(first.event), "secret-key", "04a1"
    )
    out = to_bytes(make_record(journal, "evening"))
    assert not any(secret in out for secret in (b"secret-key", b"04a1"))


def test_names_in_a_record_stay_out_of_the_journal(journal: Journal) -> None:
    names, told = ("Zoë", "Ben", "Änne"), record_events(GAMES["robby_solo"])
    lines = [(1.0, via, to_json(event)) for event, via, _ in told]
    record = build_record(make_rulebook("robby_solo"), "evening", 1, lines, names)
    assert parse_record(to_bytes(record)).header.names == names
    assert import_record(journal, record)
    out = to_bytes(make_record(journal, "evening"))
    assert not any(name in out.decode() for name in names)
    assert to_bytes(make_record(journal, "evening", names)) == to_bytes(record)


@pytest.mark.parametrize("names", [("Ana", "Ben"), ("Ana", "Ben", "ana"), ("Ana", "Ben", "C\n")])
def test_names_that_cannot_be_are_refused(names: tuple[str, ...]) -> None:
    lines = [(1.0, via, to_json(event)) for event, via, _ in record_events(GAMES["robby_solo"])]
    told = build_record(make_rulebook("robby_solo"), "evening", 1, lines, names)
    with pytest.raises(BadRecord) as caught:
        parse_record(to_bytes(told))
    assert caught.value.code == "names"


# Proof.


@pytest.mark.parametrize("game", GAMES)
def test_every_bid_is_proven(game: str) -> None:
    proof = prove_record(GAMES[game])
    opened = [event for event, _, _ in record_events(GAMES[game]) if isinstance(event, Opened)]
    assert (proof.moments, proof.proven) == (len(GAMES[game].moments), len(opened))
    assert proof.proven > 10
    assert proof.history.is_over


def made_up(change: Any) -> bytes:
    """A record whose hashes all fit, and whose moments somebody made up."""
    told = GAMES["robby_solo"]
    events = change([event for event, _, _ in record_events(told)])
    hosted = (Paused, Ended, Cleared)
    lines = (
        (1.0, "table" if isinstance(event, hosted) else "phone 1", to_json(event))
        for event in events
    )
    return to_bytes(build_record(make_rulebook("robby_solo"), "evening", 1, lines))


def test_a_record_with_moves_during_a_judge_call_is_refused() -> None:
    code, said = refused(made_up(lambda events: [*events[:5], Frozen(2), *events[5:]]))
    assert code == "not_granted"
    assert "Moment 7" in said
    assert "Seat 2 has called the judge" in said
    code, said = refused(made_up(lambda events: [*events[:5], Paused(), *events[5:]]))
    assert code == "not_granted"
    assert "The host has paused the game" in said
    thawed = made_up(lambda events: [*events[:5], Frozen(2), Thawed(), *events[5:]])
    assert prove_record(parse_record(thawed)).moments == len(GAMES["robby_solo"].moments) + 2


# Refused.


def edited(n: int, /, **fields: Any) -> bytes:
    """One line with other fields (None: without it), in a record's own spelling."""
    lines = DATA.splitlines()
    line = {**json.loads(lines[n]), **fields}
    line = {name: value for name, value in line.items() if value is not None}
    lines[n] = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode()
    return b"\n".join(lines) + b"\n"


def event(n: int, /, **fields: Any) -> dict[str, Any]:
    return {**json.loads(DATA.splitlines()[n])["event"], **fields}


@pytest.mark.parametrize(
    ("data", "code", "named"),
    [
        (edited(3, at=5.0), "chain", "Line 4"),
        (edited(3, via="phone 9"), "chain", "Line 4"),
        (edited(3, chain="0" * 64), "chain", "Line 4"),
        (edited(3, event=json.loads(DATA.splitlines()[4])["event"]), "chain", "Line 4"),
        (edited(3, n=4), "order", "Line 4 of the record: n must be 3, not 4"),
        (edited(3, n=1 << 70), "order", "Line 4"),
        (edited(3, n=3.5), "field", "Line 4 of the record: n is not right"),
        (edited(3, n="3"), "field", "n is not right"),
        (edited(3, n=True), "field", "n is not right"),
        (edited(3, at=-1), "time", "Line 4 of the record: at"),
        (edited(3, at=1e11), "time", "at"),
        (edited(3, at="now"), "field", "at is not right"),
        (edited(3, via=""), "via", "via"),
        (edited(3, via="x" * 65), "via", "via"),
        (edited(3, via="a\nb"), "via", "via"),
        (edited(3, via=7), "field", "via is not right"),
        (edited(3, chain=None), "field", "chain"),
        (edited(3, more=1), "field", "more is not right"),
        (edited(3, event=event(3, more=1)), "field", "event.more is not right"),
        (edited(3, event={"event": "walked"}), "field", "event"),
        (edited(3, event=[1]), "field", "event"),
        (edited(3, event=event(1)), "start", "event"),
        (edited(1, event=event(2)), "start", "event"),
        (edited(1, event=event(1, id="other")), "start", "event.id"),
        (edited(1, event=event(1, rules=2)), "start", "event.id"),
        (edited(0, record=2), "format", "Another version of the companion wrote this record"),
        (edited(0, companion="9"), "chain", "Line 2"),
        (edited(0, game="chess"), "game", "which is not installed here"),
        (edited(0, game="\x1b[2J", title="a\u202eb"), "game", "not installed here"),
        (edited(0, game="x" * 2_000, title="x" * 2_000), "game", "not installed here"),
        (edited(0, title="Chess"), "title", "title must be Robby Solo, not Chess"),
        (edited(0, rules=2), "rules", "rules must be 1, not 2"),
        (edited(0, rules=None), "field", "rules"),
        (edited(0, more=1), "field", "more"),
        (edited(0, id="other"), "start", "event.id"),
        (edited(0, moments=7), "chain", "Line 2"),
        (edited(0, names=["Ana", "Ben", "Cleo"]), "chain", "Line 2"),
        (b"".join(DATA.splitlines(True)[:-1]), "count", "moments says"),
        (edited(0, moments=0).splitlines(True)[0], "count", "moments must be 1 … 4999, not 0"),
        (b"", "cut_off", "line 1"),
        (b"\n", "not_json", "Line 1"),
        (DATA[:-1], "cut_off", "line"),
        (DATA[:-30], "cut_off", "line"),
        (DATA.replace(b"\n", b"\r\n"), "form", "Line 1"),
        (b"\xef\xbb\xbf" + DATA, "not_json", "Line 1"),
        (DATA.replace(b'"via":', b'"via": ', 1), "form", "Line 2"),
        (DATA.replace(b'{"n":5,', b'{"n":5,"n":5,'), "form", "Line 6"),
        (DATA.replace(b'"phone 2"', b'"phone \xff"', 1), "not_utf8", "Line 3"),
        (DATA.replace(b'{"n":4,', b'{"n":4,' + b" " * 6_000), "long_line", "Line 5"),
        (DATA.splitlines(True)[0] + b"[" * 4_000 + b"\n", "field", "Line 2"),
        (DATA.splitlines(True)[0] + b'{"event":' * 500 + b"\n", "not_json", "Line 2"),
        (DATA.splitlines(True)[0] + b"{}\n" * 5_001, "too_long", "5000 lines"),
        (DATA.splitlines(True)[0] + b'{"n":' + b"9" * 4_500 + b"}\n", "field", "Line 2"),
    ],
)
def test_a_record_that_is_not_exactly_right_is_refused(data: bytes, code: str, named: str) -> None:
    assert data != DATA
    found, said = refused(data)
    assert (found, named in said) == (code, True), said


@given(st.data())
@settings(max_examples=pick(30, 100, 1000))
def test_any_change_of_the_lines_is_noticed(data: st.DataObject) -> None:
    lines = DATA.splitlines(True)
    n = data.draw(st.integers(0, len(lines) - 1))
    m = data.draw(st.integers(0, len(lines) - 1))
    changed = list(lines)
    match data.draw(st.sampled_from(["drop", "repeat", "swap", "move", "end", "flip"])):
        case "drop":
            del changed[n]
        case "repeat":
            changed.insert(n, lines[n])
        case "swap":
            changed[n], changed[m] = lines[m], lines[n]
        case "move":
            changed.insert(m, changed.pop(n))
        case "end":
            del changed[n:]
        case "flip":
            at = data.draw(st.integers(0, len(lines[n]) - 1))
            byte = bytes([lines[n][at] ^ 1 << data.draw(st.integers(0, 7))])
            changed[n] = lines[n][:at] + byte + lines[n][at + 1 :]
    spoilt = b"".join(changed)
    if spoilt != DATA:
        refused(spoilt)


# The commands.


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of our own, with a game in the journal, and its record."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    (tmp_path / "in.jsonl").write_bytes(DATA)
    return tmp_path


def test_records_come_in_are_listed_proven_and_go_out(at_home: Path, capsys: Capture) -> None:
    assert main(["records", "--import", str(at_home / "in.jsonl")]) == 0
    assert "Game evening is in the journal." in capsys.readouterr().out
    assert main(["records", "--import", str(at_home / "in.jsonl")]) == 0
    assert "Game evening is in the journal." in capsys.readouterr().out
    with closing(Journal(journal_path())) as journal:
        append(journal, "chess", "c", 86_400.0, "phone 1", b'{"event":"walked"}')
    assert main(["records"]) == 0
    row, unknown = capsys.readouterr().out.splitlines()
    n = len(GAMES["robby_solo"].moments)
    assert row.startswith("evening  Robby Solo  1970-01-01 ")
    assert row.endswith(f"  {n}\u00a0moments  Seat 1, Seat 2 and Seat 3  finished")
    assert unknown.startswith("c  chess  1970-01-0")
    assert unknown.endswith("  1\u00a0moment  the box is not installed")
    assert main(["records", "--check"]) == 0
    assert f"Verified journal lines: {n + 1}." in capsys.readouterr().out
    assert main(["records", "--export", "evening", "--to", str(at_home / "out.jsonl")]) == 0
    assert (at_home / "out.jsonl").read_bytes() == DATA


def test_a_damaged_game_is_named_and_left_as_it_is(at_home: Path, capsys: Capture) -> None:
    path = journal_path()
    with closing(Journal(path)) as journal:
        import_record(journal, GAMES["robby_solo"])
        append(journal, "robby_solo", "next", 1.0, "phone 1", to_json(Ended("late")))
    path.write_bytes(path.read_bytes().replace(b"phone 3", b"phone 4", 1))

    def lying() -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in path.parent.iterdir()}

    before = lying()
    for words, status in (([], 0), (["--check"], 1), (["--export", "evening"], 2)) * 2:
        assert main(["records", *words]) == status
        assert lying() == before
    assert "These games are damaged: evening." in capsys.readouterr().out


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_record_is_told_moment_by_moment(
    game: str, lang: str, tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(to_bytes(GAMES[game]))
    assert main(["replay", str(path), "--lang", lang]) == 0
    told = capsys.readouterr().out.splitlines()
    last = prove_record(GAMES[game]).history
    numbers = [int(line.partition(".")[0]) for line in told if line[0] != " "]
    assert numbers == list(range(1, last.at + 1))
    winner = told[-1]
    assert get_language(lang).name_player(last.state.score.winners[0]) in winner
    assert main(["replay", str(path), "--lang", lang, "--at", "7"]) == 0
    first = capsys.readouterr().out.splitlines()
    assert first == told[: len(first)]
    assert [line[0] for line in first if line[0] != " "][-1] == "7"


def test_a_record_is_proven_in_one_line(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(DATA)
    proof = prove_record(GAMES["robby_solo"])
    assert main(["replay", str(path), "--verify"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[:3] == [
        f"Consistent: yes. {proof.moments}\u00a0moments lie in one chain.",
        "By the rules: yes, each of them.",
        f"Revealed as sealed: yes. {proof.proven} choices were sealed before any of their round was"
        " revealed, 0 were entered by the table without proof.",
    ]
    assert told[3].startswith("No check proves that this game was played: ")
    assert len(told) == 4
    assert main(["replay", str(path), "--verify", "--json"]) == 0
    counts = json.loads(capsys.readouterr().out)
    assert counts == {
        "moments": proof.moments, "proven": proof.proven, "entered": 0, "over": True,
        "checks": {"consistent": "yes", "legal": "yes", "sealed": "yes"},
    }  # fmt: skip
