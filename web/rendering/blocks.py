"""Blocks: the keyed parts of a page that follows the game, each drawn from its facts alone.

Laws: a block has a name, one template and its facts: the values that it names of the viewer's view
and of what the page adds. Its template sees those, the words of the language and the box, and
nothing else; a name that the block did not ask for is an error. A block is drawn again only when
its facts changed, and a drawn block is shared by all viewers with equal facts and language.
"""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from operator import attrgetter
from types import SimpleNamespace
from typing import Any, NamedTuple

import msgspec
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from web.rendering import templates
from web.rendering.environment import LentModules

Values = tuple[object, ...]
Finder = Callable[[SimpleNamespace, str], object]
"""Finds a fact among all, of the one that a block is about if there are several."""
Key = str
"""The name of a block; of one that is there several times, with what it is of: “spot pile”."""

IF = " if "
"""Between the name of a fact and that of another one, without which it is None."""
ONE = "[]"
"""Ends the name of facts that are there for each of several; the block gets its own as `one`."""
GAME_CONSTANTS = ("box", "title", "heading", "simulated", "recorded", "game_template",
                  "bids_template")  # fmt: skip
"""What every template knows: it is the same as long as this game is on the table."""
CONSTANTS = (*GAME_CONSTANTS, "page", "folder", "calm")
"""What the template of a block knows that is not alike on every page."""
MAX_CACHED = 400
"""Drawn blocks that are kept: enough for all pages before and after a change."""
GAP = Markup(f"<!--{secrets.token_hex(16)}-->")
"""Stands for a block while its frame is drawn; nothing that people type can look like it."""
UNUSED = object()

_encode = msgspec.json.Encoder(enc_hook=str).encode


class Block(msgspec.Struct, frozen=True, dict=True):
    """A part of a page: its template, and the facts that it may be drawn from.

    One that is `folded` lies in a closed <details>: viewers are told only that it has changed, and
    ask for it when it is opened. One that is `alike` is the same on every page, and is shared by
    all of them: its template does not know on which it is. One that is `held` shows the game as it
    was before a verdict, until that is told.
    """

    template: str
    uses: tuple[str, ...]
    folded: bool = False
    alike: bool = False
    held: bool = False

    @property
    def constants(self) -> tuple[str, ...]:
        """The names that its template knows besides its facts and the words."""
        return GAME_CONSTANTS if self.alike else CONSTANTS

    # How its facts are found is worked out once, as they are for each page and event.

    @cached_property
    def find_constants(self) -> Callable[[SimpleNamespace], Values]:
        """Returns the values of the constants."""
        return attrgetter(*self.constants)

    @cached_property
    def find_plain_facts(self) -> Callable[[SimpleNamespace], list[object]]:
        """Returns the facts that are there once and for all."""
        return _find_all([name for name in self.uses if _is_plain(name)])

    @cached_property
    def other_finders(self) -> list[tuple[int, Finder]]:
        """The places of the other facts, each with what finds it."""
        return [
            (at, _make_finder(name)) for at, name in enumerate(self.uses) if not _is_plain(name)
        ]

    @cached_property
    def fact_tree(self) -> "FactTree":
        """Map the dotted names that its template reads to the positions of their facts."""
        paths = (
            ["one"] if name.endswith(ONE) else name.split(IF)[0].split(".") for name in self.uses
        )
        return _grow_tree([(path, at) for at, path in enumerate(paths)], ["view", "public"])


class Layout(msgspec.Struct, frozen=True):
    """A page: the blocks it may have, and the frame around them, which is a block as well."""

    frame: Block
    blocks: Mapping[str, Block]


class FoldedBlock(NamedTuple):
    """A block that is drawn only when it is asked for; two are equal if their facts are."""

    facts: bytes
    draw: Callable[[], str]


Drawn = str | FoldedBlock


class LivePart(msgspec.Struct, frozen=True):
    """What a page shows of the game: the pieces of its frame, and between them its blocks."""

    version: int
    frame: tuple[str, ...]
    facts: dict[Key, Values]
    blocks: dict[Key, Drawn]
    names: tuple[str, ...] = ()
    """The names that the viewer knows: what is drawn says them."""

    @property
    def html(self) -> Markup:
        """The whole, with each block between two comments that name it."""
        parts = [f'<data id="version" value="{self.version}" hidden></data>\n', self.frame[0]]
        for (key, block), piece in zip(self.blocks.items(), self.frame[1:], strict=True):
            html = block if isinstance(block, str) else block.draw()
            parts += (f"<!--block {key}-->", html, f"<!--/block {key}-->", piece)
        return Markup("".join(parts))

    @property
    def digest(self) -> str:
        """A hash of what is shown, the same as long as this process runs; texts remember theirs."""
        contents = tuple([_read_content(block) for block in self.blocks.values()])
        return f"{hash((self.version, self.frame, contents)) % 2**64:016x}"

    def changes_since(self, before: "LivePart") -> dict[Key, str | None] | None:
        """Return the blocks that have changed, None for a folded one; None if the frame itself is
        another one."""
        if self.frame is not before.frame and self.frame != before.frame:
            return None
        was = before.blocks
        if self.blocks.keys() != was.keys():
            return None
        return {
            key: block if isinstance(block, str) else None
            for key, block in self.blocks.items()
            if block is not was[key] and _read_content(block) != _read_content(was[key])
        }


def _read_content(block: Drawn) -> str | bytes:
    return block if isinstance(block, str) else block.facts


class BlockPainter:
    """Draws blocks and frames of one app, and keeps the newest."""

    def __init__(self, env: Environment) -> None:
        self._env = env.overlay(undefined=StrictUndefined)
        self._drawn: OrderedDict[tuple[str, str, str, bytes], Any] = OrderedDict()

    def draw(
        self,
        layout: Layout,
        facts: Mapping[str, object],
        before: LivePart | None = None,
        held_facts: Mapping[str, object] | None = None,
    ) -> LivePart:
        """Draw what a page shows; what did not change is taken from before.

        Held blocks and the frame are drawn from `held_facts` if there are any.
        """
        current = SimpleNamespace(**facts)
        held = current if held_facts is None else SimpleNamespace(**held_facts)
        pieces, keys = self._draw_frame(layout, held)
        found: dict[Key, Values] = {}
        drawn: dict[Key, Drawn] = {}
        old_facts, old_blocks = ({}, {}) if before is None else (before.facts, before.blocks)
        is_same_reader = before is not None and before.names == current.known_names
        for key in keys:
            name, _, of = key.partition(" ")
            block = layout.blocks[name]
            scope = held if block.held else current
            values = found[key] = block_facts(block, scope, of)
            if is_same_reader and old_facts.get(key, UNUSED) == values:
                drawn[key] = old_blocks[key]
            elif block.folded:
                draw = partial(self._draw_block, block, scope, of, values)
                drawn[key] = FoldedBlock(_encode((current.known_names, values)), draw)
            else:
                drawn[key] = self._draw_block(block, scope, of, values)
        view: Any = current.view
        at = view.at if view is not None else 0
        return LivePart(at, pieces, found, drawn, current.known_names)

    def _draw_frame(
        self, layout: Layout, scope: SimpleNamespace
    ) -> tuple[tuple[str, ...], tuple[Key, ...]]:
        """Return the pieces of the frame, and the keys of the blocks between them."""
        values = block_facts(layout.frame, scope)
        cached = self._cache_key(layout.frame, scope, "", values)
        found: tuple[tuple[str, ...], tuple[Key, ...]] | None = self._drawn.get(cached)
        if found is None:
            keys: list[Key] = []

            def place_block(name: str, of: object = "") -> Markup:
                keys.append(f"{name} {of}".rstrip())
                return GAP

            known = template_names(layout.frame, scope, "", values)
            text = self._render(layout.frame.template, known | {"block": place_block})
            found = (tuple((surroundings_data(known, self._env) + text).split(GAP)), tuple(keys))
            self._keep_drawn(cached, found)
        return found

    def _draw_block(self, block: Block, scope: SimpleNamespace, of: str, values: Values) -> str:
        cached = self._cache_key(block, scope, of, values)
        found: str | None = self._drawn.get(cached)
        if found is None:
            found = self._render(block.template, template_names(block, scope, of, values))
            self._keep_drawn(cached, found)
        return found

    def _render(self, template: str, known: dict[str, object]) -> str:
        lent = LentModules()
        text = self._env.get_template(template).render({**known, LentModules.NAME: lent})
        lent.give_back()
        return text

    def _cache_key(
        self, block: Block, scope: SimpleNamespace, of: str, values: Values
    ) -> tuple[str, str, str, bytes]:
        _box, *constants = block.find_constants(scope)  # The title tells one box from another.
        return block.template, scope.lang, of, _encode((constants, scope.known_names, values))

    def _keep_drawn(self, key: tuple[str, str, str, bytes], drawn: object) -> None:
        self._drawn[key] = drawn
        if len(self._drawn) > MAX_CACHED:
            self._drawn.popitem(last=False)


def surroundings_data(known: Mapping[str, Any], env: Environment) -> str:
    """Return the page's data for scripts around the live part: the title in the header, of the box
    or of no game yet; whether the table is calm; the language of the table screen, which the host
    may change while it is out of reach; and the style sheet of the game if it has one, as another
    game may begin while the page is open."""
    calm = " data-calm" if known["calm"] else ""
    lang = f' lang="{known["lang"]}"' if known["page"] == "table" else ""
    title = f'<data id="box" value="{escape(known["heading"])}"{lang}{calm} hidden></data>\n'
    style_of: Any = env.globals["style_of"]
    style = style_of(known["box"].game)
    return f'{title}<link rel="stylesheet" href="{style}">\n' if style else title


def block_facts(block: Block, scope: SimpleNamespace, of: str = "") -> Values:
    """Return the values that a block is drawn from, in the order in which it names them."""
    values = block.find_plain_facts(scope)
    for at, find in block.other_finders:
        values.insert(at, find(scope, of))
    return tuple(values)


def _is_plain(name: str) -> bool:
    return IF not in name and not name.endswith(ONE)


def _find_all(names: Sequence[str]) -> Callable[[SimpleNamespace], list[object]]:
    """Return a function that finds all these facts in one call."""
    if len(names) < 2:
        return lambda scope: [attrgetter(name)(scope) for name in names]
    get: Any = attrgetter(*names)  # Of several names it makes a tuple.
    return lambda scope: [*get(scope)]


def _make_finder(name: str) -> Finder:
    name, _, condition = name.partition(IF)
    get = attrgetter(name.removesuffix(ONE))
    if not condition:
        return lambda scope, of: get(scope).get(of)
    return lambda scope, _of: get(scope) if getattr(scope, condition) else None


class FactTree(NamedTuple):
    """Where a template finds the facts of its block: their names, each with its place among them,
    and the names around others, as “view” around “view.may”."""

    leaves: Sequence[tuple[str, int]]
    branches: Sequence[tuple[str, "FactTree"]]

    def fill(self, values: Sequence[object]) -> dict[str, object]:
        """Return these facts by their names."""
        filled = {name: values[at] for name, at in self.leaves}
        for name, branch in self.branches:
            filled[name] = SimpleNamespace(**branch.fill(values))
        return filled


def _grow_tree(paths: Sequence[tuple[list[str], int]], ever: list[str]) -> FactTree:
    """Return the tree of these paths; the path `ever` is there even if no fact is on it."""
    inner: dict[str, list[tuple[list[str], int]]] = {name: [] for name in ever[:1]}
    for (first, *rest), at in paths:
        if rest:
            inner.setdefault(first, []).append((rest, at))
    branches = [
        (name, _grow_tree(those, ever[1:] if name in ever[:1] else []))
        for name, those in inner.items()
    ]
    return FactTree([(path[0], at) for path, at in paths if not path[1:]], branches)


def template_names(
    block: Block, scope: SimpleNamespace, of: str, values: Sequence[object]
) -> dict[str, object]:
    """Return all names of a block's template: words, constants, and its facts."""
    known: dict[str, object] = {
        **templates.template_words(scope.lang, scope.known_names),
        **dict(zip(block.constants, block.find_constants(scope), strict=True)),
        "of": of,
        **block.fact_tree.fill(values),
    }
    if "players" in known:
        players: Any = known["players"]
        known["names"] = lambda seats: [players[seat - 1] for seat in seats]
    return known
