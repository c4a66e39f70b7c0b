"""`companion doctor`: check that everything is soldered, powered, permitted and alive.

Laws: a fault of the table is a line of the report and status 1. Only the report goes to the
standard output; questions and remarks go to the standard error.
"""

import argparse
import sys
import time
from contextlib import nullcontext
from io import TextIOWrapper
from pathlib import Path

from msgspec.structs import replace

from companion.app.wires import load_table_wiring
from companion.cli.options import EXCLUDES, add_json_option, print_json
from companion.cli.wiring import add_profile_option
from companion.core.durable_files import file_exists_error
from companion.core.errors import Malformed
from companion.core.i18n import N_, Language, Message, get_language, message
from companion.games import broken_games
from hardware.doctor.examine import examine_table
from hardware.doctor.rehearsal import rehearse_examination, rehearse_stage
from hardware.doctor.report import DoctorReport, ReportLine, TerminalPerson
from hardware.doctor.stages import StageOfWork, examine_stage, parse_stage
from hardware.measure.bench import measure_wired, rehearse_measuring
from hardware.measure.file import save_measured
from hardware.pi import prevent_lgpio_file
from hardware.rc522.transcript import record_transfers
from hardware.wiring import Wiring
from hardware.wiring.joints import STAGES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion doctor`."""
    add_profile_option(parser)
    parser.add_argument("--sim", action="store_true", help="examine a simulated table")
    parser.add_argument(
        "--stage", nargs="+", metavar=("STAGE", "N"),
        help="while soldering: examine one stage and say what comes next; one of "
             f"{', '.join(STAGES).replace('reader', 'reader N')}",
    )  # fmt: skip
    parser.add_argument(
        "--measure", type=Path, metavar="FILE",
        help="measure a module, or two beside each other, with up to six stickers, and write a "
             "file for play --air",
    )  # fmt: skip
    parser.add_argument(
        "--record", type=Path, metavar="FILE",
        help="write every SPI transfer to this file; it holds the numbers of the stickers laid",
    )  # fmt: skip
    add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """Examine the table and print the report; return 1 if anything is bad."""
    words = get_language(options.lang)
    with nullcontext() if options.record is None else record_transfers(options.record):
        if options.measure is not None:
            return _measure_bench(options, words)
        report = _make_report(options, words)
    if options.stage is None:
        games = [ReportLine(message("Games"), "doubtful", one.say) for one in broken_games()]
        report = replace(report, lines=(*report.lines, *games))
    return print_report(report, words, as_json=options.json)


def _measure_bench(options: argparse.Namespace, words: Language) -> int:
    """Measure, write the file, and say how to play with it."""
    if options.stage:
        raise Malformed("--measure", EXCLUDES, other="--stage")
    if options.measure.exists():
        raise file_exists_error(options.measure)
    wiring = load_table_wiring(options.profile)
    if options.sim:
        measured = rehearse_measuring(wiring)
    else:
        prevent_lgpio_file()
        measured = measure_wired(wiring, time, Dialogue(words).ask_question)
    save_measured(options.measure, measured)
    file, farthest = str(options.measure), measured.farthest_mm()
    if options.json:
        print_json({"measured": file})
        return 0
    if farthest is not None:
        text = "The sticker was heard over the middle up to {height} mm."
        print(words(message(text, height=f"{farthest:g}")))
    text = "Measured and written: {file}. To play in this air: companion play --air {file}"
    print(words(message(text, file=file)))
    return 0


def _make_report(options: argparse.Namespace, words: Language) -> DoctorReport:
    wiring = load_table_wiring(options.profile)
    work = parse_stage(options.stage, wiring) if options.stage else None
    if options.sim:
        return rehearse_stage(wiring, work) if work else rehearse_examination(wiring)
    return _examine_table(wiring, work, words)


def _examine_table(wiring: Wiring, work: StageOfWork | None, words: Language) -> DoctorReport:
    """Examine the wired table or one stage, with questions to the person at this terminal."""
    prevent_lgpio_file()
    talk = Dialogue(words)
    person = TerminalPerson(talk.print_message, talk.ask_question)
    if work is not None:
        return examine_stage(wiring, work, person, on_line=talk.note_line)
    return examine_table(wiring, person, on_line=talk.note_line)


class Dialogue:
    """The dialogue on the terminal; faults are printed before the next question."""

    def __init__(self, words: Language) -> None:
        self._words = words
        self._noted: list[ReportLine] = []

    def note_line(self, line: ReportLine) -> None:
        if line.state in ("bad", "doubtful"):
            self._noted.append(line)

    def print_message(self, text: Message, end: str = "\n") -> None:
        for line in self._noted:
            print("  ".join(line.render_cells(self._words)), file=sys.stderr)
        self._noted.clear()
        print(self._words(text), end=end, file=sys.stderr, flush=True)

    def ask_question(self, question: Message) -> str:
        """Return the line that is typed; Malformed if standard input is closed."""
        self.print_message(question, " ")
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        try:
            line = sys.stdin.readline()
        except OSError:
            line = ""
        if not line:
            print(file=sys.stderr)
            text = N_("No one can answer here: run the doctor in a terminal, or with {field}.")
            raise Malformed("--sim", text)
        return line


def print_report(report: DoctorReport, words: Language, *, as_json: bool) -> int:
    """Print every line and the summary; return the exit status."""
    if as_json:
        lines = [{"what": words(line.what), "state": line.state, "said": words(line.said)}
                 for line in report.lines]  # fmt: skip
        print_json({"lines": lines, "summary": words(report.summary())})
        return report.exit_status
    print(report.render_table(words), end="")
    return report.exit_status
