"""`companion doctor [PROFILE]`: check that everything is soldered, powered, permitted and alive.

Law: a fault of the table is a line of the report and status 1. Only the report goes to the standard
output; questions and remarks go to the standard error.
"""

import argparse
import sys
import time
from contextlib import nullcontext
from io import TextIOWrapper
from pathlib import Path

from msgspec.structs import replace

from companion.app.settings import file_exists_error
from companion.app.wires import profile_or_learnt
from companion.cli.doctor_report import print_report
from companion.cli.language import fill_help
from companion.cli.output import add_json_option
from companion.cli.wiring import add_profile_option
from companion.core.errors import Malformed
from companion.core.i18n import N_, Language, Message, get_language, message
from companion.games import broken_games
from hardware.doctor import DoctorReport, ReportLine, TerminalPerson, examine_table
from hardware.doctor.rehearsal import rehearse_examination, rehearse_stage
from hardware.doctor.stages import StageOfWork, examine_stage, parse_stage
from hardware.measure.bench import measure_wired, rehearse_measuring
from hardware.measure.file import save_measured
from hardware.pi import prevent_lgpio_file
from hardware.rc522.transcript import record_transfers
from hardware.simulator.script import load_script
from hardware.wiring import Wiring, load_profile
from hardware.wiring.joints import STAGES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion doctor`."""
    add_profile_option(parser)
    parser.add_argument("--sim", action="store_true", help="examine a simulated table")
    parser.add_argument("--faults", metavar="FILE", help="with --sim: simulate these faults")
    stage = parser.add_argument(
        "--stage", nargs="+", metavar=("STAGE", "N"),
        help="while soldering: examine one stage and say what comes next; one of %(stages)s N",
    )  # fmt: skip
    fill_help(stage, stages=", ".join(STAGES))
    parser.add_argument(
        "--measure", type=Path, metavar="FILE",
        help="measure two modules with six stickers, and write what the simulator is calibrated "
             "with",
    )  # fmt: skip
    parser.add_argument(
        "--record", type=Path, metavar="FILE",
        help="write every SPI transfer to this file; it holds the numbers of the stickers laid",
    )  # fmt: skip
    parser.add_argument(
        "--speed", action="store_true",
        help="measure how soon a change is on every page: at a table of its own, on this machine; "
             "takes a minute, on a small Pi a few",
    )  # fmt: skip
    add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """Examine the table and print the report; return 1 if anything is bad."""
    words = get_language(options.lang)
    if options.speed:
        return _measure_speed(options, words)
    with nullcontext() if options.record is None else record_transfers(options.record):
        if options.measure is not None:
            return _measure_bench(options, words)
        report = _make_report(options, words)
    if options.stage is None:
        report = _add_games(report)
    return print_report(report, words, as_json=options.json)


def _measure_bench(options: argparse.Namespace, words: Language) -> int:
    """Measure, write the file, and say how to play with it."""
    if options.stage or options.faults is not None:
        raise Malformed("--measure", N_("{field} goes with neither --stage nor --faults."))
    if options.measure.exists():
        raise file_exists_error(options.measure)
    wiring = load_profile(profile_or_learnt(options.profile))
    if options.sim:
        measured = rehearse_measuring(wiring)
    else:
        prevent_lgpio_file()
        measured = measure_wired(wiring, time, _DoctorTerminal(words).ask_question)
    save_measured(options.measure, measured)
    text = "Measured and written: {file}. To play in this air: companion play --air {file}"
    print(words(message(text, file=str(options.measure))))
    return 0


def _measure_speed(options: argparse.Namespace, words: Language) -> int:
    """Measure a table that is served for this alone, and print the report."""
    others = (
        options.sim, options.faults, options.stage, options.measure, options.record, options.json
    )  # fmt: skip
    if any(others) or options.profile is not None:
        raise Malformed("--speed", N_("{field} goes with --lang alone."))
    from companion.app.speed.check import check_speed  # It loads the whole server.

    report = check_speed(_DoctorTerminal(words).print_message)
    print(report.render_table(words), end="")
    return report.exit_status


def _make_report(options: argparse.Namespace, words: Language) -> DoctorReport:
    if options.faults is not None and not options.sim:
        raise Malformed("--faults", N_("{field} goes with --sim."))
    wiring = load_profile(profile_or_learnt(options.profile))
    work = parse_stage(options.stage, wiring) if options.stage else None
    if options.sim:
        faults = "" if options.faults is None else load_script(options.faults)
        if work is not None:
            return rehearse_stage(wiring, work, faults)
        return rehearse_examination(wiring, faults)
    return _examine_table(wiring, work, words)


def _add_games(report: DoctorReport) -> DoctorReport:
    """Add a line for each installed game that cannot be loaded; the others can be played."""
    games = [ReportLine(message("games"), "doubtful", broken.say) for broken in broken_games()]
    return replace(report, lines=(*report.lines, *games))


def _examine_table(wiring: Wiring, work: StageOfWork | None, words: Language) -> DoctorReport:
    """Examine the wired table or one stage, with questions to the person at this terminal."""
    talk = _DoctorTerminal(words)
    prevent_lgpio_file()
    person = TerminalPerson(talk.print_message, talk.ask_question)
    if work is not None:
        return examine_stage(wiring, work, person, on_line=talk.note_line)
    return examine_table(wiring, person, on_line=talk.note_line)


class _DoctorTerminal:
    """The dialogue on the terminal; faults are printed before the next question."""

    def __init__(self, words: Language) -> None:
        self._words = words
        self._noted: list[ReportLine] = []

    def note_line(self, line: ReportLine) -> None:
        if line.state in ("bad", "doubtful"):
            self._noted.append(line)

    def print_message(self, text: Message) -> None:
        self._print_noted()
        print(self._words(text), file=sys.stderr, flush=True)

    def ask_question(self, question: Message) -> str:
        self._print_noted()
        print(self._words(question), end=" ", file=sys.stderr, flush=True)
        return _read_answer()

    def _print_noted(self) -> None:
        for line in self._noted:
            print("  ".join(line.render_cells(self._words)), file=sys.stderr)
        self._noted.clear()


def _read_answer() -> str:
    """Read one line; Malformed if standard input is closed."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    try:
        line = sys.stdin.readline() if sys.stdin is not None else ""
    except OSError:
        line = ""
    if not line:
        print(file=sys.stderr)
        text = N_("No one can answer here: run the doctor in a terminal, or with {field}.")
        raise Malformed("--sim", text)
    return line
