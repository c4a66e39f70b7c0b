"""What root does with an errand: look for releases, have one installed, go back, power, Wi-Fi.

Laws: the power is switched whatever else is under way, since a cut of the power may come too. A
release is copied to where only root can write before it is compared with its signature,
and what was compared is what is installed. How an errand ended is in the report, whatever happens.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import cast, get_args

from msgspec.structs import replace

from companion import __version__
from companion.caretaker.errands import (
    ASKED,
    MOST_SENT,
    SENT,
    Errand,
    GoBack,
    InstallRelease,
    JoinWifi,
    LookForReleases,
    OpenHotspot,
    Power,
    ReleasePlace,
    StartAnew,
    SwitchOff,
    refuse_older,
    take_errand,
    take_power,
)
from companion.caretaker.network import join_wifi, open_hotspot
from companion.caretaker.report import (
    REPORTS,
    Outcome,
    ReleaseOffer,
    Report,
    claim_work,
    read_report,
    write_report,
)
from companion.core.errors import ExplainedError, Malformed, not_read
from companion.core.i18n import message
from companion.update.commands import PYTHON, UPDATE, open_release, unpack_archive, unpack_release
from companion.update.installed import find_installer
from companion.update.outcome import TOLD, TOLD_VARIABLE, how_ended, read_told
from companion.update.packages import (
    APT_FAILED,
    choose_files,
    install_command,
    is_package,
    list_beside,
)
from companion.update.releases import (
    INSTALLER,
    NoRelease,
    Release,
    ReleaseFiles,
    find_release,
    is_older,
)
from companion.update.repository import configured_address, fetch_release
from companion.update.signature import KEY, SIGNATURE, SUMS, check_signature
from companion.update.sticks import NO_STICK, list_devices, mount_device, parse_sticks

OTHER = "Another release lies there by now; look again."

LOG = "journalctl -u companion-caretaker"
EVERY = 0.5
"""Seconds between two looks whether the power is to be switched."""

RunTold = Callable[[Sequence[str], Mapping[str, str]], int]


def run_with(words: Sequence[str], more: Mapping[str, str]) -> int:
    """Run a command with more in its environment; return its exit status."""
    return subprocess.run(words, check=False, env={**os.environ, **more}).returncode


class Caretaker:
    """Root's side of the errands of one table."""

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        asked: Path = ASKED,
        reports: Path = REPORTS,
        sent: Path = SENT,
        key: Path = KEY,
        list_all: Callable[[], str] = list_devices,
        run: RunTold = run_with,
        find: Callable[[], Path] = find_installer,
        address: Callable[[], str] = configured_address,
        probe_names: tuple[str, ...] = (),
        choose: Callable[[], ReleaseFiles] = choose_files,
    ) -> None:
        self._asked, self._reports, self._sent, self._key = asked, reports, sent, key
        self._list_all, self._run, self._find, self._address = list_all, run, find, address
        self._probe_names, self._choose = probe_names, choose

    def work(self) -> None:
        """Carry out the errand that waits, if there is one, and report."""
        self._reports.mkdir(mode=0o755, exist_ok=True)
        with claim_work(self._reports):
            errand = take_errand(self._asked)
            (self._reports / TOLD).unlink(missing_ok=True)
            if errand is not None:
                with self._heeding_power():
                    self._work_on(errand)

    @contextmanager
    def _heeding_power(self) -> Iterator[None]:
        """Switch this Pi off, or start it anew, if that is asked for meanwhile."""
        is_over = Event()
        watch = Thread(target=self._watch_power, args=(is_over,), daemon=True)
        watch.start()
        try:
            yield
        finally:
            is_over.set()
            watch.join()

    def _watch_power(self, is_over: Event) -> None:
        while not is_over.wait(EVERY):
            errand = take_power(self._asked)
            if errand is not None:
                self._switch_power(errand)

    def _switch_power(self, errand: Power) -> None:
        do = "poweroff" if isinstance(errand, SwitchOff) else "reboot"
        self._run(("systemctl", do), {})

    def _work_on(self, errand: Errand) -> None:
        """Carry an errand out, and report."""
        doing = str(errand.__struct_config__.tag)
        asked = errand if isinstance(errand, InstallRelease) else None
        offers = read_report(self._reports).offers
        report = Report(doing, offers, asked)
        write_report(self._reports, report)
        try:
            report = self._carry_out(errand, report)
        except ExplainedError as wrong:
            report = replace(report, ended="failed", says=wrong.say)
        except OSError as error:
            says = message("This did not succeed: {reason}.", reason=error.strerror or str(error))
            report = replace(report, ended="failed", says=says)
        write_report(self._reports, replace(report, doing=""))

    def _carry_out(self, errand: Errand, report: Report) -> Report:
        match errand:
            case LookForReleases():
                return replace(report, offers=tuple(self._list_offers()))
            case InstallRelease():
                return self._install(errand, report)
            case GoBack():
                now = ("--now",) if errand.now else ()
                command = (PYTHON, "-sE", str(self._find()), "--rollback", *now)
                return self._run_installer(command, report)
            case SwitchOff() | StartAnew():
                self._switch_power(errand)
            case OpenHotspot():
                open_hotspot(errand.port, self._probe_names, table=errand.table)
            case JoinWifi():
                join_wifi(errand.name, errand.password, errand.port, self._probe_names)
        return replace(report, ended="done")

    # Releases.

    def _list_offers(self) -> Iterator[ReleaseOffer]:
        """Yield what each place offers; one with a fault says it, an empty one is left out."""
        places: list[ReleasePlace] = ["stick"]
        places += ["sent"] if self._sent.exists() else []
        places += ["repository"] if self._address() else []
        for place in places:
            try:
                with self._open(place) as release:
                    older = is_older(release.version)
                    yield ReleaseOffer(place, release.version, is_older=older)
            except NoRelease:
                continue
            except ExplainedError as wrong:
                yield ReleaseOffer(place, wrong=wrong.say)

    def _install(self, errand: InstallRelease, report: Report) -> Report:
        """Have the installer of a release install it, if it is still the one that was offered."""
        with self._open(errand.place) as release:
            if release.version != errand.version:
                return replace(report, ended="failed", says=message(OTHER))
            if is_older(release.version) and not errand.older:
                refused = refuse_older(release.version, __version__)
                return replace(report, ended="failed", says=refused.say)
            chosen = [f"--{name}" for name in ("agree", "now") if getattr(errand, name)]
            report = self._install_opened(release, chosen, report)
        if report.ended == "done" and errand.place == "sent":
            self._sent.unlink(missing_ok=True)
        return report

    def _install_opened(self, release: Release, chosen: Sequence[str], report: Report) -> Report:
        if is_package(release.path):
            report = self._run_installer(install_command(release.path, chosen), report, tells=True)
            if report.ended == "failed" and not report.words:
                return replace(report, says=message(APT_FAILED, command=LOG))
            return report
        with unpack_release(release) as folder:
            brought = () if release.libraries is None else ("--libraries", str(release.libraries))
            command = (PYTHON, "-sE", str(folder / INSTALLER), *chosen, *brought)
            return self._run_installer(command, report)

    def _run_installer(self, words: Sequence[str], report: Report, tells: bool = False) -> Report:
        """Run an installer; say how it ended, in its own words where ours do not reach."""
        status = self._run(words, {TOLD_VARIABLE: str(self._reports / TOLD)})
        told = read_told(self._reports)
        ended = how_ended(status, told, tells)
        code = cast(Outcome, ended) if ended in get_args(Outcome) else "failed"
        return replace(report, ended=code, words=told.text, cases=told.cases, missing=told.missing)

    @contextmanager
    def _open(self, place: ReleasePlace) -> Iterator[Release]:
        """Yield a copy of the release at a place, which only root can write, signed as it must."""
        wanted = self._choose()
        with ExitStack() as stack:
            scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-r-")))
            if place == "repository":
                tell = self._tell_fetched
                fetch_release(self._address(), scratch, True, wanted, tell)
            elif place == "sent":
                copy_sent(self._sent, scratch / self._sent.name)
                scratch = stack.enter_context(unpack_archive(scratch / self._sent.name))
            else:
                found = self._find_on_sticks(stack, wanted)
                libraries = copy_release(found, scratch)
                check_signature(scratch, self._key)
                yield find_release(scratch, wanted)._replace(libraries=libraries)
                return
            check_signature(scratch, self._key)
            yield find_release(scratch, wanted)

    def _tell_fetched(self, come: int, of: int) -> None:
        """Note in the report how much of a release has come, with every hundredth of it."""
        hundredths = come * 100 // of if of else 0
        report = read_report(self._reports)
        if report.fetched != hundredths:
            write_report(self._reports, replace(report, fetched=hundredths))

    def _find_on_sticks(self, stack: ExitStack, wanted: ReleaseFiles) -> Release:
        """Return the first sound release of any stick, which stays mounted as long as the stack."""
        damage: Malformed | None = None
        for stick in parse_sticks(self._list_all()):
            try:
                place = stick.place or stack.enter_context(mount_device(stick.device))
                updates = sorted(place.glob(f"*{UPDATE}"))
                return stack.enter_context(open_release(updates[-1] if updates else place, wanted))
            except NoRelease:
                continue
            except Malformed as wrong:
                damage = damage or wrong
        raise damage or NoRelease("/dev", NO_STICK)


def copy_sent(sent: Path, into: Path) -> None:
    """Copy a file of the table's user: no link is followed, and not more than a release has."""
    try:
        held = os.open(sent, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise not_read(sent.name, error) from None
    with os.fdopen(held, "rb") as source, into.open("wb") as target:
        while target.tell() < MOST_SENT and (chunk := source.read(1 << 20)):
            target.write(chunk)


def copy_release(release: Release, into: Path) -> Path | None:
    """Copy an archive, and the packages beside it, with checksums and signature; return where its
    libraries lie."""
    if not release.version:
        raise NoRelease(str(release.path), NO_STICK)  # A clone is never signed.
    lying = [each.name for each in release.path.parent.iterdir()]
    archives = [release.path.name, *list_beside(release.path.name, lying)]
    place = release.path.parent.relative_to(release.folder)
    for name in (*(place / each for each in archives), Path(SUMS), Path(SIGNATURE)):
        (into / name).parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            shutil.copyfile(release.folder / name, into / name)
    return release.libraries
