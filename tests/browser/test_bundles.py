"""The joined scripts in a real browser, beside the modules that they are made of."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import SCREEN, sit
from tests.worlds.paths import ROOT
from web.bundler.modules import read_module
from web.bundler.scripts import join_modules

HOME = "http://modules.test/"
DIGITS = re.compile(r"^([0-9a-f]{4} ?){5}$")
ENTRY = re.compile(r"/(js/main\.mjs|bundles/main-[0-9a-f]+\.js)$")

MODULES = {
    "js/a.mjs": """
import { count, name as theirs, Shape } from "./b.mjs";
import * as all from "../lib/c.mjs";
import { sha256 } from "./sha2.mjs";
const name = "a"; // The name of another module's constant as well.
let told = [];
const unused = () => told.push("never");
function gone() {}
[1, 2].forEach((n) => told.push(n / 2 / 1))
const pattern = /[/"'`]+\\/\\/ no comment/.test(`/"'\\`// no ${"comment"}`) ? 1 : 2
class Square extends Shape { static sides = 4; #side = 3
  get area() { return this.#side ** 2 } }
const f = function () { return told.length }
function alsoGone() {}
(() => told.push(f()))()
if (told) /x/.exec("x"), told.push("condition")
const shorthand = ({ name, told: list = [] }) => (
  { name, count, list, Square: (name) => ({ name }) }
);
const { name: again, count: same } = shorthand({ name: theirs + name });
told.push(again, same === count, shorthand({}).Square(5).name);
told.push([{ name }, told.length > 3 ? name : theirs]);
const label = `${name} ${`${theirs} { ${count({ in: 1, of: 2 })} }`} // ${all.half(3) + +1 - -1}`;
globalThis.told = [...told, pattern, Square.sides, new Square().area, new Square().kind, label,
  JSON.stringify(told), Object.keys(all).length, all["third"],
  [...sha256(new Uint8Array([1]))].join("")];
""",
    "js/b.mjs": """
import { half } from "../lib/c.mjs";
export const name = "b";
export function count(map) { return Object.values(map).reduce((a, b) => a + half(b), 0) }
class Shape { kind = "shape" }
export { Shape };
""",
    "lib/c.mjs": """
const name = 2;
function halved(n) { return n / name }
export { halved as half };
export const third = /* @__PURE__ */ (() => 1 / 3)();
""",
}


def load(name: str) -> str:
    path = ROOT / "web/static" / name
    return MODULES[name] if name in MODULES else path.read_text("utf-8")


def told_by(context: BrowserContext, files: dict[str, str]) -> object:
    """What `/js/a.mjs` tells if these are the files."""
    page = context.new_page()
    page.route(f"{HOME}**", lambda route: route.fulfill(
        body=files.get(route.request.url.removeprefix(HOME)) or load(route.request.url[len(HOME):]),
        content_type="text/javascript" if "." in route.request.url[len(HOME):] else "text/html",
    ))  # fmt: skip
    page.goto(f"{HOME}page")
    return page.evaluate("() => globalThis.told")


def test_a_joined_script_does_what_its_modules_do(open_browser):
    context, html = open_browser(), '<!doctype html><script type="module" src="/js/a.mjs"></script>'
    joined = join_modules(["js/a.mjs"], lambda name: read_module(name, load(name)))
    told = told_by(context, {"page": html})
    assert told[-3] == 2
    assert "never" not in joined
    assert told_by(context, {"page": html, "js/a.mjs": joined}) == told


def digits_on(phone: Page) -> str:
    phone.get_by_text("Scripts of this page").click()
    digits = phone.locator("#fingerprint output")
    expect(digits).to_have_text(DIGITS)
    return digits.text_content() or "?"


def screen_shows(context: BrowserContext, address: str, digits: str) -> None:
    screen = context.new_page()
    screen.goto(f"{address}/table")
    expect(screen.locator(".scripts")).to_contain_text(digits)


def test_the_phone_shows_the_fingerprint_of_the_table_screen(company, open_browser):
    table = company("robby_solo")
    ana = sit(open_browser(), table.address, "Ana")
    digits = digits_on(ana)
    screen_shows(open_browser(SCREEN), table.address, digits)
    entry = ana.evaluate("() => document.querySelector('script[data-signs]').src")
    text = ana.request.get(entry).text()
    ana.context.route(ENTRY, lambda route: route.fulfill(
        body=f"{text}\n// another one", content_type="text/javascript",
    ))  # fmt: skip
    ana.reload()
    assert digits_on(ana) != digits


@pytest.mark.wide
def test_a_script_that_the_page_was_given_on_its_way_changes_the_fingerprint(company, open_browser):
    table = company("robby_solo")
    ana = sit(open_browser(), table.address, "Ana")
    digits = digits_on(ana)
    page = ana.request.get(ana.url).text()
    foreign = '<script src="/static/js/kiosk_idle.mjs" type="module"></script></head>'
    ana.route("**/phone/1", lambda route: route.fulfill(body=page.replace("</head>", foreign)))
    ana.reload()
    assert digits_on(ana) != digits


@pytest.mark.wide
def test_after_an_edit_the_modules_are_served_as_they_are(play, open_browser, tmp_path: Path):
    for part in ("companion", "hardware", "web"):
        shutil.copytree(ROOT / part, tmp_path / part)
    with (tmp_path / "web/static/js/hints.mjs").open("a") as script:
        script.write("\n// edited\n")
    address = play("--seed", "1", source=tmp_path).address
    asked: list[str] = []
    context = open_browser()
    context.on("request", lambda request: asked.append(request.url.removeprefix(address)))
    ana = sit(context, address, "Ana")
    assert {"/static/js/main.mjs", "/static/js/hints.mjs", "/static/css/phone.css"} <= set(asked)
    assert not any("/bundles/" in each for each in asked)
    screen_shows(open_browser(SCREEN), address, digits_on(ana))
