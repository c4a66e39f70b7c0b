"""Style sheets joined into one."""

import pytest

from web.bundler.errors import BundleError
from web.bundler.sheets import join_sheets


def packed(*sheets: str) -> str:
    names = [str(n) for n in range(len(sheets))]
    return join_sheets(names, lambda name: sheets[int(name)], lambda name: f"/kept/{name}")


@pytest.mark.parametrize(
    ("sheet", "short"),
    [
        ("a  :hover > b ,\nc { d : e ; f: 0 -1px ; }\n", "a :hover > b,c{d :e;f:0 -1px}"),
        ("@media (a: 1px) and (b) {\n  c { d: e }\n}", "@media (a:1px) and (b){c{d:e}}"),
        ("a { b: calc(1px + 2px) }", "a{b:calc(1px + 2px)}"),
        ("a0.b{c:0.5em -0.25em;d:max(0.1*10.05px,0)}", "a0.b{c:.5em -.25em;d:max(.1*10.05px,0)}"),
        ("a { b: '0.5' url(/static/0.5) }", "a{b:'0.5' url(/kept/0.5)}"),
        ("a::b { c: \" ;  } /* x */ \"; --d: 'e  f' }", "a::b{c:\" ;  } /* x */ \";--d:'e  f'}"),
        ("/* a { */ b/**/c {}", "b c{}"),
        ("u, ul { color: rgb(1 2 3 / 4%) !important; }", "u,ul{color:rgb(1 2 3 / 4%) !important}"),
        ("a { b: url(/static/cards/c.svg) 0 0 / 100% }", "a{b:url(/kept/cards/c.svg) 0 0 / 100%}"),
    ],
)  # fmt: skip
def test_blanks_and_comments_go_where_they_mean_nothing(sheet, short):
    assert packed(sheet) == f"{short}\n"


def test_sheets_come_in_their_order():
    assert packed("a { b: c }", "a { b: d }") == "a{b:c}\na{b:d}\n"


@pytest.mark.parametrize(
    ("sheet", "why"),
    [
        ('@import "b.css";', "families.toml"),
        ("a { b: url(../c.svg) }", "refer to files by /static/"),
    ],
)
def test_what_would_lead_elsewhere_is_refused(sheet, why):
    with pytest.raises(BundleError, match=why):
        packed(sheet)
