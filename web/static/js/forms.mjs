// Send forms as JSON without leaving the page, and show a refusal at the form with nothing lost.
//
// Every request has an idempotency key. If the response is lost and the same form is sent again, the
// key stays the same, so the table counts the request once. While the table is too busy to answer,
// the request is sent again by itself.

import { randomHex } from "./seal.mjs";
import { askUntilAnswered, openPage, reloadIfRedirected } from "./leaving.mjs";
import { readVersion } from "./blocks.mjs";
import { sendSigned, sendSignedFile } from "./signing.mjs";

const ACCEPT = "application/problem+json, application/json";
const BUSY = 503;
const OTHER_START = "other_start";
const MAX_TRIES = 4;
const FILE_NAME = /filename="([^"]+)"/;
const CONTROL_FIELDS = new Set(["do", "choice", "version"]);
const unanswered = new WeakMap(); // Form to the last body sent from it and its key, until answered.

export function interceptForms() {
  document.addEventListener("submit", async (event) => {
    const form = /** @type {HTMLElement} */ (event.target);
    if (form.method !== "post" || "seal" in form.dataset) return;
    event.preventDefault();
    if ("file" in form.dataset) return sendFile(form);
    const { leads } = form.dataset; // Read now: the stream may have replaced the form by the response.
    showRefusal(form, "");
    for (const copy of form.querySelectorAll("[data-typed]")) copy.value = document.getElementById(copy.dataset.typed)?.value ?? "";
    const answer = await post(form, requestBody(form, new FormData(/** @type {HTMLFormElement} */ (form), event.submitter)));
    if (!answer) return;
    form.dispatchEvent(new Event("granted", { bubbles: true }));
    if ("saves" in form.dataset) await saveAnswer(form, answer);
    if (leads) openPage(leads);
  });
}

// Return the JSON body for the API. A form with the field "do" asks for a game event, whose fields
// are JSON; `a.b` is a field of an object and, in the other forms, `a[]` an item of a list.
/** @param {HTMLElement} form @param {any} fields */
function requestBody(form, fields) {
  const body = {};
  if (fields.has("version")) body.version = readVersion();
  const own = [...new Set(fields.keys())].filter((name) => !CONTROL_FIELDS.has(name));
  if (fields.has("do")) {
    body.version ??= 0; // Such a form does not depend on a view.
    body.event = { event: fields.get("do"), ...JSON.parse(fields.get("choice") ?? "{}") };
    for (const name of own) setAt(body.event, name, JSON.parse(fields.get(name)));
  } else {
    for (const name of own) setField(form, body, name, fields.getAll(name));
  }
  return body;
}

/** @param {any} body @param {any} path @param {any} value */
function setAt(body, path, value) {
  const parts = path.split(".");
  const last = parts.pop();
  for (const part of parts) body = body[part] ??= {};
  body[last] = value;
}

/** @param {HTMLElement} form @param {any} body @param {string} name @param {any} values */
function setField(form, body, name, values) {
  const field = [...form.elements].find((one) => one.name === name);
  const list = "number" in (field?.dataset ?? {}) ? values.map(Number) : values;
  setAt(body, name.replace("[]", ""), name.endsWith("[]") ? list : parseValue(field, values.at(-1)));
}

// Return "true" and "false" as booleans, and whole numbers as numbers where the field says so.
/** @param {HTMLElement | undefined} field @param {any} value */
function parseValue(field, value) {
  if (field && "number" in field.dataset && /^\d+$/.test(value)) return Number(value);
  return value === "true" || value === "false" ? value === "true" : value;
}

// Post this body to the form's address; return true if the request was granted.
/** @param {HTMLElement} form @param {any} what */
export async function send(form, what) {
  return (await post(form, what)) !== null;
}

// The same, but return the answer, or null if it was refused.
/** @param {HTMLElement} form @param {any} what */
async function post(form, what) {
  const sent = attachKey(form, JSON.stringify(what));
  try {
    const answer = await postPatiently(form.action, JSON.stringify({ ...what, key: sent.key }));
    const problem = answer.ok ? null : await answer.json();
    if (answer.status !== BUSY) unanswered.delete(form);
    if (answer.ok) return answer;
    showRefusal(form, problem.title, problem.field, problem.rule);
    if (problem.code === "not_your_seat") reloadIfRedirected();
    if (problem.code === OTHER_START) openPage(location.href); // Only now it shows what was done.
  } catch {
    showRefusal(form, document.getElementById("link").dataset.lost);
  }
  return null;
}

// Post this body, and again after the pause that a busy table asks for, at most MAX_TRIES times.
/** @param {string} address @param {any} body */
async function postPatiently(address, body) {
  for (let tries = 1; ; tries += 1) {
    const headers = { Accept: ACCEPT, "Content-Type": "application/json" };
    const answer = await sendSigned(address, body, headers, "event" in JSON.parse(body));
    const pause = Number(answer.headers.get("Retry-After"));
    if (answer.status !== BUSY || !pause || tries === MAX_TRIES) return answer;
    await new Promise((resolve) => setTimeout(resolve, 1_000 * pause));
  }
}

// Return the body with its key: the previous key if the same body is still unanswered.
/** @param {HTMLElement} form @param {any} body */
function attachKey(form, body) {
  const last = unanswered.get(form);
  const sent = last?.body === body ? last : { body, key: randomHex() };
  unanswered.set(form, sent);
  return sent;
}

// Have the browser keep an answer under the name that the table gave it.
/** @param {HTMLElement} form @param {any} answer */
async function saveAnswer(form, answer) {
  try {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    [, link.download] = FILE_NAME.exec(answer.headers.get("Content-Disposition"));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // Safari reads it only after the click.
  } catch {
    showRefusal(form, document.getElementById("link").dataset.lost);
  }
}

// Send the file of a form. While it is on its way the form cannot be sent again, and stays although
// the table shows meanwhile what it does with the file: a refusal is shown at it.
/** @param {HTMLElement} form */
async function sendFile(form) {
  const button = form.querySelector("button");
  const place = form.closest("details");
  button.disabled = true;
  place.dataset.sending = "";
  showRefusal(form, "");
  try {
    const answer = await sendSignedFile(form.action, form.querySelector("[type=file]").files[0], randomHex());
    if (answer.ok) place.remove(); // The table asks now whether to restore it.
    else showRefusal(form, (await answer.json()).title);
  } catch {
    showRefusal(form, document.getElementById("link").dataset.lost);
  }
  delete place.dataset.sending;
  button.disabled = false;
}

// Show a refusal at its field or at the form, or at the top of the page if the form is gone by now; with
// the rule behind it, to be opened.
/** @param {HTMLElement} form @param {string} sentence */
export function showRefusal(form, sentence, field = "", rule = "") {
  const aside = document.getElementById("aside");
  const places = form.isConnected ? [...form.querySelectorAll("[data-refusal]")] : [];
  const placeOf = (/** @type {string} */ name) => places.find((place) => place.dataset.refusal === name);
  const place = placeOf(field) ?? placeOf("") ?? aside;
  for (const other of [...places, aside]) if (other !== place) other.textContent = "";
  if ((place.firstChild?.textContent ?? "") === sentence) return;
  place.textContent = sentence;
  if (sentence) place.scrollIntoView({ block: "nearest" });
  if (sentence && rule) addRule(place, sentence, rule);
}

/** @param {HTMLElement} place @param {string} sentence @param {string} rule */
async function addRule(place, sentence, rule) {
  const isShown = () => place.isConnected && place.textContent === sentence;
  const told = await askUntilAnswered(`/rules/one/${rule}`, {}, isShown);
  if (told?.ok && isShown()) place.insertAdjacentHTML("beforeend", told.text);
}
