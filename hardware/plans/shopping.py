"""The parts list: what a table of this wiring needs, how many, and between which prices.

Laws: quantities follow from the wiring. A price is a range in euros with the year in which such
prices were asked; it is there to plan by, and no offer.
"""

import csv
from collections.abc import Iterator
from io import StringIO

import msgspec

from companion.core.i18n import Language, Message, message
from companion.games import list_games
from hardware.plans.measures import Measures
from hardware.wiring.joints import decoder_devices
from hardware.wiring.wires import Wiring

PRICES_OF = "2025"
"""The year of the prices: usual ones of European shops, with tax, without shipping."""
SPARE = 1.1
"""Stickers are bought with a tenth more."""


class Item(msgspec.Struct, frozen=True):
    """A line of the list; the prices are for one piece, in euros."""

    group: Message
    name: Message
    number: int
    least: float
    most: float

    @property
    def cost(self) -> tuple[float, float]:
        """The least and the most that all of them cost."""
        return self.number * self.least, self.number * self.most


def list_items(wiring: Wiring, measures: Measures) -> list[Item]:
    """Return what to buy; a table without wires needs the computer and its screen alone."""
    readers = len(wiring.spi_readers())
    return [
        *_list_computer(),
        *(_list_electronics(wiring, readers) if readers else ()),
        *_list_seat_parts(wiring),
        *(_list_table_parts(measures, readers) if readers else ()),
        *(
            _list_tools()
            if wiring.pin_uses() and (readers or wiring.buttons or wiring.lamps)
            else ()
        ),
    ]


def _list_computer() -> Iterator[Item]:
    group = message("Computer")
    yield Item(group, message("Raspberry Pi 3, 4 or 5 with 40-pin header"), 1, 35, 70)
    yield Item(group, message("its own power supply"), 1, 9, 15)
    yield Item(group, message("microSD card, 16 GB or more, class A1"), 1, 6, 12)
    yield Item(group, message("screen with HDMI for the table, or an old monitor"), 1, 0, 150)
    yield Item(group, message("HDMI cable that fits the Pi (micro-HDMI on a Pi 4 or 5)"), 1, 5, 10)


def _list_electronics(wiring: Wiring, readers: int) -> Iterator[Item]:
    group = message("Readers and their board")
    chips = len(decoder_devices(wiring))
    buses = len({bus for bus, _ in wiring.spi_devices()})
    direct = sum(a.kind == "spidev" for a in wiring.spi_readers().values())
    yield Item(group, message("RC522 reader module with pin strip"), readers, 2, 6)
    yield Item(group, message("3.3 V regulator module, 5 V in, 1 A or more"), 1, 2, 6)
    yield Item(group, message("capacitor 470 µF, 10 V"), 1, 0.2, 0.6)
    yield Item(group, message("capacitor 100 nF"), readers + chips, 0.05, 0.2)
    yield Item(group, message("resistor 33 to 100 ohms, for SCK and MOSI"), 2 * buses, 0.02, 0.1)
    if direct:
        yield Item(group, message("resistor 10 k, for SDA"), direct, 0.02, 0.1)
    if chips:
        yield Item(group, message("74HC138, DIP-16 (HC, not LS)"), chips, 0.4, 1.2)
        yield Item(group, message("socket DIP-16"), chips, 0.2, 0.6)
    yield Item(group, message("stripboard 100 × 160 mm"), 1, 2, 6)
    yield Item(group, message("socket strip, 8 pins, for a module"), readers, 0.3, 0.9)
    yield Item(group, message("socket strip, 2 × 20 pins, with ribbon cable for the Pi"), 1, 3, 7)
    yield Item(group, message("ribbon cable, 8 wires, in metres"), readers, 0.8, 2)


def _list_seat_parts(wiring: Wiring) -> Iterator[Item]:
    group = message("Seats")
    if wiring.buttons:
        yield Item(group, message("push button, normally open"), len(wiring.buttons), 0.8, 3)
    if wiring.lamps:
        yield Item(group, message("LED, 5 mm"), len(wiring.lamps), 0.1, 0.4)
        yield Item(group, message("resistor 330 to 680 ohms"), len(wiring.lamps), 0.02, 0.1)
    seats = max(len(wiring.buttons), len(wiring.lamps))
    if seats:
        yield Item(group, message("two-pin connector with 1 m of wire"), 2 * seats, 0.6, 1.5)


def _list_table_parts(measures: Measures, readers: int) -> Iterator[Item]:
    group = message("Cards and wood")
    pieces = sum(sum(game.standard_box().tagged_pieces().values()) for game in list_games())
    stickers = round(pieces * SPARE)
    size = f"{measures.sticker.diameter:g}"
    text = message("NTAG213 sticker, {size} mm round, for all boxes", size=size)
    yield Item(group, text, stickers, 0.2, 0.5)
    yield Item(group, message("card sleeve with an opaque back"), stickers, 0.04, 0.12)
    yield Item(group, message("tray, printed or cut"), readers, 0.3, 1.5)
    yield Item(group, message("jig for the stickers, printed or cut"), 1, 0.5, 2)
    wood = f"{measures.reader.wood:g}"
    yield Item(group, message("plywood of {size} mm for the top", size=wood), 1, 12, 40)


def _list_tools() -> Iterator[Item]:
    group = message("Tools, if you have none")
    yield Item(group, message("soldering iron with a stand"), 1, 20, 60)
    yield Item(group, message("solder with flux, 0.5 to 1 mm"), 1, 5, 12)
    yield Item(group, message("side cutter and wire stripper"), 1, 8, 25)
    yield Item(group, message("multimeter with a beeper"), 1, 10, 30)
    yield Item(group, message("reader for microSD cards"), 1, 5, 12)


def format_csv(items: list[Item], words: Language) -> str:
    """Return the list for a spreadsheet."""
    out = StringIO()
    table = csv.writer(out, lineterminator="\n")
    heads = (
        message("group"), message("part"), message("number"),
        message("EUR each, from"), message("EUR each, to"), message("year of the prices"),
    )  # fmt: skip
    table.writerow([words(head) for head in heads])
    for item in items:
        prices = (f"{item.least:.2f}", f"{item.most:.2f}", PRICES_OF)
        table.writerow([words(item.group), words(item.name), item.number, *prices])
    return out.getvalue()


def format_markdown(items: list[Item], words: Language) -> str:
    """Return the list as Markdown, with the sum of each group."""
    lines = [f"# {words(message('Parts list'))}", ""]
    text = (
        "Usual prices of European shops in {year}, in euros with tax, without shipping; look again."
    )
    lines += [words(message(text, year=PRICES_OF))]
    for group in dict.fromkeys(words(item.group) for item in items):
        mine = [item for item in items if words(item.group) == group]
        heads = (message("number"), message("part"), message("EUR each"), message("EUR in all"))
        lines += [
            "",
            f"## {group}",
            "",
            _format_row(*(words(head) for head in heads)),
            "|--:|---|--:|--:|",
        ]
        lines += [
            _format_row(
                str(i.number), words(i.name), _format_range(i.least, i.most), _format_range(*i.cost)
            )
            for i in mine
        ]
        lines.append(
            _format_row("", words(message("together")), "", _format_range(*_sum_costs(mine)))
        )
    total = _format_range(*_sum_costs(items))
    lines += ["", words(message("Everything together: {total} EUR.", total=total))]
    return "\n".join(lines) + "\n"


def _sum_costs(items: list[Item]) -> tuple[float, float]:
    return sum(item.cost[0] for item in items), sum(item.cost[1] for item in items)


def _format_row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _format_range(least: float, most: float) -> str:
    return f"{least:.2f}–{most:.2f}"
