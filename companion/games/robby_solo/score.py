"""The end of Robby Solo: money, and objects that are worth more the more one has (R.score).

Law: pure, like the round; a dispute about the final count asks the same question as the table.
"""

from collections.abc import Mapping, Sequence

from companion.core.verdict import Score, VerdictStep, find_winners, step
from companion.games.robby_solo.box import RobbySoloBox
from companion.games.robby_solo.raid import Card, guess_steps, junior_loot


def count_score(loot: Mapping[str, Sequence[Card]], box: RobbySoloBox) -> Score:
    """Count everyone's loot; the most wins, equal first places share."""
    counted = [_count_player(name, cards, box) for name, cards in loot.items()]
    totals = {one.facts["who"][0]: int(one.facts["total_money"]) for one in counted}
    best = find_winners(totals)
    text = "The win goes to {who}, with {total_money}."
    total = max(totals.values(), default=0)
    rulings = (*(("R.ties",) if len(best) > 1 else ()), *junior_loot(*best))
    ends = step("R.score", text, None, *rulings, who=list(best), total_money=total)
    steps = (*guess_steps((), map(tuple, loot.values()), box), *counted, ends)
    return Score(steps, totals, best)


def _count_player(name: str, cards: Sequence[Card], box: RobbySoloBox) -> VerdictStep:
    money = sum(card for card in cards if isinstance(card, int))
    objects = sum(not isinstance(card, int) for card in cards)
    worth = worth_of(objects, box)
    if objects:
        text = "{who}: {money} in money, and {objects} worth {worth}. Together {total_money}."
    else:
        text = "{who}: {total_money} in money, and no objects."
    return step(
        "R.score", text, None, *junior_loot(name),
        who=[name], money=money, objects=objects, worth=worth, total_money=money + worth,
    )  # fmt: skip


def worth_of(objects: int, box: RobbySoloBox) -> int:
    """Return what so many objects are worth together; the table's last line holds for any more."""
    return box.object_scores[min(objects, len(box.object_scores) - 1)]
