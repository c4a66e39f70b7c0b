"""House rules in words: how a table plays what a booklet leaves open.

Law: every answer of every box has its sentence, which its game brings; names like "shortfall" are
for files and programs. Pages, the judge and the host all say the same.
"""

from companion.core.i18n import INSTALLED, GameTexts, InstalledTexts, Message


def describe_house_rule(name: str, value: str) -> Message:
    """Return a message with the way a table plays a house rule."""
    return find_sentence(INSTALLED, name, value)


def find_sentence(texts: GameTexts | InstalledTexts, name: str, value: str) -> Message:
    """Return the sentence that these texts have for a house rule; its name and answer if none."""
    return Message(texts.house_rules.get((name, value), f"{name}: {value}"))
