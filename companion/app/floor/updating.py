"""Have a table install a release, and see whether it is well with it.

Laws: the release that staff gave to the floor is handed to the table first, if there is one; root
there decides whether its maker signed it. A table that has the version already is well with it.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

import msgspec

from companion.app.floor.table_line import TableLine
from companion.caretaker.desk import DeskStatus
from companion.caretaker.report import ReleaseOffer
from companion.core.i18n import N_, Message, message
from companion.floor.held_release import HeldRelease
from companion.floor.table_state import TableState

TIMEOUT = 2400.0
NO_RELEASE = N_("The table is offered no newer version.")
LEFT = N_("The table left the new version again: it was not well with it.")
TOO_LONG = N_("The table was not well again in time.")


class TableUpdater:
    """Updates tables one at a time, over the line to them."""

    def __init__(self, line: TableLine, held: HeldRelease, pause: float = 2.0) -> None:
        self._line, self._held, self.pause = line, held, pause

    async def update_table(self, tile: str) -> Message | None:
        """Have a table install the newest release that it is offered; return why not."""
        looked = await self._hand_over(tile) if self._held.is_there() else await self._look(tile)
        if looked is not None:
            return looked
        status = await self._wait_for_desk(tile, lambda _status: True)
        if status is None:
            return message(TOO_LONG)
        chosen = self._choose_offer(status)
        if not isinstance(chosen, ReleaseOffer):
            return chosen
        fields = {"place": chosen.place, "version": chosen.version}
        asked = await self._line.act(tile, "install", fields)
        return asked.failed or await self._watch_update(tile, chosen.version)

    async def _look(self, tile: str) -> Message | None:
        return (await self._line.act(tile, "look")).failed

    async def _hand_over(self, tile: str) -> Message | None:
        """Send the release of the floor, at which the table then looks; return why it was not."""
        digest = await asyncio.to_thread(self._held.read_digest)
        state = await self._line.act(tile, "state")  # A counter that is behind is put right here.
        if state.failed is not None:
            return state.failed
        return (await self._line.send_file(tile, "release", self._held.path, digest)).failed

    def _choose_offer(self, status: DeskStatus) -> ReleaseOffer | Message | None:
        """Return the release to install; None if the table has it, or why there is none."""
        offers = list(status.report.offers)
        if self._held.is_there():
            offers = [each for each in offers if each.place == "sent"]
        sound = [each for each in offers if not each.wrong]
        newest = max(sound, key=lambda each: _parse_version(each.version), default=None)
        if newest is None:
            wrong = next((each.wrong for each in offers if each.wrong), None)
            return wrong or message(NO_RELEASE)
        if newest.version == status.version:
            return None
        is_newer = _parse_version(newest.version) > _parse_version(status.version)
        return newest if is_newer else message(NO_RELEASE)

    async def _watch_update(self, tile: str, version: str) -> Message | None:
        """Wait until this version runs or was left; return why the table is not well with it."""

        def is_decided(told: DeskStatus) -> bool:
            return told.version == version or told.report.ended not in {"", "done"}

        done = await self._wait_for_desk(tile, is_decided)
        if done is None:
            return message(TOO_LONG)
        if done.report.ended != "done" or done.version != version:
            return done.report.says or message(LEFT)
        answer = await self._line.act(tile, "state")
        if answer.failed is not None:
            return answer.failed
        state = msgspec.json.decode(answer.body, type=TableState)
        return message(TOO_LONG) if state.light == "red" else None

    async def _wait_for_desk(
        self, tile: str, is_enough: Callable[[DeskStatus], bool]
    ) -> DeskStatus | None:
        """Ask again and again, also while the table starts anew, until nothing runs there."""
        with suppress(TimeoutError):
            async with asyncio.timeout(TIMEOUT):
                while True:
                    await asyncio.sleep(self.pause)
                    answer = await self._line.act(tile, "machine")
                    if answer.failed is None:
                        status = msgspec.json.decode(answer.body, type=DeskStatus)
                        if not (status.waits or status.report.doing) and is_enough(status):
                            return status
        return None


def _parse_version(written: str) -> tuple[int, ...]:
    return tuple(int(part) for part in written.split(".") if part.isdecimal())
