"""One-line strategies, 25 a game, and how each fares among our bots, by the rules alone.

A strategy lists its differences from our bots, phase by phase; all else it does as they do. `python
-m bench.one_liners 1000` plays this many games with each; with names behind it, only those games or
strategies.
"""

import sys
from collections.abc import Callable, Sequence
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

from companion.bots import BotView, CloseHand, Decision, Decisions, PieceMove
from companion.bots.bot import Bot
from companion.core.events import Passed
from companion.games import find_game, make_rulebook
from companion.games.banque_fatale.auction import card_worth, count_aces
from companion.games.robby_solo.state import Declared, Kept, WentOn
from tests.worlds.bot_evening import Seated, share_of_win

Number = Callable[[BotView], float]
Bank = Callable[[BotView], str]

BAR = 1.10
"""No strategy may have an interval above this share."""
SEATS = 4
CERTAINTY = 1.96
"""Standard errors of an interval of 95 %, to either side."""


def times(number: float, of: Number = lambda _: 1) -> Number:
    """Return a part or a multiple of another number, or itself."""
    return lambda s: number * of(s)


# Banküberfall


def known(s: BotView, bank: int) -> list[str]:
    own = [card["card"] for card in s.mine.cards if card["bank"] == bank]
    return [*(card for card in s.public.banks[bank - 1] if card), *own]


def money(cards: list[str]) -> int:
    return sum(int(card) for card in cards if card.isdecimal())


def loot(s: BotView) -> float:
    """Return the money that it knows of, and an average for each other card."""
    seen = known(s, s.public.figure)
    return money(seen) + 2.4 * (lying(s) - len(seen))


def lying(s: BotView) -> int:
    return len(s.public.banks[s.public.figure - 1])


def bids(s: BotView) -> list[int]:
    return list((s.facts_told("B.bid", "tally") or [{"": 3}])[-1].values())


def bid(number: Number) -> Decisions:
    return {"seal": lambda s: CloseHand(max(0, min(round(number(s)), s.mine.coins)))}


def rob_fullest(s: BotView) -> Decision:
    banks = [choice["bank"] for choice in s.choices_for("bank_chosen")]
    fullest = max(banks, key=lambda bank: len(s.public.banks[bank - 1]))
    return PieceMove("bank_chosen", {"bank": fullest})


def lay_at_home(s: BotView) -> Decision:
    return PieceMove("card_placed", {"bank": s.seat, "card": max(s.hand, key=lambda c: money([c]))})


def near_police(s: BotView) -> bool:
    return not {"policeman", "thief"}.isdisjoint(known(s, s.public.figure))


BANKUEBERFALL: dict[str, Decisions] = {
    **{f"{n} coins": bid(times(n)) for n in (0, 1, 2, 3, 4, 6, 10)},
    **{f"{p} % of its coins": bid(times(p / 100, lambda s: s.mine.coins)) for p in (25, 50, 100)},
    **{f"{p} % of the loot": bid(times(p / 100, loot)) for p in (33, 50, 65, 80, 100)},
    "the expected loot by players": bid(lambda s: loot(s) / len(s.names)),
    "one coin a card": bid(lying),
    "two coins a card": bid(lambda s: 2 * lying(s)),
    "one less than the last bids": bid(lambda s: fmean(bids(s)) - 1),
    "the highest of the last bids": bid(lambda s: max(bids(s))),
    "up to ten coins": bid(lambda s: s.random.randint(0, 10)),
    "half of the loot that it knows of": bid(lambda s: money(known(s, s.public.figure)) / 2),
    "half of the loot, nothing near police": bid(lambda s: 0 if near_police(s) else loot(s) / 2),
    "65 %, robs the fullest bank": {"rob": rob_fullest, **bid(times(0.65, loot))},
    "65 %, lays money at its own bank": {"place": lay_at_home, **bid(times(0.65, loot))},
}


# Banque Fatale


def own(s: BotView) -> tuple[str, ...]:
    return (*s.public.seats[s.seat - 1].cards, s.public.auctioned)


def chips(s: BotView) -> int:
    return sum(s.mine.chips.values())


def own_chips(s: BotView) -> int:
    return sum(n for colour, n in s.mine.chips.items() if count_aces(own(s), colour))


def worth(s: BotView) -> int:
    return card_worth(s.public.auctioned, s.public.values)


def shown(s: BotView) -> list[int]:
    hands = s.facts_told("F.auction", "fists")
    return [sum(hand.values()) for hand in hands[-1].values()] if hands else [3]


def show(number: Number) -> Decisions:
    """Show this many chips, those of its own colours first, the auctioned card among them."""

    def close(s: BotView) -> Decision:
        all_chips = [colour for colour, n in s.mine.chips.items() for _ in range(n)]
        liked = sorted(all_chips, key=lambda colour: -count_aces(own(s), colour))
        hand = liked[: max(0, round(number(s)))]
        return CloseHand({colour: hand.count(colour) for colour in dict.fromkeys(hand)})

    return {"seal": close}


def sell(least: float) -> Decisions:
    """Sell the dearest card, if its colours are worth so much on average."""

    def act(s: BotView) -> Decision:
        cards = [str(choice["card"]) for choice in s.choices_for("card_sold")]
        best = max(cards, key=lambda card: card_worth(card, s.public.values))
        average = card_worth(best, s.public.values) / len(best.split("-"))
        return PieceMove("card_sold", {"card": best}) if average >= least else Passed(s.seat)

    return {"sell": act}


def auction(key: Callable[[BotView, str], float]) -> Decisions:
    def choose(s: BotView) -> Decision:
        cards = [str(choice["card"]) for choice in s.choices_for("card_chosen")]
        return PieceMove("card_chosen", {"card": max(cards, key=lambda card: key(s, card))})

    return {"choose": choose}


def suits(s: BotView, card: str) -> int:
    return sum(count_aces(own(s)[:-1], colour) for colour in card.split("-"))


NEVER_SELLS: Decisions = {"sell": lambda s: Passed(s.seat)}
BANQUE_FATALE: dict[str, Decisions] = {
    **{f"{n} chips": show(times(n)) for n in range(7)},
    "a third of its chips": show(times(1 / 3, chips)),
    "half of its chips": show(times(1 / 2, chips)),
    "all of its chips": show(chips),
    "every chip of its own colours": show(own_chips),
    "what the card is worth by players": show(lambda s: worth(s) / len(s.names)),
    "half of what the card is worth": show(times(1 / 2, worth)),
    "as many as the last winner": show(lambda s: max(shown(s))),
    "one more than the last winner": show(lambda s: max(shown(s)) + 1),
    "any number": show(lambda s: s.random.randint(0, chips(s))),
    "never sells": NEVER_SELLS,
    "never sells, four chips": {**NEVER_SELLS, **show(lambda s: 4)},
    "never sells, half of the worth": {**NEVER_SELLS, **show(times(1 / 2, worth))},
    **{f"sells from {n} a colour": sell(n) for n in (0, 7, 8, 10)},
    "auctions the cheapest": auction(lambda s, card: -card_worth(card, s.public.values)),
    "auctions its own colours": auction(suits),
}


# Robby Solo


def value(cards: tuple[int | str, ...]) -> int:
    return sum(card if isinstance(card, int) else 12_000 for card in cards)


def ranked(s: BotView) -> list[str]:
    """Return the banks, the richest first."""
    return [bank.name for bank in sorted(s.public.banks, key=lambda bank: -value(bank.loot))]


def rank(number: int) -> Bank:
    return lambda s: ranked(s)[number]


def by_worth(power: float) -> Bank:
    def choose(s: BotView) -> str:
        weights = [(value(bank.loot) + 300) ** power for bank in s.public.banks]
        return str(s.random.choices(s.public.banks, weights)[0].name)

    return choose


def most(key: Callable[[Any], float]) -> Bank:
    return lambda s: str(max(s.public.banks, key=lambda b: (key(b), value(b.loot))).name)


def last_banks(s: BotView) -> dict[str, str]:
    visits = [step.facts for past in s.past[-1:] for step in past.steps if step.rule == "R.solo"]
    return {name: facts["colour"] for facts in visits for name in facts.get("who", ())}


def quiet_bank(s: BotView) -> str:
    return next(bank for bank in ranked(s) if bank not in last_banks(s).values())


def at(bank: Bank, *, moves: bool = False, tells: bool = True) -> Decisions:
    """Go to a bank, and declare it or a poor one; if it is declared move to the richest other."""

    def declare(s: BotView) -> Decision:
        poor = next(each for each in reversed(ranked(s)) if each != s.held)
        return Declared(s.seat, str(s.held) if tells else poor, tells)

    def answer(s: BotView) -> Decision:
        said = s.public.declaration
        if s.seat == s.public.active:
            return WentOn(s.seat)
        if moves and said.will and said.bank == s.held:
            return CloseHand(next(each for each in ranked(s) if each != s.held))
        return Kept(s.seat)

    return {"seal": lambda s: CloseHand(bank(s)), "declare": declare, "change": answer}


ROBBY_SOLO: dict[str, Decisions] = {
    **{f"bank {n}": at(rank(n - 1)) for n in (1, 2, 3)},
    **{f"bank {n}, moves": at(rank(n - 1), moves=True) for n in (1, 2, 3, 4)},
    **{f"bank {n} in secret": at(rank(n - 1), moves=True, tells=False) for n in (1, 2, 3)},
    "bank 1 in secret, stays": at(rank(0), tells=False),
    "poorest": at(rank(-1)),
    "any": at(lambda s: s.random.choice(ranked(s))),
    "any of the best two, moves": at(lambda s: s.random.choice(ranked(s)[:2]), moves=True),
    "any of the best three, moves": at(lambda s: s.random.choice(ranked(s)[:3]), moves=True),
    "richest or second by turns": at(lambda s: ranked(s)[s.public.round % 2], moves=True),
    "by worth": at(by_worth(1)),
    "by worth, moves": at(by_worth(1), moves=True),
    "by worth squared, moves": at(by_worth(2), moves=True),
    "fullest": at(most(lambda bank: len(bank.loot))),
    "most objects": at(most(lambda bank: bank.loot.count("object"))),
    "most objects, moves": at(most(lambda bank: bank.loot.count("object")), moves=True),
    "where it was last": at(lambda s: last_banks(s).get(s.name, ranked(s)[0])),
    "where nobody was": at(quiet_bank),
    "where nobody was, moves": at(quiet_bank, moves=True),
}

ONE_LINERS = {
    "bankueberfall": BANKUEBERFALL,
    "banque_fatale": BANQUE_FATALE,
    "robby_solo": ROBBY_SOLO,
}


class Share(NamedTuple):
    """A part of the wins as a multiple of the fair part, with its interval of 95 %."""

    share: float
    least: float
    most: float

    def __str__(self) -> str:
        return f"{self.share:.2f} ({self.least:.2f} … {self.most:.2f})"


def play_against(game: str, decisions: Decisions, others: Decisions, games: Sequence[int]) -> Share:
    """Return the share of a bot among three others, at each seat in turn."""
    box, won = make_rulebook(game).box, list[float]()
    for number in games:
        turn = number % SEATS + 1
        decides = dict.fromkeys(range(1, SEATS + 1), others) | {turn: decisions}
        bots = {
            seat: Bot(seat, Random(f"{game} {number} bot {seat}"), box, how)
            for seat, how in decides.items()
        }
        won.append(share_of_win(Seated(game, number, SEATS, bots).play(), turn))
    share, reach = SEATS * fmean(won), CERTAINTY * SEATS * stdev(won) / len(won) ** 0.5
    return Share(share, share - reach, share + reach)


def play_one_liner(game: str, name: str, games: int) -> Share:
    """Return the share of a strategy among our bots in this many games, or in 50 or 200 if that
    proves it below the bar."""
    ours = find_game(game).bot
    for number in sorted({min(50, games), min(200, games), games}):
        share = play_against(game, {**ours, **ONE_LINERS[game][name]}, ours, range(number))
        if share.most < BAR:
            break
    return share


def main(games: int, wanted: list[str]) -> None:
    for game, strategies in ONE_LINERS.items():
        for name in strategies:
            if not wanted or game in wanted or name in wanted:
                print(f"{game:13} {name:37} {play_one_liner(game, name, games)}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
