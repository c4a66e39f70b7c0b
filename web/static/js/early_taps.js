// Hold what is tapped before the scripts that sign it have come, and send it then. This is a script of
// the head, not a module, so that it runs before anything can be tapped; until it runs, and without
// scripts, taps have no effect (main.css).
//
// A script or sheet that does not come is asked for again, as a phone at the edge of the Wi-Fi loses
// one now and then, and the page would stay as it is. If the table is there and the scripts still do not
// come, the page says what to do.

{
  const held = new Map(); // Form to the button that sent it, in the order of the first taps.
  const findBanner = () => document.getElementById("link");
  const PAUSES_MS = [500, 1_000, 2_000, 4_000];

  /** @param {SubmitEvent} event */
  const hold = (event) => {
    if (event.target.method !== "post") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    held.set(event.target, event.submitter);
  };

  const release = () => {
    document.removeEventListener("submit", hold, true);
    for (const [form, button] of held) if (form.isConnected) form.requestSubmit(button?.isConnected ? button : null);
    held.clear();
  };

  const sayUnsigned = () => {
    const aside = document.getElementById("aside");
    if (aside) aside.textContent = aside.dataset.unsigned;
  };

  /** @param {any} lost */
  const loadAgain = (lost) => {
    const tries = Number(lost.dataset.tries ?? 0);
    if (tries >= PAUSES_MS.length && "signs" in lost.dataset) fetch(location.href, { method: "HEAD" }).then(sayUnsigned, () => {});
    setTimeout(() => lost.replaceWith(askAgain(lost, tries + 1)), PAUSES_MS[tries] ?? PAUSES_MS.at(-1));
    findBanner()?.removeAttribute("hidden");
  };

  // Return a copy of this script or sheet, under an address that the browser has not seen fail; what a
  // script imports comes from beside it, and so is asked for anew as well.
  /** @param {any} lost @param {number} tries */
  const askAgain = (lost, tries) => {
    const fresh = document.createElement(lost.localName);
    for (const { name, value } of lost.attributes) fresh.setAttribute(name, value);
    fresh.dataset.tries = tries;
    const source = "src" in fresh ? "src" : "href";
    fresh[source] = lost.getAttribute(source).replace(/^(\/static\/\w+)(\.\d+)?/, `$1.${tries}`);
    fresh.addEventListener("load", () => findBanner()?.setAttribute("hidden", ""));
    return fresh;
  };

  // Check that a sheet has come; of one that was lost, Chromium has a sheet without rules.
  /** @param {any} link */
  const hasRules = ({ sheet }) => {
    try {
      return sheet.cssRules.length > 0;
    } catch {
      return false;
    }
  };

  document.addEventListener("submit", hold, true);
  document.addEventListener("signing", release, { once: true }); // main.mjs signs from now on.
  addEventListener("error", ({ target }) => target.matches?.("script[type=module], link[rel=stylesheet]") && loadAgain(target), true);
  for (const link of document.querySelectorAll("link[rel=stylesheet]")) if (!hasRules(link)) loadAgain(link);
  document.documentElement.dataset.ready = "";
}
