"""Resolve an auction, a sale and the end: winner, values of the colours, bonuses, price, score.

Law: this is the only place that knows how an auction ends. The live table and a dispute entered as
a case both ask it, and it needs nothing but its arguments.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from companion.core.i18n import N_
from companion.core.verdict import HouseRule, Score, Verdict, VerdictStep, find_winners, step
from companion.games.banque_fatale.rules import BanqueFataleBox
from companion.games.rule_texts import NOT_AS_GUESSED


def card_worth(card: str, values: Mapping[str, int]) -> int:
    """Return the value in millions; the double red counts red twice."""
    return sum(values[colour] for colour in card.split("-"))


def guess_steps(cards: Iterable[str], box: BanqueFataleBox) -> list[VerdictStep]:
    """Name the cards at a table that our guess of the box has not, or not so often."""
    odd = [card for card, n in Counter(cards).items() if n > box.cards.count(card)]
    if not odd or "cards" not in box.guesses:
        return []
    return [step("F.setup", NOT_AS_GUESSED, None, box.guesses["cards"], gone=odd)]


class Auction(Verdict, frozen=True, tag="auction"):
    """Result of an auction; `risen` are the colours whose value went up."""

    winner: str
    values: dict[str, int]
    bonuses: dict[str, int]
    first_pick: str
    chips_on_table: int
    risen: tuple[str, ...]


class Lot(msgspec.Struct, frozen=True):
    """The card on auction, the players clockwise, their chips and their cards."""

    players: Sequence[str]
    start: str
    bids: Mapping[str, Mapping[str, int]]
    values: Mapping[str, int]
    card: str
    holdings: Mapping[str, Sequence[str]]
    house_rules: Mapping[str, str]
    box: BanqueFataleBox


def resolve_auction(lot: Lot) -> Auction:
    cards = [lot.card, *(card for held in lot.holdings.values() for card in held)]
    steps = [*guess_steps(cards, lot.box), step("F.auction", "The bids: {fists}.", fists=lot.bids)]
    winner = _find_winner(lot, steps)
    shown = {c: sum(bid.get(c, 0) for bid in lot.bids.values()) for c in lot.box.colours}
    values, risen = _move_markers(lot, shown, steps)
    bonuses = _pay_bonuses(lot, winner, values, steps)
    first_pick = lot.players[(list(lot.players).index(winner) + 1) % len(lot.players)]
    chips = sum(shown.values())
    if chips:
        text = "{chips} in the middle. Take them back one at a time, clockwise; {who} begins."
        steps.append(step("F.chips", text, chips=chips, who=[first_pick]))
    else:
        steps.append(step("F.chips", "There are no chips in the middle.", chips=0))
    return Auction(tuple(steps), winner, values, bonuses, first_pick, chips, risen)


def _find_winner(lot: Lot, steps: list[VerdictStep]) -> str:
    at = list(lot.players).index(lot.start)
    from_start = (*lot.players[at:], *lot.players[:at])
    totals = {name: sum(lot.bids[name].values()) for name in from_start}
    most = max(totals.values())
    best = [name for name, total in totals.items() if total == most]
    if len(best) > 1:
        text = "Tie with {chips}: {who}."
        steps.append(step("F.auction.tie", text, who=best, chips=most))
        text = "{who} wins the card {card}: first of them clockwise from {begins}."
        ruling = ("F.auction.three" if most else "F.nothing",) if len(best) > 2 else ()
        facts = {"card": lot.card, "who": [best[0]], "begins": lot.start}
        steps.append(step("F.auction.tie", text, None, *ruling, **facts))
    else:
        text = "{who} wins the card {card} with {chips}."
        steps.append(step("F.auction", text, card=lot.card, who=best, chips=most))
    return best[0]


def _move_markers(
    lot: Lot, shown: Mapping[str, int], steps: list[VerdictStep]
) -> tuple[dict[str, int], tuple[str, ...]]:
    """Move every marker; return the values after that, and the colours that rose: those with the
    most chips, two at least, unless three or more tie and the house rule has none of them rise."""
    most = max(shown.values())
    tied = tuple(colour for colour, n in shown.items() if n == most and n >= 2)
    answer = lot.house_rules["tied_for_most"]
    house_of_tied = HouseRule("tied_for_most", answer) if len(tied) > 2 else None
    risen = () if house_of_tied and answer == "none_rises" else tied
    values = {}
    for colour, n in shown.items():
        before = lot.values[colour]
        after, text, house, stops = _move_marker(lot, before, n, colour in risen)
        house = house_of_tied if (colour,) == tied[:1] else house
        values[colour] = after
        facts = {"colour": colour, "chips": n, "before": before, "after": after}
        steps.append(VerdictStep("F.track", text, facts, house, stops))
    return values, risen


def _move_marker(
    lot: Lot, before: int, n: int, rises: bool
) -> tuple[int, str, HouseRule | None, tuple[str, ...]]:
    """Return one marker's new value, the text, the house rule where its answers differ, and the
    ruling by which it stays on the track."""
    track, unplayed = lot.box.track, lot.house_rules["unplayed"]
    if rises:
        text = N_("{colour:C}: {chips}, the most; up from {before} to {after}.")
        return min(before + track.up, track.most), text, None, ()
    if n > 1:
        return before, N_("{colour:C}: {chips}, stays at {after}."), None, ()
    ways = {"to_minimum": track.least, "minus_two": before - track.fall}
    to = before - track.down if n else ways[unplayed]
    after = max(to, track.least)
    stops = ("F.track.least",) if to < track.least else ()
    if n and after == before:
        text = N_("{colour:C}: a single chip, stays at {after}.")
    elif n:
        text = N_("{colour:C}: a single chip, down from {before} to {after}.")
    elif after == before:
        text = N_("{colour:C}: no chips, stays at {after}.")
    else:
        text = N_("{colour:C}: no chips, falls from {before} to {after}.")
    decided = not n and len({max(way, track.least) for way in ways.values()}) > 1
    return after, text, HouseRule("unplayed", unplayed) if decided else None, stops


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
            aces = {name: count_aces(cards, colour) for name, cards in shown.items()}
            for name, n in aces.items():
                bonuses[name] += n * each
                facts = {"who": [name], "aces": n, "colour": colour, "millions": n * each}
                won = ("F.bonus.won",) if name == winner and colour in lot.card.split("-") else ()
                text = "{who} has {aces} in {colour} and gets {millions}."
                steps += [step("F.bonus", text, None, *won, **facts)] if n else []
            values[colour] = lot.box.track.start
            text = "{colour:C} goes back to {after}."
            unowned = () if any(aces.values()) else ("F.bonus.reset",)
            steps.append(step("F.bonus", text, None, *unowned, colour=colour, after=values[colour]))
    return bonuses


def find_ban(
    card: str, won: str, risen: Collection[str], house_rules: Mapping[str, str]
) -> tuple[bool, HouseRule | None]:
    """Return whether a card cannot be sold in this round, after this win and these rises; and the
    house rule, where its answers differ."""
    answer = house_rules["sale_ban"]
    bans = {"just_won": card == won, "just_risen": any(c in risen for c in card.split("-"))}
    house = HouseRule("sale_ban", answer) if bans["just_won"] != bans["just_risen"] else None
    return bans[answer], house


class Sale(Verdict, frozen=True, tag="sale"):
    """A seller, the card sold ("" for none) and its price in millions."""

    seller: str
    card: str
    price: int


def resolve_sale(seller: str, card: str, values: Mapping[str, int], then: str | None) -> Sale:
    """Resolve the sale of a card, or of none; `then` leads the next round, if there is one."""
    price = card_worth(card, values) if card else 0
    if card:
        parts = {colour: values[colour] for colour in card.split("-")}
        text = "{who} sells {card} for {millions} ({by_colour})."
        facts = {"who": [seller], "card": card, "millions": price, "by_colour": parts}
        steps = [step("F.sell", text, None, **facts)]
    else:
        steps = [step("F.sell", "{who} sells nothing.", who=[seller])]
    if then is not None:
        steps.append(step("F.next", "The next start player is {who}.", who=[then]))
    return Sale(tuple(steps), seller, card, price)


def count_score(
    funds: Mapping[str, Mapping[str, Any]],
    values: Mapping[str, int],
    house_rules: Mapping[str, str],
    box: BanqueFataleBox,
) -> Score:
    """Count everyone's fortune: cash, chips and cards. The most wins."""
    steps = guess_steps([card for own in funds.values() for card in own["cards"]], box)
    counted = house_rules["chips_at_end"] == "one_million"
    totals = {name: _count_player(name, f, values, counted, steps) for name, f in funds.items()}
    best = find_winners(totals)
    text = "The win goes to {who}, with {millions}."
    tied = ("F.ties",) if len(best) > 1 else ()
    steps.append(step("F.end", text, None, *tied, who=list(best), millions=totals[best[0]]))
    return Score(tuple(steps), totals, best)


def _count_player(
    name: str,
    fortune: Mapping[str, Any],
    values: Mapping[str, int],
    counted: bool,
    steps: list[VerdictStep],
) -> int:
    cash, chips, cards = fortune["cash"], fortune["chips"], fortune["cards"]
    sold = sum(card_worth(card, values) for card in cards)
    total: int = cash + sold + (chips if counted else 0)
    if cards:
        prices = {card: card_worth(card, values) for card in cards}
        shown = {"cards": list(prices), "prices": prices, "values": dict(values)}
        steps.append(step("F.end", "The cards of {who}: {prices}.", None, who=[name], **shown))
    facts = {"who": [name], "cash": cash, "chips": chips, "cards_worth": sold, "total": total}
    if counted:
        text = "{who}: cash {cash}, a million each for {chips}, cards {cards_worth}: {total}."
    else:
        text = "{who}: cash {cash}, nothing for {chips}, cards {cards_worth}: {total}."
    house = HouseRule("chips_at_end", "one_million" if counted else "nothing")
    steps.append(VerdictStep("F.end", text, facts, house if chips else None))
    return total
