"""The tables of docs/architecture.md, written from traces of the running product (`make docs`)."""

import re
from collections.abc import Callable

from tests.worlds.call_trace import CallTrace
from tests.worlds.compiled_templates import share_compiled_templates
from tests.worlds.flows import trace_bid_and_screen, trace_case, trace_tag
from tests.worlds.paths import ROOT

PAGE = ROOT / "docs/architecture.md"
FLOWS: dict[str, Callable[[], CallTrace]] = {
    "bid": trace_bid_and_screen,
    "tag": trace_tag,
    "case": trace_case,
}
TABLE = "<!-- flow: {name}, written by `make docs` -->\n{rows}<!-- end of flow -->"
WRITTEN = re.compile(r"<!-- flow: (\w+), .*?<!-- end of flow -->", re.DOTALL)


def flow_table(trace: CallTrace) -> str:
    """Return the files of a trace by folder, in the order in which each folder is entered."""
    rows = ["| | folder | files, in the order of their first call |\n", "|---|---|---|\n"]
    for n, folder in enumerate(trace.packages, 1):
        files = [file for file in trace.files if file.rpartition("/")[0] == folder]
        names = " ".join(f"`{file.rpartition('/')[2].removesuffix('.py')}`" for file in files)
        rows.append(f"| {n} | `{folder}` | {names} |\n")
    return "".join(rows)


def written_page(page: str) -> str:
    """Return the page with the tables that the traces give now."""

    def table(found: re.Match[str]) -> str:
        name = found.group(1)
        return TABLE.format(name=name, rows=flow_table(FLOWS[name]()))

    return WRITTEN.sub(table, page)


if __name__ == "__main__":
    share_compiled_templates()  # As in the tests: which ones are loaded late is no part of a flow.
    PAGE.write_text(written_page(PAGE.read_text("utf-8")), "utf-8")
