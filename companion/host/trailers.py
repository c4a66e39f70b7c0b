"""Trailers: which moments of a recorded game the demo shows, and for how long.

Laws: a trailer is data that lies beside the record (trailer.json): its shots in their order, each a
moment of the record. A verdict that it shows is told to its last step, and then stands. How the
evening and its moments were chosen is written in the generator that makes both (`make demo`).
"""

import msgspec

from companion.games.game import Game


class Shot(msgspec.Struct, frozen=True, omit_defaults=True):
    """A moment of the record, the seconds for which it is shown, and what was looked for in it."""

    at: int
    seconds: float
    shows: tuple[str, ...] = ()


class Trailer(msgspec.Struct, frozen=True):
    """The shots of one game, and the seed with which the bots played it."""

    seed: int
    shots: tuple[Shot, ...]

    @property
    def seconds(self) -> float:
        """The seconds that it takes as a whole."""
        return sum(shot.seconds for shot in self.shots)

    def seconds_by_moment(self) -> dict[int, float]:
        """Return for each moment that is shown its seconds."""
        return {shot.at: shot.seconds for shot in self.shots}


def load_trailer(game: Game) -> Trailer | None:
    """Return the trailer that comes with a box; None if there is none, or it cannot be read."""
    try:
        return msgspec.json.decode(game.trailer_file.read_bytes(), type=Trailer)
    except (OSError, ValueError):
        return None
