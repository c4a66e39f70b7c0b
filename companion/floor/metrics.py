"""How the table is as Prometheus reads it: numbers for a program that looks after many.

Laws: it is built up from nothing, figure by figure, of the health report and of what the floor is
told, so there is no name, card, bid, PIN or path in it; sizes are rounded as there. How busy the
machine is, other programs tell, such as node_exporter.
"""

from collections.abc import Iterator, Mapping

from companion.floor.table_status import ServiceStatus
from companion.host.report import HealthReport

TYPE = "text/plain; version=0.0.4; charset=utf-8"
LIGHTS = {"green": 0, "amber": 1, "red": 2}
Labels = Mapping[str, str | int]
Sample = tuple[Labels, float | int | None]


def render_metrics(status: ServiceStatus, report: HealthReport) -> bytes:
    """Return all figures in the text format of Prometheus; what is unknown is left out."""
    return "".join(_list_lines(status, report)).encode()


def _list_lines(status: ServiceStatus, report: HealthReport) -> Iterator[str]:
    board = report.board
    once: dict[str, tuple[str, float | int | None]] = {
        "light": ("The worst light: 0 green, 1 amber, 2 red.", LIGHTS[status.light]),
        "game_under_way": ("Whether a game is on the table.", int(bool(status.game))),
        "game_players": ("The players of that game.", status.players),
        "game_stopped": ("Whether it is paused, frozen or ended.", int(bool(status.stopped))),
        "journal_mebibytes": ("The size of the journal, rounded up.", report.journal_mib),
        "temperature_celsius": ("How warm the board is.", board.celsius),
    }  # fmt: skip
    yield from _describe_metric(
        "info", "The version that runs.", [({"version": report.companion}, 1)]
    )
    for name, (about, value) in once.items():
        yield from _describe_metric(name, about, [({}, value)])
    lights: list[Sample] = [({"light": n}, LIGHTS[colour]) for n, colour in report.lights.items()]
    yield from _describe_metric("light_state", "Each light: 0 green, 1 amber, 2 red.", lights)
    readers: list[Sample] = [
        ({"place": each.place}, int(each.word != "offline")) for each in report.readers
    ]
    yield from _describe_metric("reader_up", "Whether the reader of a place answers.", readers)


def _describe_metric(name: str, about: str, samples: list[Sample]) -> Iterator[str]:
    known = [(labels, value) for labels, value in samples if value is not None]
    if known:
        yield f"# HELP companion_{name} {about}\n# TYPE companion_{name} gauge\n"
    for labels, value in known:
        told = ",".join(f'{key}="{_escape_label(str(each))}"' for key, each in labels.items())
        yield f"companion_{name}{f'{{{told}}}' if told else ''} {value}\n"


def _escape_label(label: str) -> str:
    return label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
