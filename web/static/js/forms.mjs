// Forms: sent as JSON without leaving the page. What is refused is said at the form, and nothing is
// lost. Each sending has a key: when its answer is lost and it is sent again, it still counts once.

import { random } from "./seal.mjs";

const ACCEPT = "application/problem+json, application/json";
const WRITTEN = "reason"; // The one field in which people write a sentence of their own.
const OWN = new Set(["do", "choice", "form", "page", "version", "key"]);
const unanswered = new WeakMap(); // By form: what was sent last, with its key, until it is answered.

export function sendForms() {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.method !== "post" || "seal" in form.dataset || "plain" in form.dataset) return;
    event.preventDefault();
    const { leads } = form.dataset; // By the time of the answer the page may have another form here.
    say(form, "");
    const granted = await send(form, body(form, new FormData(form, event.submitter)));
    if (granted) form.dispatchEvent(new Event("granted", { bubbles: true }));
    if (granted && leads) location.assign(leads);
    if (!granted) form.querySelector("[type=password]")?.select(); // The next digits take its place.
  });
}

// What a form spells, as the table's API takes it: what is asked of the game is an event, whose
// fields come as JSON; `a.b` is a field of a field, `a[]` one of a list.
function body(form, fields) {
  const found = {};
  if (fields.has("version")) found.version = Number(fields.get("version"));
  if (fields.has("do")) {
    found.version ??= 0; // It is about no view.
    found.event = { event: fields.get("do"), ...JSON.parse(fields.get("choice") ?? "{}") };
    for (const [name, value] of fields) {
      if (!OWN.has(name)) found.event[name] = name === WRITTEN ? value : JSON.parse(value);
    }
    return found;
  }
  for (const name of new Set(fields.keys())) if (!OWN.has(name)) put(form, found, name, fields.getAll(name));
  return found;
}

function put(form, found, name, values) {
  const parts = name.replace("[]", "").split(".");
  const last = parts.pop();
  for (const part of parts) found = found[part] ??= {};
  found[last] = name.endsWith("[]") ? values : typed([...form.elements].find((field) => field.name === name), values.at(-1));
}

// A box that is ticked says true, a switch that is put off false; some fields are numbers.
function typed(field, value) {
  if (field && "number" in field.dataset && /^\d+$/.test(value)) return Number(value);
  return { true: true, false: false }[value] ?? value;
}

// Ask the table for this; whether it was granted.
export async function send(form, what) {
  const sent = sending(form, JSON.stringify(what));
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body: JSON.stringify({ ...what, key: sent.key }),
      headers: { Accept: ACCEPT, "Content-Type": "application/json" },
    });
    const problem = answer.ok ? null : await answer.json();
    unanswered.delete(form);
    if (answer.ok) return true;
    say(form, problem.title, problem.field);
  } catch {
    say(form, document.getElementById("link").dataset.lost);
  }
  return false;
}

// The same asking, not answered yet, has the same key.
function sending(form, body) {
  const last = unanswered.get(form);
  const sent = last?.body === body ? last : { body, key: random() };
  unanswered.set(form, sent);
  return sent;
}

// At the field or at the form, or beside the page if the form has gone meanwhile.
export function say(form, sentence, field = "") {
  const aside = document.getElementById("aside");
  const places = form.isConnected ? [...form.querySelectorAll("[data-refusal]")] : [];
  const at = (name) => places.find((place) => place.dataset.refusal === name);
  const place = at(field) ?? at("") ?? aside;
  for (const other of [...places, aside]) if (other !== place) other.textContent = "";
  if (place.textContent === sentence) return;
  place.textContent = sentence;
  if (sentence) place.scrollIntoView({ block: "nearest" });
}
