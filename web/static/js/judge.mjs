// The judge's pages: the slider back through the game, and the form of a case, which asks the judge at
// every tap. Without scripts the slider is a form with a button, and the case has plain fields.

import "./main.mjs";
import { askUntilAnswered } from "./leaving.mjs";
import { enableCaseForm } from "./case_form.mjs";

const live = document.getElementById("live");
if (live) enableSlider(live);
const sheet = document.querySelector("form[data-sheet]");
if (sheet) enableCaseForm(sheet, askSoon(sheet));
enablePrint();

function enablePrint() {
  const print = document.querySelector("[data-print]");
  if (!print) return;
  print.hidden = false;
  print.addEventListener("click", () => window.print());
}

// The slider: one moment is fetched at a time; while that runs only the newest wish is remembered.
/** @param {HTMLElement} live */
function enableSlider(live) {
  let wanted = "";
  let loading = false;
  live.addEventListener("input", (event) => {
    if (event.target.name === "at") requestMoment(event.target.value);
  });
  live.addEventListener("submit", (event) => {
    if (event.target.matches(".slide")) event.preventDefault();
  });
  live.addEventListener("click", (event) => {
    const by = Number(event.target.closest("[data-by]")?.dataset.by);
    if (by) moveSlider(event.target.closest("form").elements.at, by);
  });
  new MutationObserver(() => showStepButtons(live)).observe(live, { childList: true });
  showStepButtons(live);

  /** @param {HTMLElement} range @param {number} by */
  function moveSlider(range, by) {
    range.value = Number(range.value) + by;
    requestMoment(range.value);
  }

  /** @param {string} at */
  async function requestMoment(at) {
    wanted = at;
    if (loading) return;
    loading = true;
    while (wanted) {
      const next = wanted;
      wanted = "";
      await showMoment(next, () => !wanted);
    }
    loading = false;
  }
}

/** @param {string} at @param {() => boolean} isWanted */
async function showMoment(at, isWanted) {
  const told = await askUntilAnswered(`/judge/back?at=${at}`, {}, isWanted);
  const then = document.getElementById("then");
  if (!told?.ok || !then) return;
  then.innerHTML = told.text;
  history.replaceState(null, "", `/judge?at=${at}`);
}

/** @param {HTMLElement} live */
function showStepButtons(live) {
  for (const button of live.querySelectorAll("[data-by]")) button.hidden = false;
}

// Every tap on the form of a case asks the judge again; the answer above it is exchanged.
const PAUSE = 200; // Milliseconds without a tap before the judge is asked.

// Return a function that asks the judge once the taps pause, for the newest state of the form.
/** @param {HTMLElement} sheet */
function askSoon(sheet) {
  let timer = 0;
  let asked = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      asked += 1;
      const mine = asked;
      const address = `${sheet.getAttribute("action").split("#")[0]}?${new URLSearchParams(/** @type {any} */ (new FormData(/** @type {HTMLFormElement} */ (sheet))))}`;
      const told = await askUntilAnswered(address, {}, () => mine === asked);
      if (told && mine === asked) showAnswer(sheet, told.text, address);
    }, PAUSE);
  };
}

// Exchange the answer without moving the form under the finger, and say the result in a line.
/** @param {HTMLElement} sheet @param {string} page @param {string} address */
function showAnswer(sheet, page, address) {
  const fresh = new DOMParser().parseFromString(page, "text/html").getElementById("redrawn");
  if (!fresh) return;
  const { top } = sheet.getBoundingClientRect();
  document.getElementById("redrawn").replaceWith(fresh);
  window.scrollBy(0, sheet.getBoundingClientRect().top - top);
  fresh.querySelector("#fault")?.removeAttribute("role"); // It is said below, once.
  const gist = sheet.querySelector(".gist");
  gist.textContent = /** @type {HTMLDataElement | null} */ (fresh.querySelector("#gist"))?.value ?? fresh.querySelector("#fault")?.textContent ?? "";
  gist.hidden = !gist.textContent;
  history.replaceState(null, "", address);
  enablePrint();
}
