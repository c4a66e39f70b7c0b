"""Disputes at a table of Banque Fatale: an auction, or the final score."""

from companion.core.cards import standard_box
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.core.json_values import JsonObject
from companion.core.verdict import Score
from companion.games.banque_fatale.auction import Auction, Lot, resolve_auction
from companion.games.banque_fatale.box import BanqueFataleBox
from companion.games.banque_fatale.cases import CASES
from companion.games.banque_fatale.open_fields import CHANGES, OPEN_FIELDS
from companion.games.banque_fatale.score import BanqueFataleFortune, count_score
from companion.games.banque_fatale.sheets import SHEETS
from companion.games.banque_fatale.small_cases import (
    ChipTurns,
    Offer,
    judge_offer,
    order_chips,
)
from companion.judge.fields import (
    SCORE_NAMES,
    Case,
    GameJudge,
    KindNames,
    check_all_players,
    check_by_player,
    check_choice,
    check_fields,
    check_house_rules,
    check_int,
    check_list,
    check_object,
    check_players,
    shorten,
)

BOX = standard_box(BanqueFataleBox)

EXAMPLES: dict[str, JsonObject] = {
    "auction": {
        "game": "banque_fatale",
        "kind": "auction",
        "players": ["Ana", "Ben", "Cem"],
        "start": "Ana",
        "bids": {"Ana": {"red": 1, "blue": 2}, "Ben": {}, "Cem": {"green": 1}},
        "values": {"red": 6, "yellow": 6, "green": 6, "blue": 6, "orange": 6},
        "card": ["red", "green"],
        "holdings": {"Ana": [["red"]]},
        "house_rules": {"unplayed": "to_minimum", "tied_for_most": "all_rise"},
    },
    "sale": {
        "game": "banque_fatale",
        "kind": "sale",
        "players": ["Ana", "Ben", "Cem"],
        "seller": "Ana",
        "card": ["red", "green"],
        "values": {"red": 8, "yellow": 2, "green": 6, "blue": 7, "orange": 5},
        "won": ["blue"],
        "risen": ["red"],
        "house_rules": {"sale_ban": "just_won"},
    },
    "chips": {
        "game": "banque_fatale",
        "kind": "chips",
        "players": ["Ana", "Ben", "Cem"],
        "winner": "Ana",
        "chips": {"red": 2, "yellow": 0, "green": 1, "blue": 1, "orange": 0},
        "taken": ["red"],
    },
    "score": {
        "game": "banque_fatale",
        "kind": "score",
        "values": {"red": 8, "yellow": 2, "green": 6, "blue": 7, "orange": 5},
        "funds": {
            "Ana": {"cash": 20, "chips": 7, "cards": [["red"], ["red", "blue"]]},
            "Ben": {"cash": 31, "chips": 12, "cards": []},
            "Cem": {"cash": 24, "chips": 9, "cards": [["green"]]},
        },
        "house_rules": {"chips_at_end": "one_million"},
    },
}


def decide_auction(case: Case) -> Auction:
    """Resolve the auction of a case."""
    names = _check_table(case)
    held = check_by_player(case.get("holdings", {}), "holdings", names)
    card = _parse_card(case["card"], "card")
    seen = {card: "card"}
    return resolve_auction(
        Lot(
            players=names,
            start=check_choice(case["start"], "start", names),
            bids=_parse_bids(case["bids"], names),
            values=_parse_values(case["values"], min(BOX.track.bonus) - 1),
            card=card,
            holdings={name: _parse_cards(held[name], f"holdings.{name}", seen) for name in held},
            house_rules=check_house_rules(case, BOX),
            box=BOX,
        )
    )


def decide_sale(case: Case) -> Offer:
    """Decide whether a card may be sold, and for how much."""
    names = _check_table(case)
    card = _parse_card(case["card"], "card")
    won = case.get("won", [])
    risen = check_list(case.get("risen", []), "risen")
    for n, colour in enumerate(risen):
        check_choice(colour, f"risen[{n}]", BOX.colours)
    facts = (
        won != [] and _parse_card(won, "won") == card,
        any(colour in risen for colour in card.split("-")),
    )
    values = _parse_values(case["values"], min(BOX.track.bonus) - 1)
    seller = check_choice(case["seller"], "seller", names)
    return judge_offer(seller, card, values, facts, check_house_rules(case, BOX)["sale_ban"])


def decide_chips(case: Case) -> ChipTurns:
    """Decide who takes which chip back next."""
    check_house_rules(case, BOX)
    names = _check_table(case)
    winner = check_choice(case["winner"], "winner", names)
    chips = check_object(case["chips"], "chips")
    for colour, n in chips.items():
        check_choice(colour, f"chips.{shorten(colour)}", BOX.colours)
        check_int(n, f"chips.{colour}", 0, BOX.chips[colour])
    taken = check_list(case.get("taken", []), "taken")
    for n, colour in enumerate(taken):
        check_choice(colour, f"taken[{n}]", BOX.colours)
    return order_chips(names, winner, chips, taken)


def _check_table(case: Case) -> list[str]:
    """Return the players of a case; raise Malformed for a table that the game does not seat."""
    names = check_players(check_list(case["players"], "players"), "players", BOX)
    _check_seats(len(names), "players")
    return names


def _check_seats(n: int, field: str) -> None:
    if n < BOX.players.least:
        text = N_("{title} is for {least} to {most} players, not {n}.")
        seats = {"least": BOX.players.least, "most": BOX.players.most}
        raise Malformed(field, text, title=BOX.title, n=n, **seats)


def _parse_bids(value: object, names: list[str]) -> dict[str, dict[str, int]]:
    bids = check_all_players(value, "bids", names)
    for name in names:
        for colour, n in check_object(bids[name], f"bids.{name}").items():
            check_choice(colour, f"bids.{name}.{shorten(colour)}", BOX.colours)
            check_int(n, f"bids.{name}.{colour}", 0, BOX.chips[colour])
    for colour, most in BOX.chips.items():
        shown = sum(bids[name].get(colour, 0) for name in names)
        if shown > most:
            text = N_("{field}: {n} × {name}, but the box holds {most}.")
            raise Malformed("bids", text, n=shown, name=colour, most=most)
    return {name: bids[name] for name in names}


def _parse_values(value: object, most: int) -> dict[str, int]:
    values = check_object(value, "values")
    check_fields(values, BOX.colours, prefix="values.")
    for colour in BOX.colours:
        check_int(values[colour], f"values.{colour}", BOX.track.least, most)
    return values


def _parse_card(value: object, field: str) -> str:
    """Return a card in its one spelling; a case may list its colours either way round."""
    colours = check_list(value, field)
    for n, colour in enumerate(colours):
        check_choice(colour, f"{field}[{n}]", BOX.colours)
    card = "-".join(sorted(colours, key=BOX.colours.index))
    if card not in BOX.cards:
        text = N_("{field}: the box holds no card {value}.")
        raise Malformed(field, text, value=shorten(card) or "[]")
    return card


def _parse_cards(value: object, field: str, seen: dict[str, str]) -> tuple[str, ...]:
    """Return cards that a player owns; every card of the box is there once."""
    cards = []
    for n, colours in enumerate(check_list(value, field)):
        card = _parse_card(colours, f"{field}[{n}]")
        if card in seen:
            text = N_("{field}: the box holds this card once, and {other} has it already.")
            raise Malformed(f"{field}[{n}]", text, other=seen[card])
        seen[card] = f"{field}[{n}]"
        cards.append(card)
    return tuple(cards)


def decide_score(case: Case) -> Score:
    """Count the score of a case: of a table, or the fortune of one player alone."""
    values = _parse_values(case["values"], BOX.track.most)
    funds = check_object(case["funds"], "funds")
    names = check_players(funds, "funds", BOX)
    if len(names) > 1:
        _check_seats(len(names), "funds")
    seen: dict[str, str] = {}
    fortunes = {name: _parse_fortune(funds[name], f"funds.{name}", seen) for name in names}
    chips, most = sum(f.chips for f in fortunes.values()), sum(BOX.chips.values())
    if chips > most:
        text = N_("{field}: {chips}, but the box holds {most}.")
        raise Malformed("funds", text, chips=chips, most=most)
    return count_score(fortunes, values, check_house_rules(case, BOX), BOX)


def _parse_fortune(value: object, field: str, seen: dict[str, str]) -> BanqueFataleFortune:
    found = check_object(value, field)
    check_fields(found, ("cash", "chips", "cards"), prefix=f"{field}.")
    return BanqueFataleFortune(
        check_int(found["cash"], f"{field}.cash"),
        check_int(found["chips"], f"{field}.chips", 0, sum(BOX.chips.values())),
        _parse_cards(found["cards"], f"{field}.cards", seen),
    )


JUDGE = GameJudge(
    kinds={
        "auction": decide_auction,
        "sale": decide_sale,
        "chips": decide_chips,
        "score": decide_score,
    },
    examples=EXAMPLES,
    cases=CASES,
    sheets=SHEETS,
    names={
        "auction": KindNames(
            N_("An auction: who gets the card, what do the colours do?"), N_("The auction")
        ),
        "sale": KindNames(N_("A sale: may this card be sold, and for how much?"), N_("The sale")),
        "chips": KindNames(N_("Chips taken back: who takes the next one?"), N_("The chips")),
        "score": SCORE_NAMES,
    },
    parts={
        "start": "who",
        "bid": "bids",
        "card": "cards",
        "value": "values",
        "owner": "holdings",
        "cash": "bids",
        "chips": "bids",
        "funds": "bids",
    },
    plain=frozenset({"sale", "chips"}),
    open_fields=OPEN_FIELDS,
    changes=CHANGES,
)
