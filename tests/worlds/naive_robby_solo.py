"""One round of Robby Solo, resolved naively: written from the booklet, before the real code."""

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


def worth(pile):
    """What a pile is worth at the end."""
    money = sum(card for card in pile if card != "object")
    return money + FOR_OBJECTS[pile.count("object")]
