// The hand: close it around a number of coins, and open it when the table asks.

import { say, send } from "./forms.mjs";
import { forgetOthers, keep, kept } from "./keep.mjs";
import { random, seal } from "./seal.mjs";

const AGAIN = 1_500;

// Called whenever the page shows something new.
export function tendHand(live) {
  for (const form of live.querySelectorAll("form[data-seal]:not([data-ready])")) prepare(form);
  const form = live.querySelector("form[data-open]");
  if (form && !form.dataset.opening) open(form);
}

function prepare(form) {
  form.dataset.ready = "";
  form.noValidate = true;
  for (const control of form.querySelectorAll(":disabled")) control.disabled = false;
  const input = form.querySelector("[data-value]");
  for (const button of form.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => step(input, Number(button.dataset.step)));
  }
  input.addEventListener("focus", () => input.select());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    say(form, "");
    close(form, input);
  });
}

function step(input, by) {
  const value = Math.trunc(Number(input.value)) || 0;
  input.value = Math.min(Number(input.max), Math.max(0, value + by));
}

async function close(form, input) {
  const written = input.value.trim();
  if (!/^\d+$/.test(written) || Number(written) > Number(input.max)) {
    say(form, form.dataset.wrong);
    input.focus();
    return;
  }
  const { game, round, seat } = form.dataset;
  const hand = { game, round, value: Number(written), nonce: random() };
  const sealed = seal(game, round, seat, hand.value, hand.nonce);
  forgetOthers(game, round);
  keep(sealed, hand);
  const granted = await send(form, { do: "sealed", seal: JSON.stringify(sealed), version: version(form) });
  form.querySelector("[data-granted]").textContent = granted ? form.dataset.closed : "";
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
  const opening = { do: "opened", value: JSON.stringify(hand.value), nonce: JSON.stringify(hand.nonce) };
  while (form.isConnected && form.dataset.opening === turn && !("opened" in form.dataset)) {
    if (await send(form, { ...opening, version: version(form) })) opened(form);
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
  return form.elements.version.value;
}
