"""Robbery, auction, round and scores, resolved naively: written from the booklets, first.

Nothing here is clever, fast or shared with the companion. Cards lie in a list and are taken off
it one at a time, coins are paid one player at a time, exactly as people do it at a table.
"""

CHARACTERS = ("seductress", "policeman", "detective", "thief")


def rob(cards, bids, house, funds=None):
    """The whole answer of the judge, without its steps."""
    return settle(turn_up(cards), bids, house, funds)


def turn_up(cards):
    """What the cards at the bank come to: (outcome, direction, loot)."""
    lying = list(cards)

    # 1. A single seductress distracts everybody; several only talk to each other.
    if lying.count("seductress") == 1:
        for character in ("policeman", "detective", "thief"):
            while character in lying:
                lying.remove(character)
    elif lying.count("seductress") >= 2:
        while "seductress" in lying:
            lying.remove("seductress")

    # 2. A single policeman guards the bank; several play cards.
    if lying.count("policeman") == 1:
        return "guarded", "lowest_first", 0
    while "policeman" in lying:
        lying.remove("policeman")

    # 3. One detective goes after one thief, and both are gone.
    while "detective" in lying and "thief" in lying:
        lying.remove("detective")
        lying.remove("thief")

    # 4. A thief who is left takes it all.
    if "thief" in lying:
        return "stolen", "lowest_first", 0

    direction = "highest_first" if "detective" in lying else "lowest_first"
    loot = money(lying)
    return ("shared" if loot else "nothing"), direction, loot


def money(lying):
    """The money, and the same again for every X."""
    once = 0
    for card in lying:
        if card not in CHARACTERS and card != "x":
            once += int(card)
    loot = once
    for card in lying:
        if card == "x":
            loot += once
    return loot


def settle(turned_up, bids, house, funds=None):
    """Who is paid what, once it is clear what the bank comes to."""
    outcome, direction, loot = turned_up
    paid = dict.fromkeys(bids, 0)
    change = dict.fromkeys(bids, 0)
    left = loot

    if outcome == "guarded":
        for who in bids:
            if bids[who] == 0:
                change[who] = 5
    if outcome == "stolen":
        for who in bids:
            change[who] = -bids[who]
    if outcome == "shared":
        paid, left = share(loot, direction, bids, house)
        change = dict(paid)

    found = {
        "outcome": outcome,
        "direction": direction,
        "loot": loot,
        "paid": paid,
        "change": change,
        "to_reserve": left,
    }
    if funds is not None:
        found["credits"] = dict.fromkeys(bids, 0)
        for who in bids:
            if outcome == "stolen" and funds[who] - bids[who] < 10:
                found["credits"][who] = 1
    return found


def share(loot, direction, bids, house):
    """Pay the bids in order, equal ones together: (what everyone gets, what is left)."""
    paid = dict.fromkeys(bids, 0)
    left = loot
    sizes = sorted(set(bids.values()))
    if direction == "highest_first":
        sizes.reverse()
    for size in sizes:
        together = [who for who in bids if bids[who] == size]
        if size * len(together) <= left:
            for who in together:
                paid[who] = size
                left -= size
        elif house.get("shortfall") == "stop":
            break
    return paid, left


COLOURS = ("red", "yellow", "green", "blue", "orange")


def auction(case):
    """The whole answer of the judge, without its steps."""
    players = case["players"]
    winner = who_wins(players, case["start"], case["bids"])

    middle = []
    for who in players:
        for colour, n in case["bids"][who].items():
            middle += [colour] * n

    rules = {"unplayed": "to_minimum", "tied_for_most": "all_rise"} | case.get("house_rules", {})
    values = {colour: move(case["values"], colour, middle, rules) for colour in COLOURS}

    # The card just won lies open already.
    on_show = {who: [list(card) for card in case["holdings"].get(who, [])] for who in players}
    on_show[winner].append(list(case["card"]))
    bonuses = {who: extra(on_show[who], values) for who in players}
    for colour in COLOURS:
        if values[colour] > 10:
            values[colour] = 6

    return {
        "winner": winner,
        "values": values,
        "bonuses": bonuses,
        "first_pick": players[(players.index(winner) + 1) % len(players)],
        "chips_on_table": len(middle),
    }


def who_wins(players, start, bids):
    """Walk clockwise from the start player; only more chips than before take the card away."""
    seats = list(players)
    while seats[0] != start:
        seats.append(seats.pop(0))
    winner = seats[0]
    for who in seats:
        if sum(bids[who].values()) > sum(bids[winner].values()):
            winner = who
    return winner


def move(values, colour, middle, rules):
    """Where the marker of a colour stands, once the chips in the middle are sorted."""
    n = middle.count(colour)
    value = values[colour]
    counts = sorted(middle.count(other) for other in COLOURS)
    if n >= 2 and n == counts[-1]:
        if rules["tied_for_most"] == "all_rise" or counts[-3] < n:
            value += 2
    elif n == 1:
        value -= 1
    elif n == 0:
        value = 2 if rules["unplayed"] == "to_minimum" else value - 2
    return max(value, 2)


def extra(cards, values):
    """What the aces of the colours above ten pay."""
    paid = 0
    for card in cards:
        for ace in card:
            if values[ace] == 11:
                paid += 5
            if values[ace] == 12:
                paid += 6
    return paid


def worth_of_cards(fortune, values, chips_at_end="one_million"):
    """What one player owns at the end."""
    total = fortune["cash"]
    if chips_at_end == "one_million":
        total += fortune["chips"]
    for card in fortune["cards"]:
        for ace in card:
            total += values[ace]
    return total


FOR_OBJECTS = [0, 1_000, 10_000, 20_000, 40_000, 60_000, 80_000, 100_000]


def play_round(banks, choices, loot):
    """The whole answer of the judge, without its steps."""
    left = {bank: list(cards) for bank, cards in banks.items()}
    piles = {who: list(loot.get(who, [])) for who in choices}
    taken = {who: [] for who in choices}

    for who, bank in choices.items():
        others = [other for other in choices if other != who and choices[other] == bank]
        if not others:
            taken[who] = list(banks[bank])
            piles[who] += banks[bank]
            left[bank] = []

    raids = []
    for bank in banks:
        if len(left[bank]) == 4:
            removed, left[bank] = left[bank], []
            raids.append({"bank": bank, "removed": removed, "returns": visit(piles)})

    return {"taken": taken, "left": left, "raids": raids, "loot": piles}


def visit(piles):
    """The police look at the piles: who has most cards gives up the dearest one."""
    most = max(len(pile) for pile in piles.values())
    returns = {}
    for who, pile in piles.items():
        if pile and len(pile) == most:
            money = [card for card in pile if card != "object"]
            returns[who] = max(money) if money else "object"
    for who, card in returns.items():
        piles[who].remove(card)
    return returns


def worth_of_loot(pile):
    """What a pile is worth at the end."""
    money = sum(card for card in pile if card != "object")
    return money + FOR_OBJECTS[pile.count("object")]
