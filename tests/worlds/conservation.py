"""Checks that no card, coin or chip vanishes or appears, game by game."""

from collections import Counter
from typing import Any

from companion.games.robby_solo.raid import loot_cards


def conserved(before: Any, after: Any) -> None:
    """Check a state, and the step into it; `before` is None at the start."""
    game = after.box.game
    HOLDS[game](after)
    if before is not None:
        MOVES[game](before, after)


# A state by itself.


def bankueberfall(state: Any) -> None:
    """45 cards, seven tiles, and nobody owes a coin."""
    lying = [card.card for bank in state.banks for card in bank]
    hands = sum(player.hand for player in state.players)
    assert state.pile + hands + len(lying) + len(state.discard) == 45
    known = Counter([card for card in lying if card] + list(state.discard))
    assert all(n <= state.box.cards[card] for card, n in known.items())
    assert all(player.coins >= 0 and player.credits >= 0 for player in state.players)
    assert 0 <= sum(state.tiles.values()) <= 7
    assert state.tiles.keys() == state.box.tiles.keys()


def banque_fatale(state: Any) -> None:
    """40 chips, 16 cards, markers on their track."""
    owned = Counter(state.middle)
    for player in state.players:
        owned.update(player.chips)
    in_play = state.box.chips_each * len(state.players)
    assert all(owned[colour] == in_play for colour in state.box.colours), owned
    spare = sum(state.box.chips.values()) - in_play * len(state.box.colours)
    assert owned.total() + spare == 40
    seen = [card for player in state.players for card in player.cards]
    seen += [*filter(None, state.open_cards), *state.sold]
    if state.auctioned and state.phase in ("refill", "seal", "open"):
        seen.append(state.auctioned)
    assert len(set(seen)) == len(seen)
    undealt = sum(not player.cards for player in state.players) if state.phase == "deal" else 0
    assert len(seen) + state.pile + undealt == 16
    assert all(2 <= value <= 10 for value in state.values.values())


def robby_solo(state: Any) -> None:
    """61 loot cards, none more often than the box holds it."""
    piles = Counter(card for pile in state.piles_by_name().values() for card in pile)
    lying = Counter(card for bank in state.banks.values() for card in bank)
    seen = piles + lying
    assert state.deck + seen.total() == 61
    loot = loot_cards(state.box)
    assert all(n <= loot[card] for card, n in seen.items())
    assert all(len(bank) <= state.box.police for bank in state.banks.values())


# From one state to the next; what a step states as a fact is what lay on the table.


def new(before: Any, after: Any, field: str = "verdict") -> Any:
    """The verdict that stands now and did not stand before."""
    verdict = getattr(after, field)
    return None if verdict is getattr(before, field) else verdict


def stated(verdict: Any, rule: str, fact: str) -> Any:
    """This fact, where the verdict first states it under the rule; None if it does not."""
    steps = verdict.steps if verdict else ()
    return next((s.facts[fact] for s in steps if s.rule == rule and fact in s.facts), None)


def coins_move(before: Any, after: Any) -> None:
    """A new verdict moves coins, by `change` and what each credit brings; nothing else does."""
    verdict, purse = new(before, after), after.box.purse
    for was, now in zip(before.players, after.players, strict=True):
        change, credit = 0, 0
        if verdict is not None:
            change = verdict.change[now.name]
            credit = int(verdict.outcome == "stolen" and was.coins + change < purse)
            assert verdict.credits[now.name] == credit
        assert now.name == was.name
        assert now.credits == was.credits + credit
        assert now.coins == was.coins + change + credit * purse
    gone = Counter(after.discard) - Counter(before.discard)
    assert gone == Counter(stated(verdict, "B.rob", "cards") or ())


def millions_move(before: Any, after: Any) -> None:
    """Cash comes from a bonus or a sale, cards from an auction; markers move with a verdict."""
    verdict, sale = new(before, after), new(before, after, "sale")
    assert after.values == (verdict.values if verdict else before.values)
    for was, now in zip(before.players, after.players, strict=True):
        cash, cards = was.cash, Counter(was.cards)
        if verdict is not None:
            cards.update([before.auctioned] if verdict.winner == now.name else [])
            cash += verdict.bonuses[now.name]
        if sale is not None and sale.card and sale.seller == now.name:
            assert sale.card in was.cards
            cash += sum(before.values[colour] for colour in sale.card.split("-"))
            cards.subtract([sale.card])
        assert now.name == was.name
        assert now.cash == cash
        dealt = len(now.cards) - cards.total()
        assert 0 <= dealt <= int(before.phase == "deal")
        assert cards <= Counter(now.cards)
    chips_move(before, after, verdict)


def chips_move(before: Any, after: Any, verdict: Any) -> None:
    """What a hand shows lies in the middle when all are open; only who takes a chip back has it."""
    fists = stated(verdict, "F.auction", "fists") or {}
    for seat, (was, now) in enumerate(zip(before.players, after.players, strict=True), 1):
        gained = Counter(now.chips)
        gained.subtract(was.chips)
        gained.update(fists.get(now.name, {}))
        taken = int(before.phase == "take" and before.active == seat)
        assert sorted(n for n in gained.values() if n) == [1] * taken


def loot_moves(before: Any, after: Any) -> None:
    """A new verdict moves loot: from banks to piles, and under the deck; else one card is laid."""
    verdict, piles = new(before, after), before.piles_by_name()
    if verdict is None:
        assert after.piles_by_name() == piles
        laid = {bank: len(after.banks[bank]) - len(lay) for bank, lay in before.banks.items()}
        assert before.deck - after.deck == sum(laid.values()) == int(before.phase == "fill")
        assert all(after.banks[bank][: len(lay)] == lay for bank, lay in before.banks.items())
        return
    lay = Counter(card for bank in before.banks.values() for card in bank)
    lies = Counter(card for bank in after.banks.values() for card in bank)
    under = Counter(card for raid in verdict.raids for card in raid.removed)
    taken = Counter(card for cards in verdict.taken.values() for card in cards)
    assert lay == lies + under + taken
    for name, pile in after.piles_by_name().items():
        given = Counter(raid.returns[name] for raid in verdict.raids if name in raid.returns)
        assert Counter(pile) + given == Counter(piles[name] + verdict.taken[name])
    returned = sum(len(raid.returns) for raid in verdict.raids)
    assert after.deck == before.deck + under.total() + returned


HOLDS = {"bankueberfall": bankueberfall, "banque_fatale": banque_fatale, "robby_solo": robby_solo}

MOVES = {"bankueberfall": coins_move, "banque_fatale": millions_move, "robby_solo": loot_moves}
