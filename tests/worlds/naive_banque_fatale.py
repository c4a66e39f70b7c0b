"""One auction of Banque Fatale, resolved naively: written from the booklets first."""

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


def worth(fortune, values, chips_at_end="one_million"):
    """What one player owns at the end."""
    total = fortune["cash"]
    if chips_at_end == "one_million":
        total += fortune["chips"]
    for card in fortune["cards"]:
        for ace in card:
            total += values[ace]
    return total
