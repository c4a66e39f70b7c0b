// Bring what is asked of this seat into sight when it changes: on the phone the headline at the top, at the
// simulated table, where the headline stays, the first piece that glows.
//
// Laws: the focus stays where it is. Nothing moves while a key is typed, a text is selected, or a finger
// holds the own secret in view.

let before = null; // What was asked at the last update; "" for nothing, null before the first.

// Call after every update of the page.
export function showWhatIsAsked(live) {
  const ask = live.querySelector("#ask");
  const asked = ask?.closest(".mine") ? ask.querySelector("#status").textContent : "";
  const isNew = before !== null && asked !== before;
  before = asked;
  if (!isNew || isBusy(live)) return;
  if (ask?.closest("#bill")) showGlowing(live);
  else scrollTo({ top: 0, behavior: "instant" });
}

function isBusy(live) {
  return live.querySelector(":focus-visible") || document.body.classList.contains("peeking") || !getSelection().isCollapsed;
}

function showGlowing(live) {
  const piece = live.querySelector(".wanted");
  if (!piece) return;
  const { left, top, width, height } = piece.getBoundingClientRect();
  const seen = document.elementFromPoint(left + width / 2, top + height / 2);
  if (!piece.contains(seen)) piece.scrollIntoView({ block: "center", behavior: "instant" });
}
