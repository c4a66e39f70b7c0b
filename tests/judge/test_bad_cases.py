"""Bad cases: whatever is handed in, one sentence that names the place, and never a traceback."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.errors import Malformed
from companion.games import find_game
from companion.judge.decide import decide, find_kinds, judged_games
from companion.judge.parse import MOST_BYTES, parse_case
from tests.judge.conftest import Judge
from tests.judge.test_contract import stream_of, to_toml
from tests.worlds.campaign import pick

COMMAND = [Path(sys.executable).with_name("companion"), "judge"]
EXAMPLES = {
    f"{game}-{kind}": case
    for game in judged_games()
    for kind, case in ((name, found.example) for name, found in find_kinds(game).items())
}
ROBBERY = EXAMPLES["bankueberfall-robbery"]
AUCTION = EXAMPLES["banque_fatale-auction"]
ROUND = EXAMPLES["robby_solo-round"]
FATALE_SCORE = EXAMPLES["banque_fatale-score"]
ROBBY_SCORE = EXAMPLES["robby_solo-score"]

Path_ = tuple[str | int, ...]


def nodes(value: Any, at: Path_ = ()) -> Iterator[Path_]:
    """The way to everything in a case."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for name, inner in inside:
        yield (*at, name)
        if isinstance(inner, dict | list):
            yield from nodes(inner, (*at, name))


def changed(case: Any, at: Path_, value: Any) -> Any:
    case = deepcopy(case)
    inner = case
    for name in at[:-1]:
        inner = inner[name]
    inner[at[-1]] = value
    return case


def without(case: Any, at: Path_) -> Any:
    case = changed(case, at, None)
    inner = case
    for name in at[:-1]:
        inner = inner[name]
    del inner[at[-1]]
    return case


def written(at: Path_) -> str:
    """A place as the sentences write it: cards[0], bids.Ana, funds.Ana.cards[1]."""
    return "".join(f"[{n}]" if isinstance(n, int) else f".{n}" for n in at).removeprefix(".")


def value_at(case: Any, at: Path_) -> Any:
    for name in at:
        case = case[name]
    return case


EVERYWHERE = [
    pytest.param(case, at, id=f"{name}-{written(at)}")
    for name, case in EXAMPLES.items()
    for at in nodes(case)
][:: pick(3, 1, 1)]


# Every place of every example, with everything that does not belong there


WRONG: list[Any] = [None, "!", -1, 1.5, True, 10**30, [[[]]], {"a": {"b": [None]}}, float("inf")]


@pytest.mark.parametrize(("case", "at"), EVERYWHERE)
def test_what_does_not_belong_there_is_refused_by_the_name_of_its_place(
    judge: Judge, case: Any, at: Path_
) -> None:
    for wrong in (wrong for wrong in WRONG if wrong != "!" or at[0] != "players"):
        said = judge(changed(case, at, wrong)).refusal
        assert written(at) in said or written(at[:-1]) + ":" in said, (wrong, said)


@pytest.mark.parametrize(("case", "at"), EVERYWHERE)
def test_what_is_empty_or_missing_there_is_refused_or_judged(
    judge: Judge, case: Any, at: Path_
) -> None:
    for odd in (without(case, at), *(changed(case, at, one) for one in ([], {}, "x", "", 0))):
        ran = judge(odd, "--json")
        assert ran.json["steps"] if ran.status == 0 else ran.refusal


TABLES = [p for p in EVERYWHERE if isinstance(value_at(*p.values), dict)]


@pytest.mark.parametrize(("case", "at"), TABLES)
def test_what_is_extra_is_named(judge: Judge, case: Any, at: Path_) -> None:
    said = judge(changed(case, (*at, "nonsense"), 1)).refusal
    assert "nonsense" in said, said


# Numbers that are none


NUMBERS = [p for p in EVERYWHERE if type(value_at(*p.values)) is int]
NO_NUMBERS = [
    "-1", "1.5", "1.0", "1e2", "-0.0", "true", "false", "null", '"1"', '"٣"', "[1]", "10000000",
    "1" + "0" * 30, "1" * 600, "1" * 601, "9" * 4_301, "-" + "1" * 100_000, "1e400",
    "NaN", "Infinity", "-Infinity",
]  # fmt: skip


@pytest.mark.parametrize(("case", "at"), NUMBERS)
def test_a_number_that_is_none_is_refused(judge: Judge, case: Any, at: Path_) -> None:
    for text in NO_NUMBERS:
        typed = json.dumps(changed(case, at, "HERE")).replace('"HERE"', text).encode()
        said = judge(typed).refusal
        assert said.startswith(f"{written(at)} must be "), (text[:20], said)


@pytest.mark.parametrize("text", ["nan", "inf", "-1", "1.0", "true", "1979-05-27", "07:32:00",
                                  "0x" + "f" * 6_000, "1" * 6_000, "{}", "[]", "''"])  # fmt: skip
def test_a_number_of_toml_that_is_none_is_refused(judge: Judge, text: str) -> None:
    said = judge(
        to_toml(changed(ROBBERY, ("bids", "Ana"), "HERE")).replace('"HERE"', text).encode()
    )
    assert "bids.Ana" in said.refusal or "too long" in said.refusal


def test_what_is_quoted_is_spelled_as_it_was_written(judge: Judge) -> None:
    for text in ("null", "true", "false", "[…]", "{…}", "[]", "{}", "1.5"):
        typed = json.dumps(changed(ROBBERY, ("bids", "Ana"), "HERE")).replace('"HERE"', text)
        typed = typed.replace("[…]", "[1]").replace("{…}", '{"a": 1}')
        assert judge(typed.encode()).refusal.endswith(f"not {text}.")


def test_a_number_where_its_text_is_meant_is_told_apart(judge: Judge) -> None:
    said = judge(changed(ROBBERY, ("cards", 0), 5)).refusal
    assert '"4", "5", "10"' in said
    assert said.endswith("not 5.")
    assert judge(changed(ROUND, ("banks", "red", 0), "1000")).refusal.endswith('not "1000".')


# Things that the box, or the table, does not hold


FOURTEEN_CHIPS = {"cash": 0, "chips": 14, "cards": []}
TOO_MUCH = [
    (ROBBERY, {"cards": ["gold"]}, "cards[0] must be one of 2, 3, 4, 5, 10, x, seductress"),
    (ROBBERY, {"cards": ["10", "10", "10"]}, "cards: 3 × 10, but the box holds 2."),
    (ROBBERY, {"bids": {"Ana": 13, "Ben": 0}}, "bids.Ana is 13, but Ana owns only 12."),
    (ROBBERY, {"bids": {"Ana": 3}}, "funds.Ben: no one of that name plays here."),
    (ROBBERY, {"funds": {"Ana": 12}}, "funds.Ben is missing."),
    (ROBBERY, {"bids": {}}, "bids must name 1 to 5 players, not 0."),
    (ROBBERY, {"bids": dict.fromkeys("ABCDEF", 1)}, "bids must name 1 to 5 players, not 6."),
    (ROBBERY, {"house_rules": {"shortfall": "both"}}, "house_rules.shortfall must be one of"),
    (ROBBERY, {"house_rules": {"unplayed": "minus_two"}}, "house_rules.unplayed: there is no such"),
    (ROBBERY, {"game": "monopoly"}, "game must be one of bankueberfall, banque_fatale, robby_solo"),
    (ROBBERY, {"kind": "auction"}, "kind must be one of robbery, final, score, not \"auction\"."),
    (AUCTION, {"players": ["Ana", "Ben", "Ana"]}, "players names a player twice."),
    (AUCTION, {"players": list("ABCDE")}, "players must name 1 to 4 players, not 5."),
    (AUCTION, {"start": "Dora"}, "start must be one of Ana, Ben, Cem, not \"Dora\"."),
    (AUCTION, {"card": ["pink"]}, "card[0] must be one of red, yellow, green, blue, orange"),
    (AUCTION, {"card": ["red", "blue", "green"]}, "card: the box holds no card"),
    (AUCTION, {"card": []}, "card: the box holds no card"),
    (AUCTION, {"holdings": {"Dora": []}}, "holdings.Dora"),
    (AUCTION, {"bids": {"Ana": {"pink": 1}, "Ben": {}, "Cem": {}}}, "bids.Ana.pink is not a field"),
    (AUCTION, {"bids": {"Ana": {"red": 9}, "Ben": {}, "Cem": {}}}, "bids.Ana.red must be a whole"),
    (AUCTION, {"bids": {"Ana": {"red": 5}, "Ben": {"red": 4}, "Cem": {}}}, "bids: 9 × red, but"),
    (AUCTION, {"values": AUCTION["values"] | {"red": 11}}, "values.red must be a whole"),
    (FATALE_SCORE, {"funds": dict.fromkeys("ABC", FOURTEEN_CHIPS)},
     "funds: 42\u00a0chips, but the box holds 40."),
    (FATALE_SCORE, {"values": AUCTION["values"] | {"red": 13}}, "values.red must be a whole"),
    (ROUND, {"banks": {"red": [1000] * 5}}, "banks.red holds 5 cards"),
    (ROUND, {"choices": {"Ana": "blue"}}, "choices.Ana must be one of yellow, red, not \"blue\"."),
    (ROUND, {"loot": {"Dora": [1000]}}, "loot.Dora: no one of that name plays here."),
    (ROUND, {"loot": {"Ana": [1500]}}, "loot.Ana[0] must be one of 1000, 2000"),
    (ROBBY_SCORE, {"loot": {name: [] for name in "ABCDEFG"}}, "loot must name 1 to 6 players"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "change", "expected"), TOO_MUCH)
def test_what_is_in_no_box_is_refused_with_what_would_be_right(
    judge: Judge, case: Any, change: Any, expected: str
) -> None:
    loot = {} if case is ROUND and "choices" in change else {"loot": {}} if case is ROUND else {}
    assert judge({**case, **loot, **change}).refusal.startswith(expected)


GUESSES: list[tuple[Any, dict[str, Any], str]] = [
    (AUCTION, {"card": ["blue", "blue"]}, "card"),
    (AUCTION, {"holdings": {"Ben": [["green", "red"]]}}, "holdings.Ben[0]"),
    (AUCTION, {"holdings": {"Ana": [["red"]], "Ben": [["red"]]}}, "holdings.Ben[0]"),
    (ROUND, {"banks": {**ROUND["banks"], "pink": []}}, "banks"),
    (ROUND, {"loot": {"Ana": [1000] * 6}}, "banks, loot"),
    (ROBBY_SCORE, {"loot": {"Ana": ["object"] * 5, "Ben": ["object"] * 3}}, "loot"),
]


@pytest.mark.parametrize(("case", "change", "field"), GUESSES)
def test_a_guess_about_a_box_warns_and_a_box_of_the_owner_refuses(
    case: Any, change: dict[str, Any], field: str
) -> None:
    changed, game = {**case, **change}, find_game(case["game"])
    guessed = game.standard_box()
    warning = decide(changed).steps[0]
    assert set(warning.rulings) <= set(guessed.guesses.values())
    assert warning.rulings
    own = msgspec.structs.replace(guessed, guesses={})
    assert game.make_kinds is not None
    with pytest.raises(Malformed) as refused:
        game.make_kinds(own)[case["kind"]].decide(changed)
    assert refused.value.field == field


def test_a_loot_card_that_a_box_holds_once_is_refused_where_it_comes_again() -> None:
    game = find_game("robby_solo")
    box: Any = game.standard_box()
    rare = msgspec.structs.replace(box, loot={**box.loot, "50000": 1}, guesses={})
    twice = {"banks": {"yellow": [], "red": [50000]}, "loot": {"Ana": [50000]}}
    assert game.make_kinds is not None
    with pytest.raises(Malformed, match=r"and banks\.red\[0\] has it") as refused:
        game.make_kinds(rare)["round"].decide(ROUND | twice)
    assert refused.value.field == "loot.Ana[0]"


@pytest.mark.parametrize("kind", ["auction", "sale", "chips", "score"])
def test_two_are_no_table_of_banque_fatale(judge: Judge, kind: str) -> None:
    example: Any = EXAMPLES[f"banque_fatale-{kind}"]
    case = example | {
        field: dict([*of.items()][:2]) if isinstance(of, dict) else of[:2]
        for field, of in example.items()
        if field in ("players", "bids", "holdings", "funds")
    }
    assert judge(case).refusal == "Banque Fatale is for 3 to 4 players, not 2."


def test_the_fortune_of_one_player_alone_is_counted(judge: Judge) -> None:
    case = FATALE_SCORE | {"funds": {"Ana": {"cash": 20, "chips": 7, "cards": [["red"]]}}}
    assert json.loads(judge(case, "--json").out)["totals"] == {"Ana": 35}


# Text that is no case


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "game is missing; it is one of bankueberfall, banque_fatale, robby_solo."),
        (b"{}", "game is missing; it is one of bankueberfall, banque_fatale, robby_solo."),
        (b'{"game": "robby_solo"}', "kind is missing; it is one of round, score."),
        (b"[]", "A case is one object"),
        (b"null", "This is neither JSON nor TOML"),
        (b"hello?", "Line 1, column 6: this is neither JSON nor TOML."),
        (b'{"game"', "Line 1, column 8: this is not JSON."),
        (b'{\n "game": "robby_solo"\n', "Line 3, column 1: this is not JSON."),
        (b"{} {}", "Line 1, column 4: this is not JSON."),
        (b"{'game': 1}", "Line 1, column 2: this is not JSON."),
        (b'{"game": "a\nb"}', "Line 1, column 12: this is not JSON."),
        (b'game = "robby_solo"\nkind = \n', "Line 2, column 8: this is neither JSON nor TOML."),
        (b'{"game": "\xff"}', "Line 1 is not UTF-8 text."),
        (b"# hello\n\n# K\xf6ln\n", "Line 3 is not UTF-8 text."),
        ('{"game": "robby_solo"}'.encode("utf-16"), "Line 1 is not UTF-8 text."),
        (b"\0\0\0\0", "Line 1, column 1: this is neither JSON nor TOML."),
        (b"{" * 100_000, "Line 1, column 2: this is not JSON."),
        (b"[" * 100_000, "This is nested too deeply for a case."),
        (b'{"a":' * 100_000, "This is nested too deeply for a case."),
        (b"a = " + b"[" * 100_000, "This is nested too deeply for a case."),
        (b"a = " + b"{a = " * 100_000, "This is nested too deeply for a case."),
        (b"bids." + b"a." * 400_000 + b"a = 1", "This is nested too deeply for a case."),
        (b"a = 1\n[" + b"a." * 400_000 + b"a]", "This is nested too deeply for a case."),
    ],
    ids=lambda value: str(value[:20]),
)  # fmt: skip
def test_what_cannot_be_read_is_refused_by_its_line(
    judge: Judge, data: bytes, expected: str
) -> None:
    assert judge(data).refusal.startswith(expected)


@pytest.mark.parametrize("write", [json.dumps, to_toml])
@pytest.mark.parametrize("case", EXAMPLES.values(), ids=EXAMPLES)
def test_a_case_with_any_misprint_is_refused_or_judged(write: Any, case: Any) -> None:
    good, dice = write(case).encode(), Random(7)
    for _ in range(400):
        at, end = sorted(dice.choices(range(len(good)), k=2))
        noise = bytes(dice.choices(b'{}[]",:=.-0123eE\\\n\r\t \0\xff\xe2tn#', k=dice.randint(0, 3)))
        bad = good[:at] + noise + good[end if dice.random() < 0.2 else at + 1 :]
        assert said_of(bad).replace("\u00a0", " ").isprintable(), bad


def said_of(data: bytes) -> str:
    try:
        return decide(parse_case(data)).steps[-1].text
    except Malformed as error:
        return str(error)


def test_a_byte_order_mark_is_no_fault(judge: Judge) -> None:
    data = json.dumps(ROBBERY).encode("utf-8-sig")
    assert judge(data).status == 0
    assert judge(data + b"\n" + data, "--stream").status == 0
    assert judge(to_toml(ROBBERY).encode("utf-8-sig")).status == 0


@pytest.mark.parametrize("depth", [10, 100, 500, *range(850, 1010, 7), 2_000, 50_000])
@pytest.mark.parametrize("nest", ["[]", '{"a":}'])
def test_however_deep_it_is_nested_it_is_one_sentence(judge: Judge, nest: str, depth: int) -> None:
    opened, closed = nest[:-1], nest[-1]
    inside = opened * depth + ("" if nest == "[]" else "1") + closed * depth
    for name in ("bids", "cards", "game", "house_rules"):
        typed = json.dumps(ROBBERY | {name: "HERE"}).replace('"HERE"', inside).encode()
        assert judge(typed).refusal
        assert judge(typed, "--stream").status == 1


@pytest.mark.parametrize(
    "at", [at for at in nodes(FATALE_SCORE) if isinstance(at[-1], str)], ids=written
)
def test_a_key_given_twice_is_refused_at_any_depth(judge: Judge, at: Path_) -> None:
    typed = json.dumps(changed(FATALE_SCORE, (*at[:-1], "HERE"), None))
    twice = typed.replace('"HERE"', json.dumps(at[-1])).encode()
    assert judge(twice).refusal == f"{at[-1]} is given twice."
    assert judge(twice, "--stream").lines[0]["error"] == f"{at[-1]} is given twice."


@pytest.mark.parametrize(("again", "field"), [
    ("game = 1", "game"), ("bids = {}", "bids"), ("[bids]\nAna = 1", "bids"),
    ("[funds]\n[funds]", "funds"),
])  # fmt: skip
def test_a_key_given_twice_in_toml_is_refused_by_its_name(
    judge: Judge, again: str, field: str
) -> None:
    flat = {name: value for name, value in ROBBERY.items() if name != "funds"}
    assert judge((to_toml(flat) + again + "\n").encode()).refusal == f"{field} is given twice."


# Files


def test_twenty_megabytes_are_refused_without_being_read(judge: Judge, tmp_path: Path) -> None:
    for name in ("case.json", "case.toml", "case"):
        with (tmp_path / name).open("wb") as file:
            file.write(b'{"game": "')
            file.truncate(20_000_000)
        said = judge(b"", str(tmp_path / name)).refusal
        assert said == f"This is longer than a case can be ({MOST_BYTES} bytes)."
    assert judge(b"x" * 20_000_000).refusal == said


def test_what_is_no_file_is_refused_by_its_name(judge: Judge, tmp_path: Path) -> None:
    for name in (tmp_path, tmp_path / "missing.json", tmp_path / ("n" * 300)):
        for how in ("--json", "--stream"):
            said = (
                judge(b"", how, str(name)).refusal
                if len(name.name) < 200
                else judge(b"", str(name))
            )
            assert str(name) in str(said)
            assert "cannot be read" in str(said)


def test_the_name_says_what_the_file_is(judge: Judge, tmp_path: Path) -> None:
    (tmp_path / "case.json").write_text(to_toml(ROBBERY))
    assert "not JSON" in judge(b"", str(tmp_path / "case.json")).refusal
    (tmp_path / "case.toml").write_text(json.dumps(ROBBERY))
    assert "nor TOML" in judge(b"", str(tmp_path / "case.toml")).refusal


# What one may say on the command line


@pytest.mark.parametrize("words", ["--example monopoly", "--json --stream", "--lang xx", "a b",
                                   "--nonsense", "--example"])  # fmt: skip
def test_what_nobody_can_mean_on_the_command_line_is_status_2(judge: Judge, words: str) -> None:
    ran = judge(b"", *words.split())
    assert (ran.status, ran.out) == (2, "")
    assert "Traceback" not in ran.err


def test_an_example_of_a_kind_that_is_none_is_refused(judge: Judge) -> None:
    said = judge(b"", "--example", "robby_solo", "--kind", "auction").refusal
    assert said == '--kind must be one of round, score, not "auction".'


# Names


TRICKS = [
    "{who}", "{0.__class__}", "{", "}", "{}", "{{x}}", "%s", "%(who)s", "$(id)", "red", "_", "5",
    "__class__", "Ana.Ben", "[0]", "<b>", "Ana\\n", '"', "'", "Åsa", "李", "🦊", "Ana Ben", "None",
]  # fmt: skip


@pytest.mark.parametrize("name", TRICKS)
def test_a_name_is_only_a_name(judge: Judge, name: str) -> None:
    plain = "Zoé 7" if name[-1].isdigit() else "Zoé"  # Then a colon stands between two numbers.
    for case in EXAMPLES.values():
        typed = json.dumps(case).replace('"Ana"', json.dumps(name)).encode()
        right = judge(json.dumps(case).replace('"Ana"', json.dumps(plain)).encode(), "--json").out
        found = judge(typed, "--json").out
        assert json.loads(found) == json.loads(right.replace(plain, json.dumps(name)[1:-1]))
        assert name in judge(typed).out


@pytest.mark.parametrize("name", TRICKS)
def test_a_name_in_a_refusal_is_only_a_name(judge: Judge, name: str) -> None:
    assert name in judge(changed(ROBBERY, ("cards", 0), f"{name}!")).refusal
    assert f"bids.{name} " in judge(changed(ROBBERY, ("bids", name), -1)).refusal
    assert f"funds.{name} is missing." == judge(changed(ROBBERY, ("bids", name), 1)).refusal
    assert f"{name}!" in judge(ROBBERY | {f"{name}!": 1}).refusal
    assert judge(ROBBERY | {f"{name}!": 1}, "--stream").lines[0]["field"] == f"{name}!"


NO_NAMES = [
    "", "\n", "A\nB", "A\tB", "\0", "\x1b[31mred", "\r", "\u202eanA", "\u200b", "\x7f", "A\x85B",
    "\ud800", "\udcff", "\u2028", "n" * 41, "n" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("name", NO_NAMES, ids=lambda name: ascii(name[:9]))
def test_what_cannot_be_a_name_is_refused_on_one_line(judge: Judge, name: str) -> None:
    for case in EXAMPLES.values():
        typed = json.dumps(case).replace('"Ana"', json.dumps(name)).encode()
        assert "is not a name of 1 to 40 printed characters." in judge(typed).refusal
        (told,) = judge(typed, "--stream").lines
        assert told["error"].replace("\u00a0", " ").isprintable()


@pytest.mark.parametrize("text", NO_NAMES[1:], ids=lambda name: ascii(name[:9]))
@pytest.mark.parametrize("name", EXAMPLES)
def test_no_quoted_text_breaks_the_line_or_the_stream(judge: Judge, name: str, text: str) -> None:
    case = EXAMPLES[name]
    odd = [changed(case, at, text) for at in nodes(case)]
    odd += [changed(case, (*at[:-1], text), 1) for at in nodes(case) if isinstance(at[-1], str)]
    ran = judge(stream_of(*odd), "--stream")
    assert (ran.status, ran.err, len(ran.lines)) == (1, "", len(odd))
    for told in ran.lines:
        assert (
            "steps" in told or (told["error"] + told["field"]).replace("\u00a0", " ").isprintable()
        )
        assert len(str(told)) < 1_000 or "steps" in told


# Streams


def test_a_line_of_a_stream_is_answered_as_the_case_alone(judge: Judge) -> None:
    ran = judge(stream_of(*EXAMPLES.values()), "--stream")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [judge(c, "--json").out.rstrip() for c in EXAMPLES.values()]


def test_an_unreadable_line_is_named_by_its_number_in_the_stream(judge: Judge) -> None:
    ran = judge(stream_of(ROBBERY) + b"\n\xff\n{nope}\n", "--stream")
    assert [line.get("field") for line in ran.lines] == [None, "line 2", "line 3", "line 4"]
    assert ran.lines[3]["error"] == "Line 4, column 2: this is not JSON."


def test_every_line_has_its_answer_even_a_blank_one_or_one_of_toml(judge: Judge) -> None:
    lines = [
        b"",
        b"   ",
        b"null",
        b"[]",
        b"{}",
        b'game = "x"',
        b"\r",
        b"\0",
        b"{}{}",
        b"\xef\xbb\xbf",
    ]
    ran = judge(b"\n".join(lines) + b"\n", "--stream")
    assert (ran.status, len(ran.lines)) == (1, len(lines))
    assert all(line.keys() == {"error", "field"} for line in ran.lines)


def test_the_last_line_needs_no_end_and_an_empty_stream_no_answer(judge: Judge) -> None:
    assert len(judge(stream_of(ROBBERY, ROBBERY).rstrip(), "--stream").lines) == 2
    assert judge(stream_of(ROBBERY).replace(b"\n", b"\r\n"), "--stream").status == 0
    assert judge(b"", "--stream") == (0, "", "")


@pytest.mark.parametrize("length", [MOST_BYTES, MOST_BYTES + 1, 2 * MOST_BYTES + 1, 20_000_000])
def test_a_very_long_line_is_one_bad_line(judge: Judge, length: int) -> None:
    long = b'{"a":"' + b"x" * length + b'"}\n'
    ran = judge(stream_of(ROBBERY) + long + stream_of(ROUND) + long.rstrip(), "--stream")
    assert [next(iter(line)) for line in ran.lines] == ["outcome", "error", "taken", "error"]
    assert ran.lines[1]["error"] == f"This is longer than a case can be ({MOST_BYTES} bytes)."


def test_a_stream_may_come_from_a_file(judge: Judge, tmp_path: Path) -> None:
    (tmp_path / "cases").write_bytes(stream_of(ROBBERY, {}, ROUND))
    assert judge(b"", "--stream", str(tmp_path / "cases")).status == 1
    assert "cannot be read" in judge(b"", "--stream", str(tmp_path)).refusal


# A process of its own


WORLD = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def started(*words: str, **more: Any) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    how = {"stdin": pipe, "stdout": pipe, "stderr": pipe, "env": WORLD} | more
    return subprocess.Popen([*COMMAND, *words], **how)


def test_a_stream_answers_before_it_is_asked_again() -> None:
    with started("--stream") as process:
        assert process.stdin
        assert process.stdout
        for case in (ROBBERY, {"game": 1}, ROUND, AUCTION):
            process.stdin.write(stream_of(case))
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            assert ("error" in answer) == (case == {"game": 1})
        assert process.communicate() == (b"", b"")
    assert process.returncode == 1


def test_a_reader_who_has_seen_enough_is_no_fault() -> None:
    with started("--stream") as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(stream_of(ROBBERY))
        process.stdin.flush()
        assert process.stdout.readline()
        process.stdout.close()
        process.stdin.write(stream_of(ROBBERY, ROBBERY))
        process.stdin.close()
        assert process.stderr
        assert process.stderr.read() == b""
    assert process.returncode == 128 + signal.SIGPIPE


SHELL = {
    "exec companion judge <&-": (2, "game is missing"),
    "exec companion judge --stream <&-": (0, ""),
    "exec companion judge >&-": (2, "stdout cannot be written: Bad file descriptor."),
    "exec companion judge --stream >/dev/full": (2, "stdout cannot be written: No space left"),
    "exec companion judge $'\\xff.json'": (2, "\\udcff.json cannot be read: No such file"),
    "PYTHONIOENCODING=ascii exec companion judge --json": (0, ""),
    "LC_ALL=C exec companion judge --json": (0, ""),
}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(("line", "expected"), [*SHELL.items()][:: pick(4, 1, 1)])
def test_a_broken_world_around_it_is_one_sentence_too(line: str, expected: tuple[int, str]) -> None:
    typed = json.dumps(ROBBERY, ensure_ascii=False).replace("Ana", "Žofie").encode()
    path = f"{COMMAND[0].parent}{os.pathsep}{WORLD['PATH']}"
    ran = subprocess.run(["bash", "-c", line], input=typed, capture_output=True, check=False,
                         env={**WORLD, "PATH": path})  # fmt: skip
    said = ran.stderr.decode()
    assert (ran.returncode, said.count("\n")) == (expected[0], bool(expected[1])), said
    assert expected[1] in said
    if "--json" in line and not said:
        assert "Žofie" in json.loads(ran.stdout)["paid"]
