"""Health of a reader over its visits, and the remedy to try next: pure.

Law: a chip that forgot its settings is set up again at once. One that does not answer is given
three rounds, then a soft reset, then a pull at its reset line, and then it is *offline*, reported
within two seconds. An offline reader is asked every round, for ever, and the first good answer
brings it back. No other reader waits for it.
"""

from typing import Literal

import msgspec

from hardware.reader import Finding

Remedy = Literal["none", "set up", "soft reset", "hard reset"]
News = Literal["lost", "found"] | None
Word = Literal["well", "ailing", "offline"]

ROUNDS = 3
WORRY = 0.5  # seconds that count as three rounds where rounds are slow
GIVE_UP = 1.0
RETRY = 30.0  # the reset line is shared, so an offline reader may pull it only now and then


class HealthState(msgspec.Struct, frozen=True):
    """The recent health of a reader; `since` is when it was first found unwell."""

    offline: bool = False
    bad_rounds: int = 0
    since: float = 0.0
    tried: Remedy = "none"
    pulled: float = 0.0

    @property
    def word(self) -> Word:
        return "offline" if self.offline else "ailing" if self.bad_rounds else "well"


class Treatment(msgspec.Struct, frozen=True):
    """The health after a finding, the remedy, and the news for the table."""

    health: HealthState
    remedy: Remedy = "none"
    news: News = None


class CareRecord(msgspec.Struct, frozen=True):
    """The retries and healings of a reader; `treated` since it was last well."""

    retries: int = 0
    healings: int = 0
    treated: bool = False


def update_care(care: CareRecord, before: HealthState, now: Treatment) -> CareRecord:
    """Return the record after one more visit; visits to an offline reader do not count."""
    if now.health.word == "well":
        return CareRecord(care.retries, care.healings + care.treated)
    return CareRecord(
        care.retries + (not before.offline),
        care.healings,
        care.treated or before.offline or now.remedy != "none",
    )


def choose_treatment(health: HealthState, finding: Finding, now: float) -> Treatment:
    """Return the treatment for a finding at this moment."""
    if finding == "well":
        return Treatment(HealthState(), news="found" if health.offline else None)
    if finding == "forgetful":
        worse = _worsen_health(health, now, health.tried)
        if worse.offline or worse.bad_rounds <= ROUNDS or now - worse.since < GIVE_UP:
            return Treatment(worse, "set up")
        return Treatment(msgspec.structs.replace(worse, offline=True), "set up", "lost")
    if health.offline:
        return _keep_trying(health, now)
    return _next_stage(_worsen_health(health, now, health.tried), now)


def _worsen_health(health: HealthState, now: float, tried: Remedy) -> HealthState:
    since = health.since if health.bad_rounds else now
    return msgspec.structs.replace(
        health, bad_rounds=health.bad_rounds + 1, since=since, tried=tried
    )


def _next_stage(health: HealthState, now: float) -> Treatment:
    ill_for = now - health.since
    if health.bad_rounds < ROUNDS and ill_for < WORRY:
        return Treatment(health)
    if health.tried == "none":
        return Treatment(msgspec.structs.replace(health, tried="soft reset"), "soft reset")
    if health.tried == "soft reset":
        tried = msgspec.structs.replace(health, tried="hard reset", pulled=now)
        return Treatment(tried, "hard reset")
    if ill_for < GIVE_UP:
        return Treatment(health)
    return Treatment(msgspec.structs.replace(health, offline=True), news="lost")


def _keep_trying(health: HealthState, now: float) -> Treatment:
    if now - health.pulled < RETRY:
        return Treatment(health)
    return Treatment(msgspec.structs.replace(health, pulled=now), "hard reset")
