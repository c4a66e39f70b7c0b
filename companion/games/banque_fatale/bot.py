"""How a bot plays Banque Fatale: it learns how many chips each of the others shows, and outbids.

It counts everyone's chips in its head, since all are shown and taken back in turn. From what a
player showed before it guesses what that one shows now, and so how likely each number of chips is
to win. For that it weighs the card, the markers that its chips would move, and the chips that are
gone. It takes what is about the best, and not always the very best, so that it is hard to read.
"""

from collections.abc import Callable, Mapping, Sequence
from math import exp

from companion.bots.decisions import BotView, CloseHand, Decision, PieceMove
from companion.core.events import Passed
from companion.core.i18n import N_, Message, message
from companion.games.banque_fatale.auction import card_worth, count_aces
from companion.games.banque_fatale.opponents import guess_numbers, winning_chances
from companion.games.banque_fatale.state import ChipTaken

AUCTIONS = 10
"""How many hands of the others it imagines, for the markers."""
LATE_CHIP, EARLY_CHIP = 1.0, 2.2
"""What a chip is worth to it in the last auction, and in the first, in millions."""
CALM, RESTING = 0.75, 5.0
"""How far a marker is believed to stay where it is, and where it comes to rest otherwise."""
WAVERING = 0.5
"""By how many millions it may miss the best hand."""

Chips = dict[str, int]


def _own_cards(sight: BotView) -> tuple[str, ...]:
    cards: tuple[str, ...] = sight.public.seats[sight.seat - 1].cards
    return cards


# What it imagines.


def _imagine_others(
    sight: BotView, guesses: Mapping[str, Mapping[int, float]]
) -> list[dict[str, int]]:
    """Return hands of all others together, as they might be, by colour."""
    colours = list(sight.box.colours)
    cards = {seat.name: seat.cards for seat in sight.public.seats}
    likings = {
        name: [1.0 + count_aces(cards[name], colour) for colour in colours] for name in guesses
    }
    found = []
    for _ in range(AUCTIONS):
        total = dict.fromkeys(colours, 0)
        for name, guess in guesses.items():
            number = sight.random.choices(list(guess), list(guess.values()))[0]
            for colour in sight.random.choices(colours, likings[name], k=number):
                total[colour] += 1
        found.append(total)
    return found


# What it makes of that.


def _rounds_left(sight: BotView) -> int:
    """Return how many cards are still to be auctioned, this one included."""
    on_offer = sum(card != "" for card in sight.public.open_cards)
    return int(sight.public.pile + on_offer + (sight.public.auctioned != ""))


def _chip_worth(sight: BotView) -> float:
    """Return what a chip is worth to it: less, the fewer auctions are left; more to the careful."""
    early = EARLY_CHIP * (1.1 - 0.2 * sight.character.style)
    all_rounds = len(sight.box.cards) - len(sight.names)
    return LATE_CHIP + (early - LATE_CHIP) * (_rounds_left(sight) - 1) / all_rounds


def _colour_worth(value: float) -> float:
    """Return what a colour that stands here now is worth once it counts."""
    return CALM * value + (1 - CALM) * RESTING


def _future_worth(card: str, values: Mapping[str, int]) -> float:
    return sum(_colour_worth(values[colour]) for colour in card.split("-"))


def _moved_worth(sight: BotView, colour: str, chips: int, rises: bool) -> float:
    """Return by how much an ace of this colour gains or loses, if so many chips are shown."""
    track, value = sight.box.track, sight.public.values[colour]
    if rises:
        after = min(value + track.up, track.most)
        bonus = track.bonus.get(after)
        if bonus is not None:
            return float(bonus + CALM * (track.start - value))
        return float(CALM * (after - value))
    if chips == 1:
        return float(CALM * (max(value - track.down, track.least) - value))
    if chips:
        return 0.0
    falls = sight.public.house_rules["unplayed"] == "minus_two"
    after = max(value - track.fall, track.least) if falls else track.least
    return float(CALM * (after - value))


def _marker_gain(
    sight: BotView, hand: Mapping[str, int], others: Mapping[str, int], aces: Mapping[str, float]
) -> float:
    """Return what the markers bring it, beyond what they bring the others."""
    shown = {colour: n + hand.get(colour, 0) for colour, n in others.items()}
    most = max(shown.values())
    tied = sum(n == most for n in shown.values())
    rise = most >= 2 and (tied <= 2 or sight.public.house_rules["tied_for_most"] == "all_rise")
    return sum(
        aces[colour] * _moved_worth(sight, colour, n, rise and n == most)
        for colour, n in shown.items()
        if aces[colour]
    )


def _relative_aces(sight: BotView, own: Sequence[str]) -> dict[str, float]:
    """Return its aces of each colour, less the average of the others'."""
    rest = [seat.cards for n, seat in enumerate(sight.public.seats, 1) if n != sight.seat]
    return {
        colour: count_aces(own, colour)
        - sum(count_aces(cards, colour) for cards in rest) / len(rest)
        for colour in sight.box.colours
    }


def _imagine_hands(sight: BotView, aces: Mapping[str, float]) -> list[Chips]:
    """Return hands of every number of chips, of the colours that it wants to rise."""
    chips = sight.mine.chips
    liked = sorted(chips, key=lambda colour: (-aces[colour], -chips[colour]))
    stacked = [colour for colour in liked for _ in range(chips[colour])]
    spread = [colour for n in range(max(chips.values(), default=0)) for colour in liked
              if chips[colour] > n]  # fmt: skip
    hands = []
    for number in range(len(stacked) + 1):
        for order in (stacked, spread):
            shown = order[:number]
            hand = {colour: shown.count(colour) for colour in dict.fromkeys(shown)}
            if hand not in hands:
                hands.append(hand)
    return hands


# What it does.


def _close_hand(sight: BotView) -> Decision:
    """Show the chips that promise most, or about so."""
    guesses = guess_numbers(sight)
    chances, imagined = winning_chances(sight, guesses), _imagine_others(sight, guesses)
    card, worth = sight.public.auctioned, _future_worth(sight.public.auctioned, sight.public.values)
    cost = _chip_worth(sight) * (1 - 1 / len(sight.names))
    lost = _relative_aces(sight, _own_cards(sight))
    won = _relative_aces(sight, (*_own_cards(sight), card))

    def promise(hand: Chips) -> float:
        number = sum(hand.values())
        chance = chances[number]
        aces = {colour: lost[colour] + chance * (won[colour] - lost[colour]) for colour in lost}
        moved = sum(_marker_gain(sight, hand, others, aces) for others in imagined)
        return chance * worth + moved / len(imagined) - cost * number

    hands = _imagine_hands(sight, won)
    if sight.character.strength == "weak":
        return CloseHand(sight.random.choice(hands), message(BY_FEELING))
    promises = [promise(hand) for hand in hands]
    best = max(promises)
    weights = [exp((each - best) / WAVERING) for each in promises]
    hand = sight.random.choices(hands, weights)[0]
    return CloseHand(hand, _reason(sight, hand, chances, guesses))


def _reason(
    sight: BotView,
    hand: Chips,
    chances: Sequence[float],
    guesses: Mapping[str, Mapping[int, float]],
) -> Message:
    number = sum(hand.values())
    tally = {name: round(sum(n * p for n, p in guess.items())) for name, guess in guesses.items()}
    facts = {
        "card": sight.public.auctioned,
        "millions": card_worth(sight.public.auctioned, sight.public.values),
        "tally": tally,
        "percent": round(100 * chances[number]),
        "chips": number,
    }
    return Message(OUTBID if chances[number] > AIMS else SPARED, facts)


AIMS = 0.3
"""With this chance at least, a hand is meant to win."""
BY_FEELING = N_("I went by feeling.")
OUTBID = N_(
    "I expected about these chips: {tally}. With {chips} I gave myself {percent} in 100 to win"
    " {card}, which stood at {millions}."
)
SPARED = N_(
    "I expected about these chips: {tally}. To outbid that for {card}, which stood at {millions},"
    " was too much for me; I showed {chips}."
)


def _deal_card(_sight: BotView) -> Decision:
    """Deal any card; which one it is shows only then."""
    return PieceMove("card_dealt", {})


def _turn_card(_sight: BotView) -> Decision:
    return PieceMove("card_turned", {})


def _choose_card(sight: BotView) -> Decision:
    """Choose the open card that is worth most, and of these one of the colours that it owns."""
    values, own = sight.public.values, _own_cards(sight)
    cards = [str(choice["card"]) for choice in sight.choices_for("card_chosen")]
    suits = {card: sum(count_aces(own, colour) for colour in card.split("-")) for card in cards}
    return PieceMove(
        "card_chosen", {"card": max(cards, key=lambda c: (card_worth(c, values), suits[c]))}
    )


def _take_chip(sight: BotView) -> Decision:
    """Take a chip of a colour that it owns, and of these the one it has fewest of."""
    colours = [str(choice["colour"]) for choice in sight.choices_for("chip_taken")]
    own, chips = _own_cards(sight), sight.mine.chips
    return ChipTaken(sight.seat, max(colours, key=lambda c: (count_aces(own, c), -chips[c])))


def _sell_card(sight: BotView) -> Decision:
    """Sell the card that now brings most beyond what it may bring later, if any does."""
    values = sight.public.values
    gain = {
        str(choice["card"]): card_worth(choice["card"], values)
        - sum(_colour_later(values[colour]) for colour in choice["card"].split("-"))
        for choice in sight.choices_for("card_sold")
    }
    best = max(gain, key=gain.__getitem__)
    return PieceMove("card_sold", {"card": best}) if gain[best] > 0 else Passed(sight.seat)


LATER = {2: 5.0, 3: 5.2, 4: 5.4, 5: 5.7, 6: 6.0, 7: 6.4, 8: 7.0, 9: 7.8, 10: 8.5}
"""What a colour may bring later, by where it stands now: a marker that is low rises again."""


def _colour_later(value: int) -> float:
    return LATER.get(value, 8.0)


DECISIONS: dict[str, Callable[[BotView], Decision]] = {
    "deal": _deal_card,
    "lay": _turn_card,
    "choose": _choose_card,
    "refill": _turn_card,
    "seal": _close_hand,
    "take": _take_chip,
    "sell": _sell_card,
}
"""What it does in each phase."""
