"""Signed writes: what a signature costs the table, and what it costs a phone.

The table's cost is the difference between a write and the same one with the check taken out, in
turn. The phone's is measured in Chromium on a processor slowed to a sixth.
"""

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles

from flask import Flask
from playwright.sync_api import sync_playwright
from werkzeug.test import Client

from bench.measure import Figure
from companion.identity import IdentityStore
from tests.browser.conftest import CALM, PHONE, find_chromium
from tests.worlds.served_app import Served
from tests.worlds.signer import Signer, browser_of, new_cookie, signer_of
from tests.worlds.visitor import OURS, UNHURRIED
from tests.worlds.watched_table import Watched
from web.app import create_app
from web.context import AppContext
from web.security import SIGNATURE as HEADER
from web.security import check_write

WRITES, SIGNATURES = 400, 60
SLOWER = 6
PATH = "/api/join/language"
SIGN = """async (many) => {
  const { sendSigned, signStream } = await import("/static/js/signing.mjs");
  const body = JSON.stringify({ language: "en", key: "bench" });
  await sendSigned("/api/join/language", body, { "Content-Type": "application/json" });
  const taken = [];
  for (let n = 0; n < many; n += 1) {
    const begun = performance.now();
    signStream(`/stream/table?n=${n}`);
    taken.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return taken;
}"""


def figures() -> Iterator[Figure]:
    """Measure what a signature costs at the table and at a phone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        watched = Watched(folder / "journal.sqlite3", "bankueberfall")
        identity = IdentityStore(folder / "identity.sqlite3")
        app = create_app(AppContext(watched.table, identity=identity), limits=UNHURRIED)
        signed, plain = _write_times(app)
        more = median(signed) - median(plain)
        yield Figure(f"a signature checked, p50 ({_spread(signed)} in all)", more, "ms", 1.0, False,
                     "the write without it", median(signed) / median(plain))  # fmt: skip
        taken = _phone_times(app)
        yield Figure(f"… made by a phone at a sixth, p50 ({_spread(taken)})", median(taken), "ms",
                     30.0, False, "the signature checked", median(taken) / more)  # fmt: skip
        watched.journal.close()
        identity.close()


def _spread(taken: Sequence[float]) -> str:
    """Return the tenth and the ninetieth percentile."""
    tenths = quantiles(taken, n=10)
    return f"{tenths[0]:.2f}-{tenths[-1]:.2f}"


def _write_times(app: Flask) -> tuple[list[float], list[float]]:
    """Return the milliseconds of signed writes, and of writes whose signature is not checked."""
    checks = app.before_request_funcs[None]
    cookie = f"companion={new_cookie(app)}"
    signer, signed, plain = signer_of(app, browser_of(app, cookie)), list[float](), list[float]()
    for n in range(WRITES):
        signed.append(_write_ms(app, cookie, signer, n))
        at = checks.index(check_write)
        checks.remove(check_write)
        plain.append(_write_ms(app, cookie, signer, WRITES + n))
        checks.insert(at, check_write)
    return signed, plain


def _write_ms(app: Flask, cookie: str, signer: Signer, n: int) -> float:
    body = b'{"language": "en", "key": "bench-%d"}' % n
    head = {"Origin": OURS, "Cookie": cookie, "Content-Type": "application/json"}
    head[HEADER] = signer.signs(PATH, body)
    client = Client(app, use_cookies=False)
    begun = time.perf_counter()
    answer = client.post(PATH, base_url=OURS, data=body, headers=head)
    taken = time.perf_counter() - begun
    assert answer.status_code == 204, answer.text
    return 1000 * taken


def _phone_times(app: Flask) -> list[float]:
    """Return the milliseconds of signatures in a slowed browser."""
    served = Served(app)
    try:
        with sync_playwright() as playwright:
            found = find_chromium()
            browser = playwright.chromium.launch(executable_path=found, args=[*CALM])
            page = browser.new_context(viewport=PHONE).new_page()  # type: ignore[arg-type]
            page.goto(f"{served.address}/table")
            slowed = page.context.new_cdp_session(page)
            slowed.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            taken: list[float] = page.evaluate(SIGN, SIGNATURES)
            browser.close()
            return taken
    finally:
        served.shut()
