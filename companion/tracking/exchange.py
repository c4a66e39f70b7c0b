"""A new sticker takes the place of another one in the picture of a table.

Law: what the game has of the card stays as it is; only the mark that stands for it is another one.
A sticker that is new to the game counts where it is laid next, not where it lies while it is
registered.
"""

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from companion.tracking.picture import Picture
from companion.tracking.sweep import mark_passed

Value = TypeVar("Value")


def exchange_tag(picture: Picture, old: str, new: str, place: int) -> Picture:
    """Return the picture in which the new tag, which lies at this place, stands for the old one."""
    at_home = picture.home.get(old) == place
    picture = forget_tag(picture, new)

    def rename(tags: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(new if tag == old else tag for tag in tags)

    lying = {at: rename(tags) for at, tags in picture.lying.items()}
    if at_home and new not in lying.get(place, ()):
        lying[place] = (*lying.get(place, ()), new)
    renamed = msgspec.structs.replace(
        picture,
        lying=lying,
        came=_rename_key(picture.came, old, new),
        home=_rename_key(picture.home, old, new),
        spent=_rename_key(picture.spent, old, new),
        discarded=frozenset(rename(tuple(picture.discarded))),
        lifted=picture.lifted - {old},
        away=picture.away - {old},
        passed=rename(picture.passed),
        counted=rename(picture.counted),
        covered=frozenset(rename(tuple(picture.covered))),
    )
    is_swept = at_home and place == picture.swept_place
    return mark_passed(renamed, (new,)) if is_swept else renamed


def forget_tag(picture: Picture, tag: str) -> Picture:
    """Return the picture as if a tag had not come yet."""
    return msgspec.structs.replace(
        picture,
        lying={at: _without(tags, tag) for at, tags in picture.lying.items()},
        came={other: at for other, at in picture.came.items() if other != tag},
        late=picture.late - {tag},
        lifted=picture.lifted - {tag},
        away=picture.away - {tag},
        idle=picture.idle - {tag},
        passed=_without(picture.passed, tag),
    )


def _without(tags: tuple[str, ...], tag: str) -> tuple[str, ...]:
    return tuple(other for other in tags if other != tag)


def _rename_key(values: Mapping[str, Value], old: str, new: str) -> dict[str, Value]:
    return {new if tag == old else tag: value for tag, value in values.items()}
