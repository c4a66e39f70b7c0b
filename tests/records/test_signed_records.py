"""Signed records: the check that a forged one must fail is named; no sound one is accused."""

import json
from pathlib import Path
from random import Random

import pytest

from companion.cli import main
from companion.core.i18n import LANGUAGES, get_language
from companion.records.check_texts import describe_report
from companion.records.checks import check_record
from companion.records.fingerprint import (
    fingerprint_path,
    fingerprint_words,
    group_digits,
    read_fingerprint,
)
from companion.records.format import fingerprint, to_bytes
from tests.worlds.campaign import pick
from tests.worlds.signed_records import (
    FORGERS,
    GAMES,
    change_bid,
    forge,
    make_all_anew,
    played,
    sign_fully,
    sign_somehow,
)

Capture = pytest.CaptureFixture[str]
EVENINGS = pick(1, 4, 20)
"""Games of each box, of which records are signed and forged."""


def test_no_forged_record_passes_and_the_check_that_fails_is_named() -> None:
    for n in range(pick(len(FORGERS), 132, 500)):
        random, kind = Random(n), [*FORGERS][n % len(FORGERS)]
        sound = sign_fully(GAMES[n % len(GAMES)], n % EVENINGS, random)
        kept, forged = fingerprint(sound.record), forge(kind, sound, random)
        report = check_record(forged.data, [kept])
        assert forged.fails in report.failed, (n, kind, report.checks)
        if report.record is not None:
            assert "known" in report.failed or kind == "change_signature", (n, kind)


def test_no_sound_record_is_accused() -> None:
    for n in range(pick(3, 120, 500)):
        sound = sign_somehow(GAMES[n % len(GAMES)], n % EVENINGS, Random(n))
        report = check_record(to_bytes(sound.record), [fingerprint(sound.record)])
        assert report.failed == (), (n, report.checks)
        assert tuple(seat.standing for seat in report.seats) == sound.standings, n
        is_signed = not {"signed", "in_part"}.isdisjoint(sound.standings)
        assert report.answer("signed") == ("yes" if is_signed else "unsigned")
        assert report.answer("known") == "yes"


def test_what_is_made_anew_in_whole_is_unknown_and_nothing_else() -> None:
    sound = sign_fully("robby_solo", 0, Random(1))
    data = make_all_anew(sound, Random(2)).data
    report = check_record(data, [fingerprint(sound.record)])
    assert report.failed == ("known",)
    assert {seat.standing for seat in report.seats} == {"signed"}
    assert check_record(data).failed == (), "without a phone nobody could tell"


def test_an_old_record_is_unsigned_and_was_never_tampered_with() -> None:
    data = to_bytes(played("robby_solo", 0))
    assert b"signature" not in data
    report = check_record(data)
    assert (report.failed, report.answer("signed")) == ((), "unsigned")


def test_signing_the_end_leaves_the_fingerprint_as_it_is() -> None:
    sound = sign_fully("robby_solo", 0, Random(1))
    words = {fingerprint_words(moment.chain) for moment in sound.record.moments[-4:]}
    assert len(words) == 4
    plain = [m for m in sound.record.moments if b"end_signed" not in bytes(m.event)]
    assert fingerprint(sound.record) == group_digits(plain[-1].chain)


def test_every_answer_has_its_sentence() -> None:
    sound = sign_fully("robby_solo", 0, Random(1))
    reports = [check_record(forge(kind, sound, Random(3)).data, ["0" * 16])
               for kind in ("edit_bid", "change_bid", "reseal_bid", "change_card")]  # fmt: skip
    reports += [
        check_record(to_bytes(sign_somehow("robby_solo", 0, Random(n)).record)) for n in range(4)
    ]
    for report in reports:
        told = [[get_language(lang)(each) for each in describe_report(report)]
                for lang in LANGUAGES]  # fmt: skip
        assert all(said and "{" not in said for lines in told for said in lines)
    standings = {seat.standing for report in reports for seat in report.seats}
    assert standings == {"signed", "in_part", "shared", "unsigned"}


def test_the_command_tells_the_checks_apart(tmp_path: Path, capsys: Capture) -> None:
    sound, path = sign_fully("robby_solo", 0, Random(1)), tmp_path / "game.jsonl"
    path.write_bytes(to_bytes(sound.record))
    words = fingerprint_words(sound.record.moments[-4].chain)
    assert main(["replay", "--verify", str(path), "--fingerprint", words]) == 0
    told = capsys.readouterr().out
    assert "Ana: " in told
    assert "Fingerprint: one of those that were given." in told
    assert main(["replay", "--verify", "--json", str(path), "--fingerprint", "0" * 16]) == 1
    facts = json.loads(capsys.readouterr().out)
    assert facts["checks"] == {
        "consistent": "yes", "legal": "yes", "sealed": "yes", "signed": "yes", "known": "no",
    }  # fmt: skip
    assert facts["words"] == words
    assert [seat["standing"] for seat in facts["seats"]] == ["signed"] * 3
    path.write_bytes(change_bid(sound, Random(4)).data)
    assert main(["replay", "--verify", str(path)]) == 1
    heard = capsys.readouterr()
    assert "Revealed as sealed: no. Moment " in heard.out
    assert "This is not what seat" in heard.err
    assert main(["replay", str(path), "--verify", "--fingerprint", "Dear diary"]) == 2


def test_digits_words_and_picture_say_the_same_bits() -> None:
    random = Random(5)
    for _ in range(200):
        chain = random.randbytes(32).hex()
        assert read_fingerprint(fingerprint_words(chain)) == chain[:16]
        assert read_fingerprint(group_digits(chain).upper()) == chain[:16]
        squares = fingerprint_path(chain).count("M")
        assert squares == 2 * int(chain[:16], 16).bit_count()
    assert fingerprint_words("7f000001dd" + "0" * 54) == "lusab babad tuhab babab"
    assert len({fingerprint_path(f"{1 << n:016x}") for n in range(64)}) == 64
    assert read_fingerprint("babab babab babab baba") == ""
