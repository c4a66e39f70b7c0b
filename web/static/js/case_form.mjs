// The form of a case, filled in by taps: cards and chips count up, numbers have − and +. Without scripts
// it has plain fields.

import { stepBy } from "./stepper.mjs";

// Let this form be filled in by taps; after each of them, and each change, the judge is asked.
/** @param {HTMLElement} sheet @param {() => void} ask */
export function enableCaseForm(sheet, ask) {
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
  sheet.addEventListener("input", ask);
  sheet.addEventListener("click", ({ target }) => {
    if (target.closest("[data-add], [data-lay], [data-tap] .face")) ask();
  });
  sheet.addEventListener("formdata", ({ formData }) => removeEmptyFields(sheet, formData));
  showFields(sheet);
}

// Show as many seats as play, their names, and which cards and chips were tapped.
/** @param {HTMLElement} sheet */
export function showFields(sheet) {
  const players = sheet.querySelector("[name=players]:checked");
  if (players) showSeats(sheet, Number(players.value));
  sheet.querySelectorAll("[data-seat] [name^=name]").forEach((input) => copyName(sheet, input));
  sheet.querySelectorAll("input[type=number]").forEach(markUsed);
}

/** @param {HTMLElement} input @param {any} by */
function addTo(input, by) {
  stepBy(input, by);
  markUsed(input);
}

/** @param {EventTarget} input */
function markUsed(input) {
  input.closest("[data-tap]")?.classList.toggle("some", Number(input.value) > 0);
}

// Put the card into the next free slot of the bank, and the bank into the row.
/** @param {HTMLElement} button */
function layCard(button) {
  const bank = button.closest(".heist");
  const free = [...bank.querySelectorAll("select")].find((slot) => !slot.value);
  if (!free) return;
  free.value = button.dataset.lay;
  bank.querySelector("input[type=checkbox]").checked = true;
}

/** @param {HTMLElement} sheet @param {any} players */
function showSeats(sheet, players) {
  for (const row of sheet.querySelectorAll("[data-seat]")) row.hidden = Number(row.dataset.seat) > players;
}

// Show a player's name wherever the form speaks of that player.
/** @param {HTMLElement} sheet @param {EventTarget} input */
function copyName(sheet, input) {
  const n = input.name.slice("name".length);
  for (const place of sheet.querySelectorAll(`[data-name="${n}"]`)) place.textContent = input.value;
}

// Leave numbers at zero and the fields of absent players out, so that the address stays short.
/** @param {HTMLElement} sheet @param {any} formData */
function removeEmptyFields(sheet, formData) {
  for (const field of sheet.elements) {
    const empty = field.matches("input[type=number], select") && ["", "0"].includes(field.value);
    const absent = field.closest("[data-seat][hidden]") && (field.type !== "radio" || field.checked);
    if (empty || absent) formData.delete(field.name);
  }
}
