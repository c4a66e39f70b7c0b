"""What the walk through the box has to tell in a browser, where the next thing is asked for by a
picture beside it.

Law: news only. What to do next is the walk's own `next`, and no sentence names a key of a terminal.
"""

from companion.core.i18n import Say, say
from companion.enrol import Walk


def news(before: Walk, after: Walk, said: Say | None) -> Say | None:
    """What has happened between two moments of a walk, by what it would say at a terminal."""
    if said is None or said == after.next:
        return None
    if after.trouble == "known":
        text = (
            "This sticker was enrolled before, as {thing}. Lay another card, or say that it is on "
            "{other_thing} now; if both have one, they are twins, and one needs a new sticker."
        )
        return Say(text, said.facts)
    taken = len(after.steps) - len(before.steps)
    if taken > 0 and after.skipped != before.skipped:
        return say("Skipped: {thing}.", thing=before.wanted)
    if taken > 0:
        return say("Enrolled: {thing}.", thing=before.wanted)
    if taken < 0 and not after.trouble:
        return say("Taken back.")
    return said
