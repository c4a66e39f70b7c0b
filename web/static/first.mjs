// The first start: a new step is seen from its beginning, wherever one had scrolled to. Whoever chose
// it from the list of all steps goes on reading there, too.

const live = document.getElementById("live");
let step = at();

live.addEventListener("shown", () => {
  if (at() === step) return;
  step = at();
  scrollTo(0, 0);
  if (document.activeElement.closest(".way")) live.querySelector("h1").focus({ preventScroll: true });
});

function at() {
  return live.querySelector("#ask").dataset.step;
}
