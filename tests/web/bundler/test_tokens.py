"""Scripts in tokens: nothing is lost, and what is written again says the same."""

import pytest

from web.bundler.errors import BundleError
from web.bundler.tokens import MARK, PATTERN, code_of, split_tokens, write_tokens
from web.page_files import STATIC

SCRIPTS = sorted(STATIC.glob("js/*js")) + sorted(STATIC.glob("vendor/*/*.js"))


def kinds(script: str) -> list[str]:
    """The slashes of a script: whether each divides or is in a pattern."""
    found = split_tokens(script, "a.mjs")
    return [token.kind for token in found if token.text.startswith("/") and token.is_code]


def packed(script: str) -> str:
    return write_tokens(split_tokens(script, "a.mjs"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_packed_script_has_the_same_code(path):
    script = path.read_text("utf-8")
    tokens = [*split_tokens(script, path.name)]
    assert "".join(token.text for token in tokens) == script
    short = write_tokens(tokens)
    assert [*code_of(split_tokens(short, path.name))] == [*code_of(tokens)]
    assert len(short) < len(script)


@pytest.mark.parametrize(
    "script",
    [
        "a = b / c / d", "(a) / b / c", "a[0] / b / c", "a++ / b / c", "1 / 2 / 3", "a.of / b / c",
        "`${a}` / b / c", "this / 2 / 3", "f(if_) / b / c", "a?.in / b / c", "x = '' / 2 / 3",
    ],
)  # fmt: skip
def test_here_a_slash_divides(script):
    assert kinds(script) == [MARK, MARK]


@pytest.mark.parametrize(
    "script",
    [
        "a = /b/g", "return /b/", "f(/b/)", "[/[/]/]", "a => /b/", "if (a) /b/.test(c)",
        "a ? /b/ : c", "`${/b/}`", "typeof /b/", "!/\\//.test(a)", "/b/.test(a)",
        "while (f(a)) /b/.exec(c)",
    ],
)  # fmt: skip
def test_here_a_slash_begins_a_pattern(script):
    assert kinds(script) == [PATTERN]


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("a = {} / 2", "line 1: put what is before this slash in parentheses"),
        ("a;\nb = /c\n/", "line 2: this pattern never ends"),
        ("a = `b${c}", "line 1: this template never ends"),
        ("f(a]", "line 1: ] closes nothing"),
        ("f(a", "a.mjs: ( is never closed"),
        ("a = 'b\nc'", 'line 1: "\'" is not understood'),
        ("a = \\u0061", "is not understood"),
    ],
)
def test_what_is_not_understood_is_named(script, why):
    with pytest.raises(BundleError, match=why.replace("(", r"\(")):
        [*split_tokens(script, "a.mjs")]


@pytest.mark.parametrize(
    ("script", "short"),
    [
        ("a + +b - -c + ++d - --e", "a+ +b- -c+ ++d- --e"),
        ("a / /b/.c", "a/ /b/.c"),
        ("1 .toFixed()\n2\n.toFixed()", "1 .toFixed()\n2 .toFixed()"),
        ("return a\nb\n(c)\n[d]\n`e`", "return a\nb\n(c)\n[d]\n`e`"),
        ("if (a) {\n  b();\n}\nc", "if(a){b();}\nc"),
        ("const {\n  a,\n} = b;\n", "const{a,}=b;"),
        ("a /* b */ c // d\n  e", "a c\ne"),
        ("a /*\n*/ b", "a\nb"),
        ("a = 'b  //  c' + `d  ${ e  + f }  /* g */`", "a='b  //  c'+`d  ${e+f}  /* g */`"),
        ("/*! MIT */ a in /b/g in c", "/*! MIT */a in/b/g in c"),
        ("x = #a in b; get  #c() {}", "x=#a in b;get #c(){}"),
    ],
)
def test_blanks_stay_where_they_part(script, short):
    assert packed(script) == short
