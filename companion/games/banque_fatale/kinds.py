"""Banque Fatale before the judge: an auction, a sale, the chips taken back, or the score.

Law: price, ban and order are those of the live table, asked through the same functions.
"""

from collections import Counter
from typing import Any

import msgspec

from companion.core.errors import JsonObject, Malformed
from companion.core.i18n import N_, Message
from companion.core.verdict import Score
from companion.games.banque_fatale import auction
from companion.games.banque_fatale.rules import RULES, BanqueFataleBox
from companion.games.banque_fatale.sale_phase import ChipTurns, Offer, judge_offer, judge_turns
from companion.judge import kinds
from companion.judge.checks import check_seats, shorten
from companion.judge.shapes import ByPlayer, Group, Listed, Owned, Players, Ticked
from companion.judge.values import Case, Choice, Number, Path, Player, Values

MOST_COLOURS = 2
MAY_SELL, MAY_NOT = N_("the card may be sold"), N_("the card cannot be sold")


class Lots(Choice):
    """A card of one or two colours, listed either way round; none where it `may_be_none`."""

    widget = "lots"

    def __init__(
        self, box: BanqueFataleBox, label: str, *, may_be_none: bool = False, asks: str = ""
    ) -> None:
        super().__init__(box.cards, "card", label, asks)
        self.box, self.may_be_none = box, may_be_none
        self.colour = Choice(box.colours, "colour", label)

    def values(self, case: Case, path: Path) -> Values:
        return [card.split("-") for card in self.box.cards]

    def fits(self, value: object, case: Case) -> bool:
        return False

    def read(self, value: Any, at: str, case: Case) -> list[str]:
        if self.may_be_none and value == []:
            return []
        colours = Listed(self.colour).read(value, at, case)
        card = sorted(colours, key=self.box.colours.index)
        is_known = "-".join(card) in self.box.cards
        if not is_known and not ("cards" in self.box.guesses and 1 <= len(card) <= MOST_COLOURS):
            text = N_("{field}: the box holds no card {value}.")
            raise Malformed(at, text, value=shorten("-".join(card)) or "[]")
        return card

    def spell(self, value: Any) -> str:
        return "-".join(sorted(value, key=self.box.colours.index))

    def say(self, value: Any) -> Message:
        return Message("{card}", {"card": self.spell(value)})

    def count(self, value: Any, key: str, counts: Counter[Any]) -> None:
        counts["-".join(value)] += 1

    def schema(self) -> JsonObject:
        _word, *unknown = super().schema()["anyOf"]
        return {"anyOf": [Listed(self.colour).schema(), *unknown]}


def _decide_auction(case: JsonObject) -> auction.Auction:
    held = {name: [*map("-".join, cards)] for name, cards in case.get("holdings", {}).items()}
    told = {name: case[name] for name in ("players", "start", "values", "house_rules", "box")}
    bids = {name: case["bids"][name] for name in case["players"]}
    return auction.resolve_auction(
        auction.Lot(card="-".join(case["card"]), bids=bids, holdings=held, **told)
    )


def _auction_gains(verdict: auction.Auction) -> kinds.Gains:
    """Return the card and the bonuses that an auction brings."""
    return {
        name: {"count": int(name == verdict.winner), "millions": bonus}
        for name, bonus in verdict.bonuses.items()
    }


def _auction_outcomes(verdict: auction.Auction) -> tuple[Message, ...]:
    return (
        Message(N_("the card goes to {who}"), {"who": [verdict.winner]}),
        Message(N_("the first chip is taken back by {who}"), {"who": [verdict.first_pick]}),
        *(
            Message(N_("{colour} stands at {value}"), {"colour": colour, "value": value})
            for colour, value in verdict.values.items()
        ),
    )


def _decide_sale(case: JsonObject) -> Offer:
    card, won, risen = "-".join(case["card"]), "-".join(case.get("won", ())), case.get("risen", ())
    ban = auction.find_ban(card, won, risen, case["house_rules"])
    offer = judge_offer(case["seller"], card, case["values"], *ban)
    guesses = auction.guess_steps([card], case["box"])
    return msgspec.structs.replace(offer, steps=(*guesses, *offer.steps))


def _decide_chips(case: JsonObject) -> ChipTurns:
    """Decide the order in which players take the remaining chips; raise Malformed if more were
    taken than lay."""
    players, taken = case["players"], case.get("taken", [])
    left = {colour: case["chips"].get(colour, 0) for colour in case["box"].colours}
    for n, colour in enumerate(taken):
        if not left[colour]:
            text = N_("{field}: no chip of {colour} was left then.")
            raise Malformed(f"taken[{n}]", text, colour=colour)
        left[colour] -= 1
    first = players.index(case["winner"]) + 1 + len(taken)
    turns = tuple(players[(first + n) % len(players)] for n in range(sum(left.values())))
    return judge_turns(case["winner"], turns, left)


def _chip_outcomes(verdict: ChipTurns) -> tuple[Message, ...]:
    who = list(verdict.turns[:1])
    text = N_("the next chip is taken by {who}") if who else N_("every chip has been taken back")
    return (Message(text, {"who": who}),)


def _decide_score(case: JsonObject) -> Score:
    """Count the score of a table, or the fortune of one player alone."""
    if len(case["funds"]) > 1:
        check_seats(len(case["funds"]), "funds", case["box"])
    spelled = {name: [*map("-".join, one["cards"])] for name, one in case["funds"].items()}
    funds = {name: {**one, "cards": spelled[name]} for name, one in case["funds"].items()}
    return auction.count_score(funds, case["values"], case["house_rules"], case["box"])


PLAYERS = ["Ana", "Ben", "Cem"]
VALUES = {"red": 8, "yellow": 2, "green": 6, "blue": 7, "orange": 5}
"""Values of the examples."""


def _every_card(box: BanqueFataleBox, *fields: str) -> kinds.Held:
    """Return the limit of one of each card."""
    return kinds.Held(fields, box.tagged_pieces(), "cards" in box.guesses)


def _value_track(box: BanqueFataleBox, asks: str, *, is_end: bool = False) -> Group:
    """Return a value for each colour; above the line only at the end, where each is known."""
    most = box.track.most if is_end else min(box.track.bonus) - 1
    value = Number(
        N_("the value of {colour}"), least=box.track.least, most=most, start=box.track.start,
        may_be_open=not is_end,
    )  # fmt: skip
    return Group(dict.fromkeys(box.colours, value), word="colour", asks=asks)


def _chips_by_colour(box: BanqueFataleBox, label: str, asks: str = "") -> Group:
    """Return a number of chips of some colours: those of one hand, or, if asked for by
    themselves, those of all."""
    numbers = {n: Number(label, most=most, may_be_open=bool(asks)) for n, most in box.chips.items()}
    return Group(numbers, sparse=True, word="colour", by_taps=not asks, asks=asks)


def make_kinds(box: BanqueFataleBox) -> kinds.Kinds:
    """Return the kinds of dispute at tables with this box."""
    risen = Choice(box.colours, "colour", N_("a colour that rose in this round"))
    taken = Choice(box.colours, "colour", N_("a chip taken so far"))
    chips = sum(box.chips.values())
    fortune = {
        "cash": Number(
            N_("the cash of {who}"), likely=range(box.count_money() + 1),
            short=N_("cash in millions"),
        ),
        "chips": Number(N_("the chips of {who}"), most=chips, short=N_("chips")),
        "cards": Owned(Lots(box, N_("a card of {who}"))),
    }  # fmt: skip
    return kinds.name_kinds(
        box,
        RULES.deciding,
        auction=kinds.Kind(
            resolve=_decide_auction,
            question=N_("An auction: who gets the card, what do the colours do?"),
            heading=N_("The auction"),
            example={
                "players": PLAYERS,
                "start": "Ana",
                "bids": {"Ana": {"red": 1, "blue": 2}, "Ben": {}, "Cem": {"green": 1}},
                "values": dict.fromkeys(VALUES, 6),
                "card": ["red", "green"],
                "holdings": {"Ana": [["red"]]},
                "house_rules": {"unplayed": "to_minimum", "tied_for_most": "all_rise"},
            },
            fields={
                "players": Players(full=True),
                "card": Lots(box, N_("the auctioned card"), asks=N_("Which card is auctioned?")),
                "start": Player(N_("the start player"), asks=N_("Who is the start player?")),
                "bids": ByPlayer(
                    _chips_by_colour(box, N_("the {colour} chips of {who}")),
                    who="players", whole=True, asks=N_("Which chips did everyone hold?"),
                ),
                "values": _value_track(box, N_("Where did the markers stand before?")),
                "holdings": ByPlayer(
                    Owned(Lots(box, N_("a card of {who}"))), who="players",
                    asks=N_("Which cards lie in front of whom?"),
                ),
            },
            optional=("holdings",),
            holds=(kinds.Held(("bids",), box.chips), _every_card(box, "card", "holdings")),
            gains=_auction_gains,
            outcomes=_auction_outcomes,
            decision=kinds.Decision(
                "bids", N_("Which chips would {who} have had to hold?"),
                N_("{who} had held {choice} of {colour}"),
            ),
        ),
        sale=kinds.Kind(
            resolve=_decide_sale,
            question=N_("A sale: may this card be sold, and for how much?"),
            heading=N_("The sale"),
            example={
                "players": PLAYERS,
                "seller": "Ana",
                "card": ["red", "green"],
                "values": VALUES,
                "won": ["blue"],
                "risen": ["red"],
                "house_rules": {"sale_ban": "just_won"},
            },
            fields={
                "players": Players(full=True),
                "card": Lots(box, N_("the card to be sold"), asks=N_("Which card is to be sold?")),
                "seller": Player(N_("the seller"), asks=N_("Who sells it?")),
                "won": Lots(
                    box, N_("the card won in this round"), may_be_none=True,
                    asks=N_("Which card was won in this round?"),
                ),
                "risen": Ticked(risen, asks=N_("Which colours rose in this round?")),
                "values": _value_track(box, N_("Where do the markers stand?")),
            },
            optional=("won", "risen"),
            gains=lambda offer: {offer.seller: {"millions": offer.price if offer.allowed else 0}},
            outcomes=lambda offer: (Message(MAY_SELL if offer.allowed else MAY_NOT),),
            is_plain=True,
        ),
        chips=kinds.Kind(
            resolve=_decide_chips,
            question=N_("Chips taken back: who takes the next one?"),
            heading=N_("The chips"),
            example={
                "players": PLAYERS,
                "winner": "Ana",
                "chips": {"red": 2, "yellow": 0, "green": 1, "blue": 1, "orange": 0},
                "taken": ["red"],
            },
            fields={
                "players": Players(full=True),
                "winner": Player(N_("the winner of the card"), asks=N_("Who won the card?")),
                "chips": _chips_by_colour(
                    box, N_("the {colour} chips on the table"),
                    N_("Which chips were shown, by all together?"),
                ),
                "taken": Listed(
                    taken, below="chips", asks=N_("Which of them have been taken back?")
                ),
            },
            optional=("taken",),
            holds=(kinds.Held(("chips",), box.chips),),
            outcomes=_chip_outcomes,
            is_plain=True,
        ),
        score=kinds.score_kind(
            "millions",
            resolve=_decide_score,
            example={
                "values": VALUES,
                "funds": {
                    "Ana": {"cash": 20, "chips": 7, "cards": [["red"], ["red", "blue"]]},
                    "Ben": {"cash": 31, "chips": 12, "cards": []},
                    "Cem": {"cash": 24, "chips": 9, "cards": [["green"]]},
                },
                "house_rules": {"chips_at_end": "one_million"},
            },
            fields={
                "values": _value_track(box, N_("Where do the markers stand?"), is_end=True),
                "funds": ByPlayer(Group(fortune), asks=kinds.FORTUNES),
            },
            holds=(_every_card(box, "funds"), kinds.Held(("funds",), {"chips": chips})),
        ),
    )  # fmt: skip
