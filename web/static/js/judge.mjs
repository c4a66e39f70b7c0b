// The judge's pages: the slider back through the game, and the form of a case that is filled in by
// tapping. Without scripts the slider is a form with a button, and the case has plain fields.

import { stepBy } from "./stepper.mjs";

const live = document.getElementById("live");
if (live) enableSlider(live);
const sheet = document.querySelector("form[data-sheet]");
if (sheet) enableCaseForm(sheet);
enablePrint();

function enablePrint() {
  const print = document.querySelector("[data-print]");
  if (!print) return;
  print.hidden = false;
  print.addEventListener("click", () => window.print());
}

// The slider: one moment is fetched at a time; while that runs only the newest wish is remembered.

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

  function moveSlider(range, by) {
    range.value = Number(range.value) + by;
    requestMoment(range.value);
  }

  async function requestMoment(at) {
    wanted = at;
    if (loading) return;
    loading = true;
    while (wanted) {
      const next = wanted;
      wanted = "";
      await showMoment(next);
    }
    loading = false;
  }
}

async function showMoment(at) {
  const answer = await fetch(`/judge/back?at=${at}`).catch(() => null);
  const then = document.getElementById("then");
  if (!answer?.ok || !then) return;
  then.innerHTML = await answer.text();
  history.replaceState(null, "", `/judge?at=${at}`);
}

function showStepButtons(live) {
  for (const button of live.querySelectorAll("[data-by]")) button.hidden = false;
  for (const button of live.querySelectorAll("[data-plain]")) button.hidden = true;
}

// The form of a case. Every tap asks the judge again; the answer above it is exchanged.

const PAUSE = 200; // Milliseconds without a tap before the judge is asked.

function enableCaseForm(sheet) {
  const ask = askSoon(sheet);
  sheet.addEventListener("input", ask);
  sheet.addEventListener("click", ({ target }) => {
    if (target.closest("[data-add], [data-lay], [data-tap] .face")) ask();
  });
  for (const button of sheet.querySelectorAll("[data-add], .palette")) button.hidden = false;
  sheet.classList.add("by-tapping");
  sheet.addEventListener("click", (event) => {
    const { target } = event;
    const stepper = target.closest("[data-add]");
    const card = target.closest("[data-lay]");
    const face = target.closest("[data-tap] .face");
    if (stepper) addTo(stepper.parentElement.querySelector("input"), Number(stepper.dataset.add));
    else if (card) layCard(card);
    else if (face) addTo(face.closest("[data-tap]").querySelector("input"), 1);
  });
  sheet.addEventListener("input", ({ target }) => {
    if (target.name === "players") showSeats(sheet, Number(target.value));
    if (/^name\d/.test(target.name)) copyName(sheet, target);
    if (target.type === "number") markUsed(target);
  });
  sheet.addEventListener("formdata", ({ formData }) => removeEmptyFields(sheet, formData));
  sheet.querySelectorAll("input[type=number]").forEach(markUsed);
}

// Return what asks the judge once the taps pause, for the newest state of the form.
function askSoon(sheet) {
  let timer = 0;
  let asked = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      asked += 1;
      const mine = asked;
      const address = `${sheet.getAttribute("action").split("#")[0]}?${new URLSearchParams(new FormData(sheet))}`;
      const page = await fetch(address).then((answer) => answer.text(), () => "");
      if (page && mine === asked) showAnswer(sheet, page, address);
    }, PAUSE);
  };
}

// Exchange the answer without moving the form under the finger, and say in a line what it comes to.
function showAnswer(sheet, page, address) {
  const fresh = new DOMParser().parseFromString(page, "text/html").getElementById("redrawn");
  if (!fresh) return;
  const { top } = sheet.getBoundingClientRect();
  document.getElementById("redrawn").replaceWith(fresh);
  window.scrollBy(0, sheet.getBoundingClientRect().top - top);
  fresh.querySelector("#fault")?.removeAttribute("role"); // It is said below, once.
  const gist = sheet.querySelector(".gist");
  gist.textContent = fresh.querySelector("#gist")?.value ?? fresh.querySelector("#fault")?.textContent ?? "";
  gist.hidden = !gist.textContent;
  history.replaceState(null, "", address);
  enablePrint();
}

function addTo(input, by) {
  stepBy(input, by);
  markUsed(input);
}

function markUsed(input) {
  input.closest("[data-tap]")?.classList.toggle("some", Number(input.value) > 0);
}

// Put the card into the next free slot of the bank, and the bank into the row.
function layCard(button) {
  const bank = button.closest(".heist");
  const free = [...bank.querySelectorAll("select")].find((slot) => !slot.value);
  if (!free) return;
  free.value = button.dataset.lay;
  bank.querySelector("input[type=checkbox]").checked = true;
}

function showSeats(sheet, players) {
  for (const row of sheet.querySelectorAll("[data-seat]")) row.hidden = Number(row.dataset.seat) > players;
}

// Show a player's name wherever the form speaks of that player.
function copyName(sheet, input) {
  const n = input.name.slice("name".length);
  for (const place of sheet.querySelectorAll(`[data-name="${n}"]`)) place.textContent = input.value;
}

// Leave numbers at zero and the fields of absent players out, so that the address stays short.
function removeEmptyFields(sheet, formData) {
  for (const field of sheet.elements) {
    const empty = field.matches("input[type=number], select") && ["", "0"].includes(field.value);
    const absent = field.closest("[data-seat][hidden]") && (field.type !== "radio" || field.checked);
    if (empty || absent) formData.delete(field.name);
  }
}
