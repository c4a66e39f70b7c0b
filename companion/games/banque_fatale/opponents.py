"""What a bot knows of the others in Banque Fatale: their chips, and how many they usually show.

Law: all of it was seen by everyone. Chips are dealt alike, shown in the open and taken back in
turn, so how many each player has can be counted; of which colours, a bot does not remember.
"""

from collections.abc import Mapping
from itertools import accumulate

from companion.bots.decisions import BotView
from companion.bots.habits import spread_numbers
from companion.games.banque_fatale.auction import Auction

USUAL = {0: 2.0, 1: 2.0, 2: 3.0, 3: 4.0, 4: 4.0, 5: 3.0, 6: 2.0, 7: 1.0, 8: 1.0, 9: 0.5, 10: 0.5}
"""How often people show so many chips, of whom nothing else is known."""
TRUST = 3.0
"""After so many auctions it believes as much in what it saw of a player as in what is usual."""


def shown_hands(sight: BotView) -> list[Mapping[str, Mapping[str, int]]]:
    """Return the chips that everyone showed in each auction so far."""
    return [step.facts["fists"] for past in sight.past for step in past.steps
            if step.rule == "F.auction" and "fists" in step.facts]  # fmt: skip


def count_chips(sight: BotView) -> dict[str, int]:
    """Return how many chips everyone has: dealt, shown, and taken back in turn."""
    names = sight.names
    each = sight.box.chips_each * len(sight.box.colours)
    owned = dict.fromkeys(names, each)
    auctions = [past for past in sight.past if isinstance(past, Auction)]
    for shown, past in zip(shown_hands(sight), auctions, strict=True):
        first = names.index(past.first_pick)
        middle = past.chips_on_table
        for place, name in enumerate((*names[first:], *names[:first])):
            back = middle // len(names) + (place < middle % len(names))
            owned[name] += back - sum(shown[name].values())
    return owned


def guess_numbers(sight: BotView) -> dict[str, dict[int, float]]:
    """Return for each of the others how likely each number of chips is."""
    owned, shown = count_chips(sight), shown_hands(sight)
    guesses = {}
    for name in sight.names:
        if name != sight.name:
            most = max(0, owned[name])
            numbers = [sum(hands[name].values()) for hands in shown]
            likely = spread_numbers(numbers, {n: USUAL.get(n, 0.2) for n in range(11)}, TRUST)
            guess = dict.fromkeys(range(most + 1), 0.0)
            for number, part in likely.items():
                guess[min(number, most)] += part
            guesses[name] = guess
    return guesses


def winning_chances(sight: BotView, guesses: Mapping[str, Mapping[int, float]]) -> list[float]:
    """Return how likely each number of chips is to win; who is nearer to the start wins a tie."""
    start = sight.public.starter
    seats = len(sight.names)
    turn = {name: (seat - start) % seats for seat, name in enumerate(sight.names, 1)}
    most = sum(sight.mine.chips.values())
    chances = [1.0] * (most + 1)
    for name, guess in guesses.items():
        reach = list(accumulate(guess.get(n, 0.0) for n in range(most + 1)))
        wins_ties = turn[sight.name] < turn[name]
        for n in range(most + 1):
            chances[n] *= reach[n] if wins_ties else (reach[n - 1] if n else 0.0)
    return chances
