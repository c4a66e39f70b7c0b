"""Print the report of the doctor: as a table with colours, or as JSON."""

from companion.cli.colours import COLOUR_OF, paint
from companion.cli.output import print_json
from companion.core.i18n import Language
from hardware.doctor import DoctorReport


def print_report(report: DoctorReport, words: Language, *, as_json: bool) -> int:
    """Print every line and the summary; return the exit status."""
    if as_json:
        lines = [{"what": words(line.what), "state": line.state, "said": words(line.said)}
                 for line in report.lines]  # fmt: skip
        print_json({"lines": lines, "summary": words(report.summary())})
        return report.exit_status
    rows = report.render_table(words).splitlines()
    for line, row in zip(report.lines, rows, strict=False):
        state = line.render_cells(words)[1]
        print(row.replace(f"  {state}", f"  {paint(state, COLOUR_OF.get(line.state, ''))}", 1))
    print("\n".join(rows[len(report.lines) :]))
    return report.exit_status
