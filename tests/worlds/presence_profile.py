"""A wiring profile whose readers all lie under their places, where piles are not tapped."""

import msgspec

from hardware.wiring import DEFAULT, Wiring, load_profile


def presence_profile(name: str = DEFAULT) -> Wiring:
    """Return the profile of this name with a reader under every place."""
    wiring = load_profile(name)
    return msgspec.structs.replace(wiring, modes=dict.fromkeys(wiring.readers, "presence"))
