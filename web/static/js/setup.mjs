// The first start: a new step is seen from its beginning, wherever one had scrolled to. Whoever chose
// it from the list of all steps goes on reading there, too; and whoever used a button that is of no
// more use, such as the last Skip, goes on from the one that leads further.

const live = document.getElementById("live");
let step = at();
let held = false; // Whether a button of the bar below was used last.

live.addEventListener("shown", () => {
  const { activeElement: used } = document;
  if (held && (used.disabled || used === document.body)) live.querySelector("#next, #begin")?.focus({ preventScroll: true });
  if (at() === step) return;
  step = at();
  scrollTo(0, 0);
  if (document.activeElement.closest(".way")) live.querySelector("h1").focus({ preventScroll: true });
});

document.addEventListener("pointerdown", () => (held = false));
live.addEventListener("focusin", ({ target }) => (held = Boolean(target.closest(".deeds"))));

function at() {
  return live.querySelector("#ask").dataset.step;
}
