"""One robbery of Banküberfall, resolved naively: written from the booklets, before the real code.

Nothing here is clever, fast or shared with the companion. Cards lie in a list and are taken off
it one at a time, coins are paid one player at a time, exactly as people do it at a table.
"""

CHARACTERS = ("seductress", "policeman", "detective", "thief")


def rob(cards, bids, shortfall="continue", funds=None):
    """The whole answer of the judge, without its steps."""
    after = turn_up(cards)
    return settle(after, bids, shortfall, funds)


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


def settle(turned_up, bids, shortfall, funds=None):
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
        paid, left = share(loot, direction, bids, shortfall)
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


def share(loot, direction, bids, shortfall):
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
        elif shortfall == "stop":
            break
    return paid, left
