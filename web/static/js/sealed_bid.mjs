// Close a hand around coins, chips or a bank (commit), and open it when the table asks (reveal).
// A phone from which several people play opens the hands of all of them.

import { deleteOtherRounds, findNewestHand, loadHand, markGranted, randomHex, seal, storeHand } from "./seal.mjs";
import { readVersion } from "./blocks.mjs";
import { drawHeaps } from "./fist.mjs";
import { send, showRefusal } from "./forms.mjs";
import { isCalm, vibrate } from "./sound_and_vibration.mjs";

const RETRY_MS = 1_500;

/** @param {HTMLElement} live */
export function updateHands(live) {
  for (const form of live.querySelectorAll("form[data-seal]:not([data-ready])")) prepareForm(form);
  for (const form of live.querySelectorAll("form[data-open]:not([data-opening])")) openHand(form);
  for (const form of live.querySelectorAll("form[data-truth]")) watchTruth(form);
  for (const place of live.querySelectorAll("[data-held]")) showHeldValue(place);
}

// Keep the buttons of this form true of the choice that is picked.
/** @param {HTMLElement} form */
function watchTruth(form) {
  form.onchange = () => disableLies(form);
  disableLies(form);
}

// Disable the button that would be a lie: true says that the picked choice is the one in the closed
// hand, false that it is not. None is disabled if another browser closed the hand, or if none of the
// choices is in it.
/** @param {HTMLElement} form */
function disableLies(form) {
  const hand = loadHand(form.dataset.truth);
  const choices = [...form.querySelectorAll("input[type=radio]")];
  /** @param {any} choice */
  const isHeld = (choice) => Object.values(JSON.parse(choice.value)).includes(hand.value);
  const picked = choices.find((choice) => choice.checked);
  const truth = hand && picked && choices.some(isHeld) ? isHeld(picked) : null;
  for (const button of form.querySelectorAll(".answers button")) {
    button.disabled = truth !== null && JSON.parse(button.value) !== truth;
  }
}

// Show the value of the closed hand, known only to the browser that closed it.
/** @param {HTMLElement} place */
function showHeldValue(place) {
  const { held, game, round, seat } = place.dataset;
  const hand = held ? loadHand(held) : findNewestHand(game, round, seat);
  const amounts = typeof hand?.value === "object" ? hand.value : { [typeof hand?.value === "string" ? hand.value : ""]: hand?.value };
  place.hidden = false;
  place.querySelector("[data-unknown]").hidden = hand !== null;
  for (const item of place.querySelectorAll("[data-is]")) {
    const n = hand && amounts[item.dataset.is];
    item.hidden = n === null || n === undefined;
    const number = item.querySelector("[data-many]");
    if (number && !item.hidden) number.textContent = n;
  }
  const none = place.querySelector("[data-none]");
  if (none) none.hidden = hand === null || Object.keys(amounts).length > 0;
}

// Attach the handlers of a bid form and enable its controls, which are disabled without scripts.
/** @param {HTMLElement} form */
function prepareForm(form) {
  form.dataset.ready = "";
  form.noValidate = true;
  const inputs = [...form.querySelectorAll("[data-value]")];
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    showRefusal(form, "");
    closeHand(form, inputs);
  });
  form.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-step], [data-put]");
    if (button) stepNumber(button);
  });
  form.addEventListener("input", () => updateTotal(form, inputs));
  prepareSealButton(form, () => findInvalid(inputs) !== undefined);
  for (const input of inputs) input.addEventListener("focus", () => input.select());
  for (const control of form.querySelectorAll(":disabled")) control.disabled = false;
}

// A button beside a number adds data-step to it, or sets it to data-put, within its limits.
/** @param {HTMLElement} button */
function stepNumber(button) {
  const input = (button.closest("[data-amount]") ?? button.parentElement).querySelector("[data-value]");
  const value = Math.trunc(Number(input.value)) || 0;
  const wanted = Number(button.dataset.put ?? value + Number(button.dataset.step));
  input.value = Math.min(Number(input.max), Math.max(Number(input.min), wanted));
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

// Clear the error marks and add up the numbers.
/** @param {HTMLElement} form @param {HTMLElement[]} inputs */
function updateTotal(form, inputs) {
  for (const input of inputs) input.removeAttribute("aria-invalid");
  const total = form.querySelector("[data-total]");
  if (total) total.textContent = String(inputs.reduce((sum, input) => sum + (Number(input.value) || 0), 0));
  drawHeaps(form);
}

// Seal the value, store value and nonce in this browser, and send only the seal to the table.
/** @param {HTMLElement} form @param {HTMLElement[]} inputs */
async function closeHand(form, inputs) {
  const invalid = findInvalid(inputs);
  if (invalid) {
    invalid.setAttribute("aria-invalid", "true");
    invalid.focus();
    showRefusal(form, form.dataset.wrong);
    return;
  }
  const { game, round, seat } = form.dataset;
  const hand = { game, round, seat, value: readValue(inputs), nonce: randomHex() };
  const sealed = seal(game, round, seat, hand.value, hand.nonce);
  deleteOtherRounds(game, round);
  storeHand(sealed, hand);
  const granted = await send(form, { event: { event: "sealed", seal: sealed }, version: readVersion() });
  if (granted) markGranted(sealed);
  for (const place of document.querySelectorAll("[data-held]")) showHeldValue(place);
  const confirmation = form.querySelector("[data-granted]"); // Only on the form that closes a hand again.
  if (confirmation) confirmation.textContent = granted ? form.dataset.closed : "";
}

// Return the field that keeps the hand from being closed, or undefined.
/** @param {HTMLElement[]} inputs */
function findInvalid(inputs) {
  if (isRadio(inputs)) return findChecked(inputs) ? undefined : inputs[0];
  return inputs.find((input) => !isValid(input));
}

/** @param {HTMLElement[]} inputs */
function isRadio(inputs) {
  return inputs[0]?.type === "radio";
}

/** @param {HTMLElement[]} inputs */
function findChecked(inputs) {
  return inputs.find((input) => input.checked);
}

// True for a whole number within the limits of its field.
/** @param {HTMLElement} input */
function isValid(input) {
  const n = Number(input.value);
  return /^\d+$/.test(input.value.trim()) && n >= Number(input.min) && n <= Number(input.max);
}

// Return the value of the hand: the name of a bank, a number of coins, or chips by colour.
/** @param {HTMLElement[]} inputs */
function readValue(inputs) {
  if (isRadio(inputs)) return findChecked(inputs).value;
  if (inputs[0]?.dataset.value === "") return Number(inputs[0].value);
  const chips = inputs.map((input) => [input.dataset.value, Number(input.value)]);
  return Object.fromEntries(chips.filter(([, n]) => n));
}

// Send value and nonce until the table grants it. A second call ends the loop of the first one.
/** @param {HTMLElement} form */
async function openHand(form) {
  const attempt = `${Number(form.dataset.opening ?? 0) + 1}`;
  form.dataset.opening = attempt;
  const hand = loadHand(form.dataset.open);
  if (!hand) {
    showRefusal(form, form.dataset.lost);
    document.querySelector("details[data-anew]")?.setAttribute("open", "");
    return;
  }
  const event = { event: "opened", value: hand.value, nonce: hand.nonce };
  while (form.isConnected && form.dataset.opening === attempt && !("opened" in form.dataset)) {
    if (await send(form, { event, version: readVersion() })) markOpened(form);
    else await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  if (!form.isConnected) showRefusal(form, ""); // Another page of this browser was faster.
}

/** @param {HTMLElement} form */
function markOpened(form) {
  form.dataset.opened = "";
  showRefusal(form, "");
}

// Try at once to open every hand that is not open yet.
/** @param {HTMLElement} live */
export function retryOpening(live) {
  for (const form of live.querySelectorAll("form[data-open]:not([data-opened])")) openHand(form);
}

// Sealing by pressing for a moment, while a ring fills. Whoever cannot hold, presses twice: by keyboard, by
// a screen reader, where motion is not wanted, and after a tap that was too short.
const HOLD_MS = 700; // As long as the ring of phone.css takes to fill.
const SURE_MS = 350; // A second press that comes sooner is the bounce of the first one.
const ARMED_MS = 8_000;
const FELT = [15, 30, 40];

// Attach to the button of a form that seals; the form is submitted once its owner is sure, or at once if
// there is something wrong to be told.
/** @param {HTMLElement} form @param {() => boolean} isWrong */
function prepareSealButton(form, isWrong) {
  const button = form.querySelector("[data-seals]");
  if (!button) return;
  let holding = 0;
  let armedAt = 0;
  let disarming = 0;
  let isHeld = false; // The click at the end of a long press is no press.

  /** @param {boolean} on */
  const arm = (on) => {
    clearTimeout(disarming);
    armedAt = on ? performance.now() : 0;
    button.toggleAttribute("data-armed", on);
    form.querySelector("[data-armed-says]").textContent = on ? form.querySelector("[data-armed-says]").dataset.armedSays : "";
    if (on) disarming = setTimeout(() => arm(false), ARMED_MS);
  };
  const release = () => {
    clearTimeout(holding);
    holding = 0;
    delete button.dataset.holding;
  };

  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || isStill() || button.disabled) return;
    isHeld = false;
    button.dataset.holding = "";
    holding = setTimeout(() => {
      release();
      isHeld = true;
      arm(false);
      vibrate(FELT);
      form.requestSubmit();
    }, HOLD_MS);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) button.addEventListener(end, release);
  button.addEventListener("contextmenu", (event) => event.preventDefault()); // The menu of a long press.
  button.addEventListener("click", (event) => {
    const isSure = armedAt > 0 && performance.now() - armedAt > SURE_MS;
    if (isSure || isWrong()) return arm(false);
    event.preventDefault();
    if (!armedAt && !isHeld) arm(true);
    isHeld = false;
  });
  form.addEventListener("input", () => arm(false));
}

function isStill() {
  return isCalm() || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
