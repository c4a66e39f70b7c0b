// The hand: close it around coins, chips or a bank, and open it when the table asks. A phone from
// which several play opens the hands of all of them.

import { say, send } from "./forms.mjs";
import { forgetOthers, grant, keep, kept, newest } from "./seal_store.mjs";
import { random, seal } from "./seal.mjs";

const AGAIN = 1_500;

// Called whenever the page shows something new.
export function tendHand(live) {
  for (const form of live.querySelectorAll("form[data-seal]:not([data-ready])")) prepare(form);
  for (const form of live.querySelectorAll("form[data-open]:not([data-opening])")) open(form);
  for (const asked of live.querySelectorAll("[data-truth]")) tellTruth(asked);
  for (const place of live.querySelectorAll("[data-held]")) showHeld(place);
}

// Of the banks to declare only what is true is offered, if this browser closed the hand.
function tellTruth(asked) {
  const hand = kept(asked.dataset.truth);
  for (const button of asked.querySelectorAll("button[name=choice]")) {
    const { bank, will } = JSON.parse(button.value);
    button.hidden = hand !== null && (bank === hand.value) !== will;
  }
}

// What is in the closed hand, as this browser alone knows it.
function showHeld(place) {
  const { held, game, round, seat } = place.dataset;
  const hand = held ? kept(held) : newest(game, round, seat);
  const many = typeof hand?.value === "object" ? hand.value : { [typeof hand?.value === "string" ? hand.value : ""]: hand?.value };
  place.hidden = false;
  place.querySelector("[data-unknown]").hidden = hand !== null;
  for (const one of place.querySelectorAll("[data-is]")) {
    const n = hand && many[one.dataset.is];
    one.hidden = n === null || n === undefined;
    const number = one.querySelector("[data-many]");
    if (number && !one.hidden) number.textContent = n;
  }
  const none = place.querySelector("[data-none]");
  if (none) none.hidden = hand === null || Object.keys(many).length > 0;
}

function prepare(form) {
  form.dataset.ready = "";
  form.noValidate = true;
  const inputs = [...form.querySelectorAll("[data-value]")];
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    say(form, "");
    close(form, inputs);
  });
  form.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-step], [data-put]");
    if (button) step(form, button);
  });
  form.addEventListener("input", () => count(form, inputs));
  for (const input of inputs) input.addEventListener("focus", () => input.select());
  for (const control of form.querySelectorAll(":disabled")) control.disabled = false;
}

// A button beside a number: so many more or fewer of it, or just so many.
function step(form, button) {
  const input = button.parentElement.querySelector("[data-value]");
  const value = Math.trunc(Number(input.value)) || 0;
  const wanted = Number(button.dataset.put ?? value + Number(button.dataset.step));
  input.value = Math.min(Number(input.max), Math.max(0, wanted));
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

// What was wrong is right as soon as it is changed; several numbers are added up.
function count(form, inputs) {
  for (const input of inputs) input.removeAttribute("aria-invalid");
  const total = form.querySelector("[data-total]");
  if (total) total.textContent = inputs.reduce((sum, input) => sum + (Number(input.value) || 0), 0);
}

async function close(form, inputs) {
  const wrong = radio(inputs) ? !chosen(inputs) && inputs[0] : inputs.find((input) => !fits(input));
  if (wrong) {
    wrong.setAttribute("aria-invalid", "true");
    wrong.focus();
    say(form, form.dataset.wrong);
    return;
  }
  const { game, round, seat } = form.dataset;
  const hand = { game, round, seat, value: value(inputs), nonce: random() };
  const sealed = seal(game, round, seat, hand.value, hand.nonce);
  forgetOthers(game, round);
  keep(sealed, hand);
  const granted = await send(form, { event: { event: "sealed", seal: sealed }, version: version(form) });
  if (granted) grant(sealed);
  for (const place of document.querySelectorAll("[data-held]")) showHeld(place);
  const again = form.querySelector("[data-granted]"); // Only a hand that was closed before.
  if (again) again.textContent = granted ? form.dataset.closed : "";
}

function radio(inputs) {
  return inputs[0]?.type === "radio";
}

function chosen(inputs) {
  return inputs.find((input) => input.checked);
}

// Of coins and chips there is a whole number, no more than one has.
function fits(input) {
  return /^\d+$/.test(input.value.trim()) && Number(input.value) <= Number(input.max);
}

// The value in the hand: a bank by its name, coins as a number, or chips by their colours.
function value(inputs) {
  if (radio(inputs)) return chosen(inputs).value;
  if (inputs[0]?.dataset.value === "") return Number(inputs[0].value);
  const chips = inputs.map((one) => [one.dataset.value, Number(one.value)]);
  return Object.fromEntries(chips.filter(([, n]) => n));
}

// Until it is granted; whoever calls again ends the turn before.
async function open(form) {
  const turn = `${Number(form.dataset.opening ?? 0) + 1}`;
  form.dataset.opening = turn;
  const hand = kept(form.dataset.open);
  if (!hand) {
    say(form, form.dataset.lost);
    document.querySelector("details[data-anew]")?.setAttribute("open", "");
    return;
  }
  const event = { event: "opened", value: hand.value, nonce: hand.nonce };
  while (form.isConnected && form.dataset.opening === turn && !("opened" in form.dataset)) {
    if (await send(form, { event, version: version(form) })) opened(form);
    else await new Promise((later) => setTimeout(later, AGAIN));
  }
  if (!form.isConnected) say(form, ""); // Another page of this browser was faster.
}

function opened(form) {
  form.dataset.opened = "";
  say(form, "");
}

// The seat's button called: whatever waits is tried at once.
export function openNow(live) {
  for (const form of live.querySelectorAll("form[data-open]:not([data-opened])")) open(form);
}

function version(form) {
  return Number(form.elements.version.value);
}
