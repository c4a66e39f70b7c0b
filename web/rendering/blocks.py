"""Blocks: the keyed parts of a page that follows the game, each drawn from its facts alone.

Laws: a block is a template and one function, which makes of a scene the frozen struct that the
template is drawn from. The template sees the fields of that struct, what every page knows
(`Surroundings`) and the words of its language, and nothing else; any other name is an error. A
block is drawn again only when its struct is another one, and a drawn block is shared by all viewers
with equal structs and the same language.
"""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, NamedTuple

import msgspec
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from web.rendering.game_words import style_of
from web.rendering.scene import Facts, Scene, Surroundings

Key = str
"""The name of a block; of one that is there several times, with what it is of: “spot pile”."""

FRAME: Key = ""
"""The frame among the facts of a live part."""

DrawnKey = tuple[str, str, tuple[object, ...], bytes]
"""Key of a drawn block: its template, its owner, its surroundings, and its facts."""

MAX_CACHED = 400
"""Drawn blocks that are kept: enough for all pages before and after a change."""
GAP = Markup(f"<!--{secrets.token_hex(16)}-->")
"""Stands for a block while its frame is drawn; nothing that people type can look like it."""

_encode = msgspec.json.Encoder(enc_hook=str).encode


class Block(NamedTuple):
    """A part of a page: its template, and the function that makes its facts of a scene; of one that
    is there several times, of a scene and of which it is.

    One that is `folded` lies in a closed <details>: viewers are told only that it has changed, and
    ask for it when it is opened. One that is `held` shows the game as it was before a verdict,
    until that is told.
    """

    template: str
    facts: Callable[..., Facts] = Facts.find
    folded: bool = False
    held: bool = False


class Layout(NamedTuple):
    """A page: the block around the part that follows the game, the frame of that part, None where
    nothing does, and the blocks that the frame may place."""

    page: Block
    frame: Block | None = None
    blocks: Mapping[str, Block] = {}


MakeLayout = Callable[[str], Layout]
"""Returns the layout of a page in a game, or with no game ("") before one."""
_LAYOUTS: dict[str, MakeLayout] = {}


def lays_out(*pages: str) -> Callable[[MakeLayout], MakeLayout]:
    """Register the function that returns the layout of these pages."""

    def register(make: MakeLayout) -> MakeLayout:
        _LAYOUTS.update(dict.fromkeys(pages, make))
        return make

    return register


def lay_out(page: str, layout: Layout) -> None:
    """Register the layout of a page that is the same in every game, and before one."""
    _LAYOUTS[page] = lambda _game: layout


@cache
def layout_of(page: str, game: str) -> Layout:
    """Return the layout of a page in this game, or with no game (""), before one."""
    return _LAYOUTS[page](game)


class FoldedBlock(NamedTuple):
    """A block that is drawn only when it is asked for; two are equal if their facts are."""

    facts: bytes
    draw: Callable[[], str]


Drawn = str | FoldedBlock


class LivePart(msgspec.Struct, frozen=True):
    """The live part of a page: the pieces of its frame, and between them its blocks."""

    version: int
    frame: tuple[str, ...]
    facts: dict[Key, Facts]
    blocks: dict[Key, Drawn]
    around: tuple[object, ...] = ()
    """Key of the surroundings it was drawn in."""

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
        """A hash of the shown facts, stable while this process runs; texts cache theirs."""
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
        self._drawn: OrderedDict[DrawnKey, Any] = OrderedDict()

    def draw(
        self, layout: Layout, scene: Scene, before: LivePart | None, found: dict[Key, Facts]
    ) -> LivePart:
        """Draw the live part of a page; unchanged blocks are taken from before, and the facts that
        are found already from there."""
        current, held = scene.shown_scene, scene.held_scene
        around, frame = scene.surroundings, layout.frame
        assert frame is not None
        before = before if before is not None and before.around == around.key else None
        if FRAME not in found:
            found[FRAME] = frame.facts(held if frame.held else current)
        drawn: dict[Key, Drawn] = {}
        if before is not None and before.facts[FRAME] == found[FRAME]:
            pieces, keys = before.frame, tuple(before.blocks)
        else:
            pieces, keys = self._draw_frame(frame, around, found[FRAME])
        for key in keys:
            name, _, of = key.partition(" ")
            block = layout.blocks[name]
            if key not in found:
                shown = held if block.held else current
                found[key] = block.facts(shown, of) if of else block.facts(shown)
            facts = found[key]
            if before is not None and before.facts.get(key) == facts:
                drawn[key] = before.blocks[key]
            elif block.folded:
                draw = partial(self._draw_block, block, around, of, facts)
                drawn[key] = FoldedBlock(_encode((around.known_names, facts)), draw)
            else:
                drawn[key] = self._draw_block(block, around, of, facts)
        return LivePart(scene.version, pieces, found, drawn, around.key)

    def _draw_frame(
        self, frame: Block, around: Surroundings, facts: Facts
    ) -> tuple[tuple[str, ...], tuple[Key, ...]]:
        """Return the pieces of the frame, and the keys of the blocks between them."""
        cached = _cache_key(frame, around, "", facts)
        found: tuple[tuple[str, ...], tuple[Key, ...]] | None = self._drawn.get(cached)
        if found is None:
            keys: list[Key] = []

            def place_block(name: str, of: object = "") -> Markup:
                keys.append(f"{name} {of}".rstrip())
                return GAP

            known = template_names(around, facts) | {"block": place_block}
            text = surroundings_data(around) + self._render(frame, known)
            found = (tuple(text.split(GAP)), tuple(keys))
            self._keep_drawn(cached, found)
        return found

    def _draw_block(self, block: Block, around: Surroundings, of: str, facts: Facts) -> str:
        cached = _cache_key(block, around, of, facts)
        found: str | None = self._drawn.get(cached)
        if found is None:
            found = self._render(block, template_names(around, facts) | {"of": of})
            self._keep_drawn(cached, found)
        return found

    def _render(self, block: Block, known: dict[str, object]) -> str:
        return self._env.get_template(block.template).render(known)

    def _keep_drawn(self, key: DrawnKey, drawn: object) -> None:
        self._drawn[key] = drawn
        if len(self._drawn) > MAX_CACHED:
            self._drawn.popitem(last=False)


def _cache_key(block: Block, around: Surroundings, of: str, facts: Facts) -> DrawnKey:
    return block.template, of, around.key, _encode(facts)


def surroundings_data(around: Surroundings) -> str:
    """Return the page's data for scripts around the live part: the title in the header, of the box
    or of no game yet; whether the table is calm; the language of the table screen, which the host
    may change while it is out of reach; and the style sheet of the game if it has one, as another
    game may begin while the page is open."""
    calm = " data-calm" if around.calm else ""
    lang = f' lang="{around.lang}"' if around.page == "table" else ""
    title = f'<data id="box" value="{escape(around.heading)}"{lang}{calm} hidden></data>\n'
    style = style_of(around.box.game)
    return f'{title}<link rel="stylesheet" href="{style}">\n' if style else title


def template_names(around: Surroundings, facts: Facts) -> dict[str, object]:
    """Return all names of a template: words, the facts of every page, and its own."""
    return around.names | facts.by_name()
