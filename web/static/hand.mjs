// The hand: close it around coins, chips or a bank, and open it when the table asks.

import { say, send } from "./forms.mjs";
import { forgetOthers, keep, kept } from "./keep.mjs";
import { random, seal } from "./seal.mjs";

const AGAIN = 1_500;

// Called whenever the page shows something new.
export function tendHand(live) {
  for (const form of live.querySelectorAll("form[data-seal]:not([data-ready])")) prepare(form);
  const form = live.querySelector("form[data-open]");
  if (form && !form.dataset.opening) open(form);
  for (const asked of live.querySelectorAll("[data-truth]")) tellTruth(asked);
}

// Of the banks to declare only what is true is offered, if this browser closed the hand.
function tellTruth(asked) {
  const hand = kept(asked.dataset.truth);
  for (const button of asked.querySelectorAll("button[name=choice]")) {
    const { bank, will } = JSON.parse(button.value);
    button.hidden = hand !== null && (bank === hand.value) !== will;
  }
}

function prepare(form) {
  form.dataset.ready = "";
  form.noValidate = true;
  for (const control of form.querySelectorAll(":disabled")) control.disabled = false;
  const inputs = [...form.querySelectorAll("[data-value]")];
  for (const button of form.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => step(inputs[0], Number(button.dataset.step)));
  }
  for (const input of inputs) input.addEventListener("focus", () => input.select?.());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    say(form, "");
    close(form, inputs);
  });
}

function step(input, by) {
  const value = Math.trunc(Number(input.value)) || 0;
  input.value = Math.min(Number(input.max), Math.max(0, value + by));
}

async function close(form, inputs) {
  const wrong = inputs.find((input) => !fits(input));
  if (wrong) {
    say(form, form.dataset.wrong);
    wrong.focus();
    return;
  }
  const { game, round, seat } = form.dataset;
  const hand = { game, round, value: held(inputs), nonce: random() };
  const sealed = seal(game, round, seat, hand.value, hand.nonce);
  forgetOthers(game, round);
  keep(sealed, hand);
  const granted = await send(form, { event: { event: "sealed", seal: sealed }, version: version(form) });
  const again = form.querySelector("[data-granted]"); // Only a hand that was closed before.
  if (again) again.textContent = granted ? form.dataset.closed : "";
}

// A bank is chosen; of coins and chips there is a whole number, no more than one has.
function fits(input) {
  if (input.localName === "select") return input.value !== "";
  return /^\d+$/.test(input.value.trim()) && Number(input.value) <= Number(input.max);
}

// The value in the hand: a bank by its name, coins as a number, or chips by their colours.
function held(inputs) {
  const [input] = inputs;
  if (input?.localName === "select") return input.value;
  if (input?.dataset.value === "") return Number(input.value);
  const chips = inputs.map((one) => [one.dataset.value, Number(one.value)]);
  return Object.fromEntries(chips.filter(([, n]) => n));
}

// Until it is granted; whoever calls again ends the turn before.
async function open(form) {
  const hand = kept(form.dataset.open);
  if (!hand) {
    say(form, form.dataset.lost);
    return;
  }
  const turn = `${Number(form.dataset.opening ?? 0) + 1}`;
  form.dataset.opening = turn;
  const event = { event: "opened", value: hand.value, nonce: hand.nonce };
  while (form.isConnected && form.dataset.opening === turn && !("opened" in form.dataset)) {
    if (await send(form, { event, version: version(form) })) opened(form);
    else await new Promise((later) => setTimeout(later, AGAIN));
  }
}

function opened(form) {
  form.dataset.opened = "";
  say(form, "");
}

// The seat's button called: whatever waits is tried at once.
export function openNow(live) {
  const form = live.querySelector("form[data-open]");
  if (form && !("opened" in form.dataset)) open(form);
}

function version(form) {
  return Number(form.elements.version.value);
}
