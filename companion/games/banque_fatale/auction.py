"""Resolve an auction and a sale: winner, values of the colours, bonuses, price.

Law: this is the only place that knows how an auction ends. The live table and a dispute entered as
a case both ask it, and it needs nothing but what it is given. A verdict can be computed again from
its steps.
"""

from collections.abc import Mapping, Sequence

import msgspec

from companion.core.i18n import N_
from companion.core.verdict import HouseRule, Verdict, VerdictStep, step
from companion.games.banque_fatale.box import BanqueFataleBox


def card_worth(card: str, values: Mapping[str, int]) -> int:
    """Return the value in millions; the double red counts red twice."""
    return sum(values[colour] for colour in card.split("-"))


class Auction(Verdict, frozen=True, tag="auction"):
    """How an auction ended; `risen` are the colours whose value went up."""

    winner: str
    values: dict[str, int]
    bonuses: dict[str, int]
    first_pick: str
    chips_on_table: int
    risen: tuple[str, ...]


class Lot(msgspec.Struct, frozen=True):
    """The card on auction, the players clockwise, their chips, and what they own."""

    players: Sequence[str]
    start: str
    bids: Mapping[str, Mapping[str, int]]
    values: Mapping[str, int]
    card: str
    holdings: Mapping[str, Sequence[str]]
    house_rules: Mapping[str, str]
    box: BanqueFataleBox

    def from_start(self) -> list[str]:
        """Return the players clockwise, the start player first."""
        at = list(self.players).index(self.start)
        return [*self.players[at:], *self.players[:at]]


def resolve_auction(lot: Lot) -> Auction:
    steps = [step("F.auction", "The bids: {fists}.", fists=lot.bids)]
    winner = _find_winner(lot, steps)
    shown = {c: sum(bid.get(c, 0) for bid in lot.bids.values()) for c in lot.box.colours}
    values, risen = _move_markers(lot, shown, steps)
    bonuses = _pay_bonuses(lot, winner, values, steps)
    first_pick = lot.players[(list(lot.players).index(winner) + 1) % len(lot.players)]
    chips = sum(shown.values())
    _take_back(chips, first_pick, steps)
    return Auction(tuple(steps), winner, values, bonuses, first_pick, chips, risen)


def _find_winner(lot: Lot, steps: list[VerdictStep]) -> str:
    totals = {name: sum(lot.bids[name].values()) for name in lot.from_start()}
    most = max(totals.values())
    best = [name for name, total in totals.items() if total == most]
    if len(best) > 1:
        text = "Tie with {chips}: {who}."
        steps.append(step("F.auction.tie", text, who=best, chips=most))
        text = "{who} wins the card {card}: first of them clockwise from {begins}."
        facts = {"card": lot.card, "who": [best[0]], "begins": lot.start}
        steps.append(step("F.auction.tie", text, None, **facts))
    else:
        text = "{who} wins the card {card} with {chips}."
        steps.append(step("F.auction", text, card=lot.card, who=best, chips=most))
    return best[0]


def _move_markers(
    lot: Lot, shown: Mapping[str, int], steps: list[VerdictStep]
) -> tuple[dict[str, int], tuple[str, ...]]:
    """Move every marker; return the values after that, and the colours that rose."""
    tied, house_of_tied = _find_tied(lot, shown)
    risen = () if house_of_tied and house_of_tied.value == "none_rises" else tied
    values = {}
    for colour, n in shown.items():
        before = lot.values[colour]
        after, text, house = _move_marker(lot, before, n, colour in risen)
        house = house_of_tied if (colour,) == tied[:1] else house
        values[colour] = after
        facts = {"colour": colour, "chips": n, "before": before, "after": after}
        steps.append(VerdictStep("F.track", text, facts, house))
    return values, risen


def _find_tied(lot: Lot, shown: Mapping[str, int]) -> tuple[tuple[str, ...], HouseRule | None]:
    """Return the colours with the most chips, two at least; with three or more of them, the house
    rule that decides about them."""
    most = max(shown.values())
    tied = tuple(c for c, n in shown.items() if n == most and n >= 2)
    if len(tied) <= 2:
        return tied, None
    return tied, HouseRule("tied_for_most", lot.house_rules["tied_for_most"])


def _move_marker(lot: Lot, before: int, n: int, rises: bool) -> tuple[int, str, HouseRule | None]:
    """Return where one marker goes, the text, and the house rule that decided it."""
    track = lot.box.track
    if rises:
        after = min(before + track.up, track.most)
        return after, N_("{colour:C}: {chips}, the most; up from {before} to {after}."), None
    if n == 1:
        after = max(before - track.down, track.least)
        if after == before:
            return after, N_("{colour:C}: a single chip, stays at {after}."), None
        return after, N_("{colour:C}: a single chip, down from {before} to {after}."), None
    if n:
        return before, N_("{colour:C}: {chips}, stays at {after}."), None
    return _drop_unplayed(lot, before)


def _drop_unplayed(lot: Lot, before: int) -> tuple[int, str, HouseRule | None]:
    """Return how far an unplayed colour falls; where both answers agree, no house rule decides."""
    least, fall = lot.box.track.least, lot.box.track.fall
    house = lot.house_rules["unplayed"]
    ways = {"to_minimum": least, "minus_two": max(before - fall, least)}
    if before == least:
        return before, N_("{colour:C}: no chips, stays at {after}."), None
    decided = len(set(ways.values())) > 1
    text = "{colour:C}: no chips, falls from {before} to {after}."
    return ways[house], text, HouseRule("unplayed", house) if decided else None


def count_aces(cards: Sequence[str], colour: str) -> int:
    """Count the aces of a colour on these cards; the double red shows two."""
    return sum(card.split("-").count(colour) for card in cards)


def _pay_bonuses(
    lot: Lot, winner: str, values: dict[str, int], steps: list[VerdictStep]
) -> dict[str, int]:
    """Pay every ace of a colour above the line, and set its marker back."""
    bonuses = dict.fromkeys(lot.players, 0)
    shown = {**dict.fromkeys(lot.players, ()), **lot.holdings}
    shown[winner] = (*shown[winner], lot.card)
    for colour, value in values.items():
        each = lot.box.track.bonus.get(value)
        if each is not None:
            text = "Bonus: {colour} stands at {value}, so every ace in {colour} pays {each}."
            steps.append(step("F.bonus", text, colour=colour, value=value, each=each))
            for name, n in ((name, count_aces(cards, colour)) for name, cards in shown.items()):
                bonuses[name] += n * each
                steps += _bonus_step(name, n, colour, each)
            values[colour] = lot.box.track.start
            text = "{colour:C} goes back to {after}."
            steps.append(step("F.bonus", text, colour=colour, after=values[colour]))
    return bonuses


def _bonus_step(name: str, n: int, colour: str, each: int) -> list[VerdictStep]:
    if not n:
        return []
    text = "{who} has {aces} in {colour} and gets {millions}."
    facts = {"who": [name], "aces": n, "colour": colour, "millions": n * each}
    return [step("F.bonus", text, None, **facts)]


def _take_back(chips: int, first_pick: str, steps: list[VerdictStep]) -> None:
    if chips:
        text = "{chips} in the middle. Take them back one at a time, clockwise; {who} begins."
        steps.append(step("F.chips", text, chips=chips, who=[first_pick]))
    else:
        steps.append(step("F.chips", "There are no chips in the middle.", chips=0))


class Sale(Verdict, frozen=True, tag="sale"):
    """Who sold which card ("" for none) for how many millions."""

    seller: str
    card: str
    price: int


def resolve_sale(seller: str, card: str, values: Mapping[str, int], then: str | None) -> Sale:
    """Resolve the sale of a card, or of none; `then` leads the next round, if there is one."""
    steps, price = [], 0
    if card:
        price = card_worth(card, values)
        parts = {colour: values[colour] for colour in card.split("-")}
        text = "{who} sells {card} for {millions} ({by_colour})."
        facts = {"who": [seller], "card": card, "millions": price, "by_colour": parts}
        steps.append(step("F.sell", text, None, **facts))
    else:
        steps.append(step("F.sell", "{who} sells nothing.", who=[seller]))
    return Sale((*steps, *_next_starter_step(then)), seller, card, price)


def _next_starter_step(then: str | None) -> tuple[VerdictStep, ...]:
    if then is None:
        return ()
    return (step("F.next", "The next start player is {who}.", who=[then]),)
