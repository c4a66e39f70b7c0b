"""What each part of `companion league` does and says.

Law: every part that changes the league ends with the fingerprint of its book, which organisers show
to the players: with it, and only with it, `verify` tells a book that was made anew.
"""

import argparse
from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import date
from typing import NamedTuple

from companion.app.league.facts import (
    Facts,
    list_arrivals,
    list_faults,
    list_head,
    list_member,
    list_round,
    list_standing,
)
from companion.core.i18n import Language, Message, get_language, message
from companion.league.acts import (
    add_record,
    choose_points,
    found_league,
    join_league,
    leave_league,
    pair_next_round,
    parse_points,
    strike_result,
)
from companion.league.arrival import Refused, name_sheet
from companion.league.lists import list_last_sheets, name_member, spell_points, write_csv
from companion.league.pairing import Pairing
from companion.league.proof import prove_folder
from companion.league.sheet_words import sheet_words
from companion.league.standing import StandingRow, make_standing
from companion.league.state import League
from companion.league.store import FILE, LeagueStore, create_store
from companion.records.fingerprint import fingerprint_words, parse_fingerprint
from companion.records.parse import read_bytes

Lines = Iterable[Message | str]
End = tuple[int, Lines, Facts]


class PartEnd(NamedTuple):
    """How a part ended: the exit status, what it says, and the same for programs."""

    status: int
    lines: list[str]
    facts: Facts


def run_part(options: argparse.Namespace) -> PartEnd:
    """Run one part; return how it ended."""
    words = get_language(options.lang)
    status, lines, facts = _RUN[options.part](options, words)
    return PartEnd(
        status, [each if isinstance(each, str) else words(each) for each in lines], facts
    )


def _found_new_league(options: argparse.Namespace, words: Language) -> End:
    pairing: Pairing = "round_robin" if options.pairing == "round-robin" else "swiss"
    founded = found_league(
        options.title, options.game, seats=options.seats, pairing=pairing,
        points=parse_points(options.points), phones=options.phones,
    )  # fmt: skip
    with closing(create_store(options.folder, founded)) as store:
        return _end_with_fingerprint(store.read_league())


def _choose_points(options: argparse.Namespace, words: Language) -> End:
    with closing(LeagueStore(options.folder)) as store:
        league = choose_points(store, parse_points(options.points))
        return _end_with_fingerprint(league, message("The points of the places are kept."))


def _add_member(options: argparse.Namespace, words: Language) -> End:
    agreed = date.today().isoformat() if options.agrees else ""
    with closing(LeagueStore(options.folder)) as store:
        member = join_league(store, options.name, agreed)
        league = store.read_league()
        said = message("Member {n} has joined.", n=league.members[member].number)
        return _end_with_fingerprint(
            league, said, facts=list_member(league, store.read_names(), member)
        )


def _remove_member(options: argparse.Namespace, words: Language) -> End:
    with closing(LeagueStore(options.folder)) as store:
        leave_league(store, options.member)
        said = message("The member has left; the league keeps no name of them.")
        return _end_with_fingerprint(store.read_league(), said)


def _pair_round(options: argparse.Namespace, words: Language) -> End:
    with closing(LeagueStore(options.folder)) as store:
        league = (
            store.read_league() if options.again else pair_next_round(store, anyway=options.anyway)
        )
        names = store.read_names()
        sheets, facts = _list_sheets(league, names, words), list_round(league, names)
        return _end_with_fingerprint(league, *sheets, facts=facts)


def _list_sheets(league: League, names: dict[str, str], words: Language) -> Lines:
    for sheet in list_last_sheets(league):
        yield name_sheet(sheet)
        for seat, member in enumerate(sheet.members, 1):
            yield f"  {seat}  {name_member(league, names, member, words)}"
        yield f"  {sheet_words(sheet.code)}"
    for member in league.rounds[-1].byes if league.rounds else ():
        yield message("Sits out: {name}", name=name_member(league, names, member, words))


def _add_records(options: argparse.Namespace, words: Language) -> End:
    with closing(LeagueStore(options.folder)) as store:
        found = [(path, add_record(store, read_bytes(path))) for path in options.records]
        said = list[Message | str]()
        for path, one in found:
            is_refused = isinstance(one, Refused)
            say = one.say if isinstance(one, Refused) else message(
                "Counted: {use}.", use=name_sheet(one))  # fmt: skip
            said.append(f"{'✗' if is_refused else '✓'} {path}: {words(say)}")
        status = int(any(isinstance(one, Refused) for _, one in found))
        league, facts = store.read_league(), list_arrivals(found, words)
        return _end_with_fingerprint(league, *said, facts=facts, status=status)


def _take_result_back(options: argparse.Namespace, words: Language) -> End:
    with closing(LeagueStore(options.folder)) as store:
        strike_result(store, options.round, options.table)
        return _end_with_fingerprint(store.read_league(), message("The result is taken back."))


def _tell_standing(options: argparse.Namespace, words: Language) -> End:
    with closing(LeagueStore(options.folder)) as store:
        league, names = store.read_league(), store.read_names()
    standing = make_standing(league)
    facts = list_standing(league, names, standing)
    if options.csv:
        lines = write_csv(league, names, standing, words).replace("\r\n", "\n").rstrip()
        return 0, [lines], facts
    return _end_with_fingerprint(
        league, *_list_standing(league, names, standing, words), facts=facts
    )


def _list_standing(
    league: League, names: dict[str, str], standing: Sequence[StandingRow], words: Language
) -> Lines:
    for row in standing:
        name = name_member(league, names, row.member, words)
        yield f"{row.place:>3}  {spell_points(row.points, words):>6}  {name}"


def _verify_folder(options: argparse.Namespace, words: Language) -> End:
    kept = [parse_fingerprint("--fingerprint", told) for told in options.fingerprint]
    proof = prove_folder(options.folder, kept)
    said: list[Message | str] = [f"✗ {fault.file}: {words(fault.say)}" for fault in proof.faults]
    facts = {"proven": proof.is_proven, **list_faults(proof.faults, words)}
    if proof.league is None:
        return 1, said, facts
    names = dict[str, str]()
    if (options.folder / FILE).exists():
        with closing(LeagueStore(options.folder)) as store:
            names = store.read_names()
    said += _list_standing(proof.league, names, proof.standing, words)
    said.append(_tell_proof(proof.is_proven))
    facts |= list_standing(proof.league, names, proof.standing)
    return _end_with_fingerprint(proof.league, *said, facts=facts, status=int(not proof.is_proven))


def _tell_proof(is_proven: bool) -> Message:
    if not is_proven:
        return message("Not proven: what is named above does not count.")
    return message("Proven: every result of this standing follows from its record.")


def _end_with_fingerprint(
    league: League, *said: Message | str, facts: Facts | None = None, status: int = 0
) -> End:
    """Return the end of a part: what it says and tells, and the fingerprint of the book."""
    mark = message("The book’s fingerprint: {words}.", words=fingerprint_words(league.head.chain))
    return status, [*said, mark], {**(facts or {}), **list_head(league)}


_RUN = {
    "new": _found_new_league, "points": _choose_points, "join": _add_member,
    "leave": _remove_member, "pair": _pair_round, "add": _add_records,
    "standings": _tell_standing, "strike": _take_result_back, "verify": _verify_folder,
}  # fmt: skip
