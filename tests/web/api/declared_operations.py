"""A right request to every declared operation, and the tables at which it is right.

Law: an operation that has no row here is right at a simulated table, without more than a tap.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from flask import Flask

from companion.core.errors import Refusal
from companion.host.settings import FloorPlace
from companion.hotspot.machine import Machine, Power
from companion.hotspot.network import Wifi
from companion.journal import Journal
from companion.seating.identity import IdentityStore
from companion.seating.seats import Seats
from tests.worlds.fresh_table import Fresh
from tests.worlds.host_browser import HostsBrowser, safe_of
from tests.worlds.left_open import closed_later
from tests.worlds.named_table import NAMES as THEIRS
from tests.worlds.named_table import NamedTable
from tests.worlds.scripted_table import TWO, ScriptedTable
from tests.worlds.signer import browser_of, signer_of
from tests.worlds.simulated_hands import deal, simulated
from tests.worlds.standing_tables import served
from tests.worlds.visitor import UNHURRIED, Visitor
from tests.worlds.watched_table import OneReader
from web.app import create_app
from web.context import CONTEXT_KEY, AppContext
from web.rendering.parts import find_seat_notices

Body = dict[str, Any]


class NotedMachine(Machine):
    """A machine that only notes what is asked of it."""

    def __init__(self) -> None:
        super().__init__(version="1.2.0")
        self.asked = list[object]()

    def switch_power(self, power: Power) -> Refusal | None:
        self.asked.append(power)
        return None

    def join_wifi(self, wifi: Wifi) -> Refusal | None:
        self.asked.append(wifi)
        return None


class Stand(ABC):
    """A table, the phone of its first seat, its host, and a guest without a seat."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.left = folder, ExitStack()
        self.app = self.put_up()
        self.context: AppContext = self.app.extensions[CONTEXT_KEY]
        self.guest, self.phone = HostsBrowser(self.app), Visitor(self.app)
        self.guest.get("/")
        if self.context.seats.open_house:
            self.phone.sits(1)
        if self.context.host is not None:
            self.host = HostsBrowser(self.app).signs_in()

    @abstractmethod
    def put_up(self) -> Flask:
        """Its pages."""

    def asks(self, event: str, **fields: Any) -> Body:
        """A request to the game, about its newest view."""
        return {"event": {"event": event, **fields}, "version": self.context.table.version}


class Simulated(Stand):
    """A simulated game of three in which the first seat is to turn a tile, with all services."""

    def put_up(self) -> Flask:
        journal = closed_later(Journal(self.folder / "journal.sqlite3"))
        seats, identity = Seats(open_house=True), IdentityStore()
        self.evening = evening = simulated(journal, seats=seats, persons_seat=1, identity=identity)
        deal(evening)
        self.vault = safe_of(evening.host.table, self.folder)
        for leave in (journal.close, evening.host.table.close, evening.source.wires.close):
            self.left.callback(leave)
        self.left.callback(self.vault.close)
        context = AppContext(
            evening.host.table,
            seats,
            evening,
            evening.host,
            identity=identity,
            backups=self.vault,
            machine=NotedMachine(),
        )
        return create_app(context, limits=UNHURRIED)

    def ends(self) -> Body:
        """The game is over."""
        assert self.host.decides("ended").status_code == 204
        return {}

    def waits(self, seat: int = 0) -> Body:
        """The guest waits for a seat, or for this one."""
        path = f"/api/join/seats/{seat}/guests" if seat else "/api/join/guests"
        assert self.guest.post(path, **({} if seat else {"name": "Gül"})).status_code == 204
        return {}

    def asks_whose(self) -> Body:
        """Two wait, and the button of a free seat is pressed."""
        other = Visitor(self.app)
        other.get("/")
        assert other.post("/api/join/guests", name="Hal").status_code == 204
        self.waits()
        assert self.context.seats.handle_press(2)
        return {"answer": "yes"}

    def proves(self) -> str:
        """A backup has come and waits for a yes; its id."""
        self.ends()
        packed = self.vault.pack()
        incoming = self.vault.begin_upload("old.zip")
        assert incoming is not None
        with packed:  # type: ignore[union-attr]
            incoming.write(packed.read())  # type: ignore[union-attr]
        assert self.vault.check_upload(incoming.id) is None
        return incoming.id

    def opens(self) -> Body:
        """All hands are closed, and are to open."""
        bots, table = self.evening.bots, self.context.table
        self.context.seats.free_seat(1)
        bots.persons_seat = 0
        while (view := table.view()) is None or view.public.phase != "open":
            self.evening.source.poll()
            assert bots.play_one()
        return {"value": 1, "version": table.version}

    def answers_pass(self) -> Body:
        """A screen shows a pass, and the guest answers it."""
        host_pass = self.evening.host.host_pass
        host_pass.show_pass(2, "")
        shown = host_pass.shown_pass()
        assert shown is not None
        return {"answer": signer_of(self.app, self.guest.browser).answers(shown.word)}

    def is_named(self) -> Body:
        self.context.set_place(FloorPlace("Table 7", "Window"))
        return {}

    def calls(self) -> Body:
        self.is_named()
        return {"number": self.context.floor.calls.call(1).number}


class Unset(Stand):
    """A table that was never set up."""

    def put_up(self) -> Flask:
        self.fresh = Fresh(self.folder)
        self.left.callback(self.fresh.shut)
        return self.fresh.app

    def at(self, step: str, /, **fields: Any) -> Body:
        assert self.host.calls("first/step", step=step).status_code == 204
        return fields


class Named(Stand):
    """A table that keeps names, with a game of three."""

    def put_up(self) -> Flask:
        self.room = NamedTable(self.folder)
        self.left.callback(self.room.close)
        return self.room.app

    def plays(self) -> Body:
        self.guest = self.room.seat(1, THEIRS[0])  # type: ignore[assignment]
        return {"game": self.room.begin(*THEIRS)}


class Tapped(Stand):
    """A table with one reader, at which a card is to be placed."""

    def put_up(self) -> Flask:
        table = OneReader(self.folder / "journal.sqlite3", readers=())
        self.left.callback(table.journal.close)
        for _ in range(5):
            table.hold_new("5")
        table.do(1, 'tile_turned seat=1 tile="place"')
        return create_app(AppContext(table.table, Seats(open_house=True)), limits=UNHURRIED)


class Taking(Stand):
    """A game of Banque Fatale in which chips are taken."""

    def put_up(self) -> Flask:
        return served(self.folder / "journal.sqlite3", "banque_fatale", "take")


class Enrolled(Stand):
    """A real table; the sticker of a 5 is dead, and another lies in its place."""

    def put_up(self) -> Flask:
        table = ScriptedTable(self.folder)
        self.left.callback(table.close)
        for bank in range(1, 6):
            table.lay(table.tags["5"][bank], bank)
        assert table.host.begin_game(TWO) is None
        table.silence(table.tags["5"][3])
        table.lay("04c0ffee000001", 3)
        return create_app(
            AppContext(table.source.table, table.host.seats, None, table.host), limits=UNHURRIED
        )


class Right(NamedTuple):
    """Where an operation is granted, what is done first, and what is sent then."""

    at: type[Any]
    body: Callable[[Any], Body] = lambda _: {}
    seat: int = 1
    shows: bool = True
    """Whether its effect is among what `state_of` looks at."""


def own_key(stand: Stand) -> Body:
    """The public key of the guest's browser."""
    cookie = stand.guest.client.get_cookie("companion")
    assert cookie is not None
    signer = signer_of(stand.app, browser_of(stand.app, f"companion={cookie.value}"))
    return {"public_key": signer.public_key.hex()}


def with_guest(stand: Simulated) -> Body:
    return stand.waits() | {"guest": stand.context.seats.waiting_guests()[0].number}


def after(*acts: Callable[[Any], Any]) -> Callable[[Any], Body]:
    """Do all of this first; the body is what the last one returns."""

    def prepare(stand: Any) -> Body:
        found = [act(stand) for act in acts]
        return found[-1] if isinstance(found[-1], dict) else {}

    return prepare


def just(**body: Any) -> Callable[[Any], Body]:
    return lambda _: body


S = Simulated
RIGHT: dict[str, Right] = {
    "browser_register_key": Right(S, own_key, shows=False),
    "join_knock": Right(S, just(name="Gül")),
    "join_take": Right(S, seat=2),
    "join_answer": Right(S, S.asks_whose, seat=2),
    "join_consent": Right(S, after(lambda s: s.waits(1), just(answer="yes"))),
    "join_leave": Right(S, S.waits),
    "join_speak": Right(S, just(language="de"), shows=False),
    "seats_ask": Right(S, lambda s: s.asks("tile_turned", tile="place")),
    "seats_ask_on_screen": Right(Tapped, lambda s: s.asks("place_chosen", place=3)),
    "seats_wish": Right(
        Taking, just(order=["red", "yellow", "green", "blue", "orange"], active=True)
    ),
    "play_lift": Right(S, just(spot="tiles", n=7)),
    "play_put": Right(
        S, after(lambda s: s.phone.hands("lift", spot="tiles", n=7), just(spot="place-8"))
    ),
    "play_turn": Right(S, just(spot="place-2", n=1), shows=False),
    "play_press": Right(S, just(held=False), shows=False),
    "play_faults": Right(S, just(fault="cable", at=3, on=True)),
    "play_bots": Right(S, just(pace="fast")),
    "play_seats": Right(S, after(S.ends, just(seats=4, game="bankueberfall"))),
    "play_take": Right(S, just(seat=3)),
    "play_give": Right(S, after(lambda s: s.phone.hands("take", seat=3), just(seat=3))),
    "demo_touch": Right(S, shows=False),
    "demo_gather": Right(
        S, after(lambda s: s.host.calls("reset"), just(game="bankueberfall"))
    ),
    "host_use_pass": Right(S, S.answers_pass),
    "host_ask": Right(S, shows=False),
    "host_speak": Right(S, just(language="de")),
    "host_calm": Right(S, just(calm=True)),
    "game_ask": Right(S, lambda s: s.asks("paused")),
    "game_skip_telling": Right(S, shows=False),
    "game_enter": Right(S, S.opens),
    "game_begin": Right(S, after(S.ends, just(game="robby_solo", players=["Ana", "Ben", "Cleo"]))),
    "game_again": Right(S, S.ends),
    "sitting_move": Right(S, just(to=2)),
    "sitting_give": Right(S, with_guest, seat=2),
    "sitting_dismiss": Right(S, S.waits),
    "sitting_bots": Right(S, just(pace="fast")),
    "handover_own": Right(S, just(to="newcomer")),
    "handover_any": Right(S, just(to="newcomer")),
    "names_erase_own": Right(Named, after(Named.plays, just())),
    "names_erase": Right(Named, Named.plays),
    "names_show": Right(Named, just(shown=True)),
    "care_check": Right(S, after(S.ends, lambda s: s.host.calls("check/end"), just())),
    "care_stop_check": Right(S, after(S.ends, lambda s: s.host.calls("check"), just())),
    "care_replace_sticker": Right(Enrolled, just(piece="5", at_place=True), shows=False),
    "backups_backup": Right(S, S.ends, shows=False),
    "backups_restore": Right(S, lambda s: {"id": s.proves()}),
    "backups_leave": Right(S, after(S.proves, just())),
    "machine_power": Right(S, just(power="restart")),
    "machine_join_wifi": Right(S, just(name="Home", password="correct horse")),
    "floor_call_staff": Right(S, S.is_named),
    "floor_call_staff_to_seat": Right(S, S.is_named),
    "floor_end_call": Right(S, S.calls),
    "floor_place": Right(S, just(name="Table 7", place="Window")),
    "first_go": Right(Unset, just(step="banks")),
    "first_speak": Right(Unset, just(language="de")),
    "first_box": Right(Unset, just(game="robby_solo")),
    "first_wire": Right(Unset, lambda s: s.at("wiring", profile="phones-only")),
    "first_lamp": Right(Unset, lambda s: s.at("lamps", seat=3)),
    "first_mode": Right(Unset, lambda s: s.at("banks", beside=8)),
    "first_act": Right(Unset, lambda s: s.at("banks", step="banks", act="skip")),
}  # fmt: skip


def state_of(stand: Stand) -> list[str]:
    """Return all visible state that operations can change."""
    here = stand.context
    seats, simulation, host = here.seats, here.simulation, here.host
    found: list[object] = [
        here.table.version, here.game, here.settings.language, here.is_calm,
        here.settings.saved.shows_names,
        [(n, seats.holder_of(n)) for n in range(1, 7)], seats.waiting_guests(),
        find_seat_notices(here), here.settings.place, here.floor.calls.current,
        _wish_of_first_seat(here),
    ]  # fmt: skip
    if simulation is not None:
        found += [simulation.bots.pace, simulation.faults.faults]
        found += [simulation.bots.played_by_bots(), simulation.hands.visible_spots(1)]
    if host is not None:
        found += [sorted(here.browsers.identity.state.hosts), host.box_check()]
    if isinstance(here.machine, NotedMachine):
        found.append(here.machine.asked)
    if here.backups is not None:
        found.append(here.backups.status())
    if here.setup is not None:
        found.append(here.setup.view())
    if isinstance(stand, Named):
        found.append(stand.room.shown())
    return [repr(each) for each in found]


def _wish_of_first_seat(here: AppContext) -> object:
    return here.wishes.read(here.table.state.id, 1) if here.table.state else None
