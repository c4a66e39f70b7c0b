"""One-line strategies, 25 a game, and how each fares among our bots.

A strategy says what it decides otherwise than our bots, phase by phase; all else it does as they
do. `python -m bench.one_liners 1000` plays so many games with each; with names behind it, only
those games or strategies.
"""

import sys
from collections.abc import Callable
from statistics import fmean
from typing import Any

from bench.arena import otherwise, play_against
from companion.bots.decisions import BotView, CloseHand, Decision, Decisions, PieceMove
from companion.core.events import Passed
from companion.games.banque_fatale.auction import card_worth, count_aces
from companion.games.robby_solo.state import Declared, Kept, WentOn

Number = Callable[[BotView], float]
Bank = Callable[[BotView], str]

BAR = 1.10
"""No strategy may have an interval above this share."""


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


def paid(s: BotView) -> int:
    return max(s.past[-1].paid.values(), default=2) if s.past else 2  # type: ignore[attr-defined]


def bid(number: Number) -> Decisions:
    return {"seal": lambda s: CloseHand(max(0, min(round(number(s)), s.mine.coins)))}


def rob(key: Callable[[BotView, int], float]) -> Decisions:
    def choose(s: BotView) -> Decision:
        banks = [choice["bank"] for choice in s.choices_for("bank_chosen")]
        return PieceMove("bank_chosen", {"bank": max(banks, key=lambda bank: key(s, bank))})

    return {"rob": choose}


def lay_at_home(s: BotView) -> Decision:
    return PieceMove("card_placed", {"bank": s.seat, "card": max(s.hand, key=lambda c: money([c]))})


def near_police(s: BotView) -> bool:
    return not {"policeman", "thief"}.isdisjoint(known(s, s.public.figure))


BANKUEBERFALL: dict[str, Decisions] = {
    "never a coin": bid(lambda s: 0),
    "one coin": bid(lambda s: 1),
    "two coins": bid(lambda s: 2),
    "three coins": bid(lambda s: 3),
    "four coins": bid(lambda s: 4),
    "six coins": bid(lambda s: 6),
    "ten coins": bid(lambda s: 10),
    "a quarter of its coins": bid(lambda s: s.mine.coins / 4),
    "half of its coins": bid(lambda s: s.mine.coins / 2),
    "all of its coins": bid(lambda s: s.mine.coins),
    "the expected loot": bid(loot),
    "80 % of the expected loot": bid(lambda s: 0.8 * loot(s)),
    "65 % of the expected loot": bid(lambda s: 0.65 * loot(s)),
    "half of the expected loot": bid(lambda s: loot(s) / 2),
    "a third of the expected loot": bid(lambda s: loot(s) / 3),
    "the expected loot by players": bid(lambda s: loot(s) / len(s.names)),
    "one coin a card": bid(lying),
    "two coins a card": bid(lambda s: 2 * lying(s)),
    "one less than the last bids": bid(lambda s: fmean(bids(s)) - 1),
    "the highest bid that was paid last": bid(paid),
    "up to ten coins": bid(lambda s: s.random.randint(0, 10)),
    "half of the loot that it knows of": bid(lambda s: money(known(s, s.public.figure)) / 2),
    "half of the loot, nothing near police": bid(lambda s: 0 if near_police(s) else loot(s) / 2),
    "65 %, robs the fullest bank": {
        **rob(lambda s, bank: len(s.public.banks[bank - 1])),
        **bid(lambda s: 0.65 * loot(s)),
    },
    "65 %, lays money at its own bank": {"place": lay_at_home, **bid(lambda s: 0.65 * loot(s))},
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
    """Show so many chips, those of its own colours first, the auctioned card among them."""

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
    "never a chip": show(lambda s: 0),
    "one chip": show(lambda s: 1),
    "two chips": show(lambda s: 2),
    "three chips": show(lambda s: 3),
    "four chips": show(lambda s: 4),
    "five chips": show(lambda s: 5),
    "six chips": show(lambda s: 6),
    "a third of its chips": show(lambda s: chips(s) / 3),
    "half of its chips": show(lambda s: chips(s) / 2),
    "all of its chips": show(chips),
    "every chip of its own colours": show(own_chips),
    "what the card is worth by players": show(lambda s: worth(s) / len(s.names)),
    "half of what the card is worth": show(lambda s: worth(s) / 2),
    "as many as the last winner": show(lambda s: max(shown(s))),
    "one more than the last winner": show(lambda s: max(shown(s)) + 1),
    "any number": show(lambda s: s.random.randint(0, chips(s))),
    "never sells": NEVER_SELLS,
    "never sells, four chips": {**NEVER_SELLS, **show(lambda s: 4)},
    "never sells, half of the worth": {**NEVER_SELLS, **show(lambda s: worth(s) / 2)},
    "always sells": sell(0),
    "sells from 7 a colour": sell(7),
    "sells from 8 a colour": sell(8),
    "sells from 10 a colour": sell(10),
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
    "richest": at(rank(0)),
    "richest, moves": at(rank(0), moves=True),
    "richest in secret": at(rank(0), tells=False),
    "richest in secret, moves": at(rank(0), moves=True, tells=False),
    "second": at(rank(1)),
    "second, moves": at(rank(1), moves=True),
    "second in secret, moves": at(rank(1), moves=True, tells=False),
    "third": at(rank(2)),
    "third, moves": at(rank(2), moves=True),
    "third in secret, moves": at(rank(2), moves=True, tells=False),
    "fourth, moves": at(rank(3), moves=True),
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


def main(games: int, wanted: list[str]) -> None:
    """Play so many games with each strategy; print its share, and mark those above the bar."""
    for game, strategies in ONE_LINERS.items():
        for name, changes in strategies.items():
            if not wanted or game in wanted or name in wanted:
                share, least, up = play_against(game, otherwise(game, changes), range(games))
                mark = "above" if least > BAR else ""
                print(
                    f"{game:14} {name:40} {share:.2f} ({least:.2f} … {up:.2f}) {mark}", flush=True
                )


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
