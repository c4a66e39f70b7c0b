// The league of a floor: its sheets and its standing are asked for again and again, and exchanged
// when they changed. The forms beside them stay as they are.

const EVERY = 3_000;

export function followLeague(live) {
  let shown = "";
  const lost = document.getElementById("lost");

  async function ask() {
    const answer = await fetch(`${live.dataset.live}?since=${shown}`).catch(() => null);
    if (answer?.status === 401) return location.assign("/");
    lost.hidden = Boolean(answer?.ok);
    if (answer?.status !== 200) return;
    const html = await answer.text();
    shown = answer.headers.get("Companion-Mark") ?? "";
    show(live, html);
  }

  setInterval(ask, EVERY);
  ask();
}

function show(live, html) {
  const opened = [...live.querySelectorAll("details[open]")].map(({ id }) => id);
  const focused = live.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  live.replaceChildren(document.createRange().createContextualFragment(html));
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  if (focused) live.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus();
}
