// The judge: slide back through the game, and fill in a case by tapping.
// Without this file the slider is a form with a button, and the case has plain fields.

const live = document.getElementById("live");
if (live) slide(live);
const sheet = document.querySelector("form[data-sheet]");
if (sheet) fill(sheet);
const print = document.querySelector("[data-print]");
if (print) {
  print.hidden = false;
  print.addEventListener("click", () => window.print());
}

// Back through the game: one look is fetched at a time, and then the newest that is wished for.

function slide(live) {
  let wish = "";
  let looking = false;
  live.addEventListener("input", (event) => {
    if (event.target.name === "at") look(event.target.value);
  });
  live.addEventListener("submit", (event) => {
    if (event.target.matches(".slide")) event.preventDefault();
  });
  live.addEventListener("click", (event) => {
    const by = Number(event.target.closest("[data-by]")?.dataset.by);
    if (by) step(event.target.closest("form").elements.at, by);
  });
  new MutationObserver(() => ready(live)).observe(live, { childList: true });
  ready(live);

  function step(range, by) {
    range.value = Number(range.value) + by;
    look(range.value);
  }

  async function look(at) {
    wish = at;
    if (looking) return;
    looking = true;
    while (wish) {
      const now = wish;
      wish = "";
      await show(now);
    }
    looking = false;
  }
}

async function show(at) {
  const answer = await fetch(`/judge/back?at=${at}`).catch(() => null);
  const then = document.getElementById("then");
  if (!answer?.ok || !then) return;
  then.innerHTML = await answer.text();
  history.replaceState(null, "", `/judge?at=${at}`);
}

function ready(live) {
  for (const button of live.querySelectorAll("[data-by]")) button.hidden = false;
  for (const button of live.querySelectorAll("[data-plain]")) button.hidden = true;
}

// A case.

function fill(sheet) {
  for (const button of sheet.querySelectorAll("[data-add], .palette")) button.hidden = false;
  sheet.classList.add("by-tapping");
  sheet.addEventListener("click", (event) => {
    const { target } = event;
    const adds = target.closest("[data-add]");
    const lays = target.closest("[data-lay]");
    const face = target.closest("[data-tap] .face");
    if (adds) add(adds.parentElement.querySelector("input"), Number(adds.dataset.add));
    else if (lays) lay(lays);
    else if (face) add(face.closest("[data-tap]").querySelector("input"), 1);
  });
  sheet.addEventListener("input", ({ target }) => {
    if (target.name === "players") seat(sheet, Number(target.value));
    if (/^name\d/.test(target.name)) call(sheet, target);
    if (target.type === "number") mark(target);
  });
  sheet.addEventListener("formdata", ({ formData }) => leaveOut(sheet, formData));
  sheet.querySelectorAll("input[type=number]").forEach(mark);
}

function add(input, by) {
  const value = (Math.trunc(Number(input.value)) || 0) + by;
  input.value = Math.min(Number(input.max), Math.max(0, value));
  mark(input);
}

function mark(input) {
  input.closest("[data-tap]")?.classList.toggle("some", Number(input.value) > 0);
}

// The next free slot of the bank takes the card; its bank is in the row then.
function lay(button) {
  const bank = button.closest(".heist");
  const free = [...bank.querySelectorAll("select")].find((slot) => !slot.value);
  if (!free) return;
  free.value = button.dataset.lay;
  bank.querySelector("input[type=checkbox]").checked = true;
}

function seat(sheet, players) {
  for (const one of sheet.querySelectorAll("[data-seat]")) one.hidden = Number(one.dataset.seat) > players;
}

function call(sheet, input) {
  const n = input.name.slice("name".length);
  for (const one of sheet.querySelectorAll(`[data-name="${n}"]`)) one.textContent = input.value;
}

// What says nothing need not be in the address: numbers at nought, and whoever does not play.
function leaveOut(sheet, formData) {
  for (const one of sheet.elements) {
    const nothing = one.matches("input[type=number], select") && ["", "0"].includes(one.value);
    const away = one.closest("[data-seat][hidden]") && (one.type !== "radio" || one.checked);
    if (nothing || away) formData.delete(one.name);
  }
}
