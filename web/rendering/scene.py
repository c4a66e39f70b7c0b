"""Scenes: the facts of one viewer's screen, each computed when it is first asked for.

Laws: a scene is built from that viewer's View and from nothing else of the game; only the simulated
table adds the pieces as its own seat sees them. While a verdict is told there are two: the current
one, and the one that is held, which stands as the game was before it.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeVar, cast

import msgspec

from companion.core.cards import Box
from companion.core.i18n import N_, Language, Message
from companion.games import make_rulebook
from companion.games.open_table import count_open_places
from companion.games.rulebook import AnyRulebook
from companion.games.screens import Screens
from companion.host.host import Host
from companion.setup.steps import SetupView
from companion.table.outcomes import ChangeSummary
from companion.table.telling import Story, Telling
from companion.table.view import LogEntry, View
from web.context import AppContext
from web.rendering.game_words import find_template, screens_of, template_words
from web.rendering.invite import Invite, join_invite

if TYPE_CHECKING:
    from companion.app.simulated.bot_driver import BotDriver

T = TypeVar("T")
NO_TITLE = N_("Table companion")
PAGES_BESIDE_GAME = ("login", "health", "first", "names")
"""The pages that are about the table, and not about its game: they have no version of it."""


class Screen(msgspec.Struct, frozen=True):
    """A page for one viewer in one language: for a seat, a browser, a host, or for everyone."""

    page: str
    seat: int
    language: str
    browser: str = ""
    is_local: bool = False
    """The viewer is at the Pi itself, or in its own network."""
    is_tables_own: bool = False
    """The viewer is the table screen of the Pi itself: it shows the pass of the host, and where one
    reader serves all places, the next one is chosen on it."""
    came_known: bool = True
    """Whether the viewer was one of the table when the page was asked for."""

    def sees_names(self, context: AppContext) -> bool:
        """Return whether this screen shows names, or seats only."""
        return bool(self.seat) or context.may_see_names(self.browser, self.came_known)


class Facts(msgspec.Struct, frozen=True):
    """Facts of a template, which sees each field by its name; a field that is such a struct itself
    is replaced by its fields. A field's `of` is its part of a scene."""

    @classmethod
    def find(cls, scene: "Scene") -> Self:
        """Return these facts of a scene."""
        return cls(*[find(scene) for find in cls.__struct_defaults__])

    def by_name(self) -> dict[str, object]:
        """Return the names that the template sees."""
        seen = msgspec.structs.asdict(self)
        for name in [name for name, value in seen.items() if isinstance(value, Facts)]:
            seen |= seen.pop(name).by_name()
        return seen


def of(find: Callable[["Scene"], T]) -> T:
    """Declare the origin of a field in any scene."""
    return cast(T, find)


def of_game(find: Callable[["GameScene"], T]) -> T:
    """Declare the origin of a field in the scene of a game."""
    return cast(T, find)


class Shown(NamedTuple):
    """The view of a game that a screen shows, if there is one, and the rules of that game."""

    view: View | None
    rules: AnyRulebook
    names: tuple[str, ...] = ()
    recorded: bool = False


def find_shown(context: AppContext, screen: Screen) -> Shown:
    """Return the view of a screen: of the game on the table, or of the recorded one."""
    scene = context.demo_scene(screen.page)
    if scene is not None:
        return Shown(scene.view, make_rulebook(scene.game), scene.names, recorded=True)
    names = context.shown_names(screen.sees_names(context))
    return Shown(context.table.view(screen.seat), context.table.rules, names)


class Found:
    """What a change has brought to the viewers of a page, whatever their language: the view, and
    the facts of each block that was drawn since."""

    def __init__(self) -> None:
        self.shown: Shown | None = None
        self.facts: dict[str, Facts] = {}


class Scene:
    """Scene that a screen is drawn from."""

    def __init__(self, context: AppContext, screen: Screen, shown: Shown) -> None:
        self.context, self.screen, self.shown = context, screen, shown
        self.page, self.seat, self.rules = screen.page, screen.seat, shown.rules
        self.box: Box = shown.rules.box

    @cached_property
    def words(self) -> Language:
        """The language of the screen, with the names that its viewer knows."""
        spoken: Language = template_words(self.screen.language, self.shown.names)["say"]
        return spoken

    @cached_property
    def surroundings(self) -> "Surroundings":
        """Surroundings of every template of the page."""
        return Surroundings.find(self)

    @property
    def version(self) -> int:
        """The number of events that the view rests on; 0 without a game."""
        view = None if self.page in PAGES_BESIDE_GAME else self.shown.view
        return view.at if view is not None else 0

    @property
    def shown_scene(self) -> "Scene":
        """The scene that the blocks are drawn from that wait for no verdict."""
        return self

    @property
    def held_scene(self) -> "Scene":
        """The scene that the blocks are drawn from that wait until a verdict is told."""
        return self

    @property
    def players(self) -> tuple[str, ...]:
        """The keys of the players, by seat; none before a game."""
        return ()

    @property
    def requests_url(self) -> str:
        """Address for the forms that ask for something in the game."""
        return f"/api/seats/{self.seat}/requests" if self.seat else "/api/table/requests"

    @property
    def own_url(self) -> str:
        """Address of the page."""
        return f"/{self.page}/{self.seat}" if self.seat else f"/{self.page}"

    @property
    def invite(self) -> Invite | None:
        """How phones reach the table."""
        return join_invite(self.context.machine.addresses, self.screen.is_local)

    @property
    def host(self) -> Host:
        """The host service, for a page that only a table with one has."""
        assert self.context.host is not None
        return self.context.host

    @cached_property
    def setup(self) -> SetupView:
        """Progress of the set-up, for a page that only a table with a wizard has."""
        assert self.context.setup is not None
        return self.context.setup.view()

    @property
    def is_hosts(self) -> bool:
        """Whether the browser that holds this seat is the host's."""
        holder = self.context.seats.holder_of(self.seat)
        return holder is not None and self.context.browsers.is_host(holder)

    @property
    def is_taken(self) -> bool:
        """Whether a phone plays from this seat."""
        return self.seat in self.context.seats.taken_seats()

    @property
    def own_seats(self) -> list[int]:
        """The seats that play from the browser of this page."""
        seats = self.context.seats
        own = seats.seats_of(self.screen.browser or seats.holder_of(self.seat))
        return [seat for seat in own if seat <= self.context.table.seats]

    @property
    def bots(self) -> "BotDriver | None":
        """The bots of a simulated table."""
        return self.context.simulation.bots if self.context.simulation is not None else None

    @property
    def can_settle(self) -> bool:
        """Whether the viewer may settle differences between table and log."""
        return self.seat > 0 and self.page in ("phone", "play")


class Surroundings(Facts, frozen=True, dict=True):
    """Facts that every template of a page has besides its own."""

    page: str = of(lambda s: s.page)
    lang: str = of(lambda s: s.screen.language)
    known_names: tuple[str, ...] = of(lambda s: s.shown.names)
    """Names of the players for this viewer, by seat."""
    players: tuple[str, ...] = of(lambda s: s.players)
    has_game: bool = of(lambda s: s.shown.view is not None)
    box: Box = of(lambda s: s.box)
    title: str = of(lambda s: s.box.title)
    heading: str = of(lambda s: s.box.title if s.shown.view else s.words.render(NO_TITLE, {}))
    """The title of the box, or that of the companion before the first game."""
    simulated: bool = of(lambda s: s.context.is_simulated)
    recorded: bool = of(lambda s: s.shown.recorded)
    """Whether a recorded game is shown."""
    calm: bool = of(lambda s: s.context.is_calm)
    hosted: bool = of(lambda s: s.context.host is not None)
    game_template: str = of(lambda s: find_template(s.box.game, "game.html"))
    bids_template: str = of(lambda s: find_template(s.box.game, "hand.html"))

    @cached_property
    def names(self) -> dict[str, object]:
        """The names in every template of the page: words, and these facts."""
        return template_words(self.lang, self.known_names) | self.by_name()

    @cached_property
    def key(self) -> tuple[object, ...]:
        """Key that tells two apart: the title stands for its box."""
        return (self.page, self.lang, self.known_names, self.players, self.has_game, self.title,
                self.simulated, self.recorded, self.calm)  # fmt: skip


class GameScene(Scene):
    """Scene of a screen that shows a game; one with a `current` scene is held, and stands
    as the game was before the newest verdict."""

    of_pages: ClassVar[dict[str, type["GameScene"]]] = {}
    """The scenes of pages that know more of a game than other pages."""

    def __init_subclass__(cls, pages: tuple[str, ...]) -> None:
        """Register the scene of these pages."""
        cls.of_pages.update(dict.fromkeys(pages, cls))

    def __init__(
        self,
        context: AppContext,
        screen: Screen,
        shown: Shown,
        view: View,
        current: "GameScene | None" = None,
    ) -> None:
        super().__init__(context, screen, shown)
        self.view, self.public, self.table = view, view.public, view.table
        self.screens: Screens = screens_of(self.box.game)
        self.current, self.is_held = current or self, current is not None
        self.clock = context.telling_clock(screen.page)

    # What waits until the newest verdict is told.

    @cached_property
    def telling(self) -> Telling | None:
        """The verdict that is not told to its end."""
        return self.clock.unfinished()

    @cached_property
    def held_scene(self) -> "GameScene":
        """The scene of the game as it was before the verdict that is told just now."""
        telling = self.telling
        earlier = None if telling is None else telling.view_before(self.seat)
        if earlier is None:
            return self
        return type(self)(self.context, self.screen, self.shown, earlier, current=self)

    @cached_property
    def shown_scene(self) -> "GameScene":
        """The current scene; the held one if the game is over with the verdict that is told."""
        is_last = self.telling is not None and self.telling.is_last
        return self.held_scene if is_last else self

    @cached_property
    def story(self) -> Story | None:
        """The newest verdict as far as it is told."""
        return self.clock.story_of(self.current.public.verdict)

    # What everyone sees.

    @cached_property
    def players(self) -> tuple[str, ...]:
        """The keys of the players, by seat."""
        return tuple(seat.name for seat in self.public.seats)

    @cached_property
    def phase(self) -> str:
        """The phase of the game."""
        return str(self.public.phase)

    @property
    def is_over(self) -> bool:
        """Whether the game has come to its end."""
        return self.phase == "over"

    @property
    def hands_shown(self) -> bool:
        """Whether players show how far they are with their hands."""
        return self.phase in ("seal", "open")

    @cached_property
    def waiting(self) -> tuple[int, ...]:
        """The seats that are waited for; none in a held scene, or while the game stands still."""
        is_still = self.table.is_stopped if self.page == "table" else self.table.ended
        return () if is_still or self.is_held else tuple(self.public.waiting)

    @property
    def shown_change(self) -> tuple[LogEntry, ChangeSummary] | None:
        """The last change and its moment, while that is one of the last; older ones are in the
        log."""
        last = self.table.change
        moment = next((one for one in self.table.log if last and one.at == last.at), None)
        return (moment, last) if last and moment else None

    @cached_property
    def board_items(self) -> Mapping[str, object]:
        """Items on the board, by their keys."""
        return self.screens.board_items(self.view)

    @cached_property
    def beside(self) -> msgspec.Struct | None:
        """The facts of a game's part `beside` the board, made of the view once for all blocks."""
        return self.screens.beside(self.view) if self.screens.beside else None

    @property
    def places_without_reader(self) -> tuple[tuple[int, Message], ...]:
        """The places without a reader, by name; none if there are no readers at all."""
        if self.is_tap_only:
            return ()
        name_place, public = self.rules.tracking.name_place, self.current.public
        return tuple((n, name_place(public, n)) for n in self.current.table.by_hand)

    @property
    def is_tap_only(self) -> bool:
        """Whether no reader works anywhere, so that everything is tapped."""
        current = self.current
        return len(current.table.by_hand) == count_open_places(current.public)

    @property
    def do_bots_help(self) -> bool:
        """Whether bots do the tasks of all seats; a phone says so."""
        return self.page == "phone" and bool(self.bots and self.bots.played_by_bots())

    # What this seat sees.

    @property
    def me(self) -> Any:
        """Public part of this seat."""
        return self.public.seats[self.seat - 1] if self.seat else None

    @property
    def is_asked(self) -> bool:
        """Whether this seat is waited for."""
        return self.seat in self.waiting

    @property
    def has_turn(self) -> bool:
        """Whether this seat alone is waited for, with nothing in a hand."""
        return self.waiting == (self.seat,) and not (self.hands_shown or self.table.is_stopped)

    @property
    def is_sealing(self) -> bool:
        """Whether this seat may close a hand."""
        return any(may.do == "sealed" for may in self.view.may)


def make_scene(context: AppContext, screen: Screen, shown: Shown | None = None) -> Scene:
    """Return the scene of a screen, now or with the given facts."""
    shown = shown or find_shown(context, screen)
    if shown.view is None:
        return Scene(context, screen, shown)
    return GameScene.of_pages.get(screen.page, GameScene)(context, screen, shown, shown.view)
