// The judge alone, as one file: the companion's forms, filled in by taps, and the second court of their
// game, which decides at every tap. A form is woven of what its languages have in common and of what
// each of them says. The address holds the whole case.

import { enableCaseForm, showFields } from "../static/js/case_form.mjs";
import { courts } from "./courts.mjs";
import { makeCase } from "./sheet.mjs";

const { kinds, languages, pictures } = JSON.parse(document.getElementById("data").textContent);
const GIST = ["change", "winners", "winner", "allowed", "next_bank", "turns", "taken"]; // What is said first.
const answer = document.getElementById("answer");
const given = document.getElementById("given");
const chosen = /** @type {HTMLSelectElement} */ (document.getElementById("kind"));
let form = /** @type {HTMLFormElement} */ (document.getElementById("case"));
let gist = null;
let lang = Object.keys(languages).find((code) => navigator.language.startsWith(code)) ?? "en";

const element = (tag, facts = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), facts);
  made.append(...children);
  return made;
};
const name = (word) => languages[lang].names[word] ?? languages[lang].words[word] ?? String(word);
const isPlain = (value) => value === null || typeof value !== "object";

function speak(code) {
  const filled = readFields();
  lang = code;
  document.documentElement.lang = code;
  document.title = languages[code].texts.title;
  for (const place of document.querySelectorAll("[data-text]")) place.textContent = languages[code].texts[place.dataset.text];
  for (const button of document.querySelectorAll("[data-lang]")) button.ariaPressed = String(button.dataset.lang === code);
  const at = Math.max(chosen.selectedIndex, 0);
  chosen.replaceChildren(...kinds.map(({ heads }, n) => element("option", { value: n, textContent: heads[code], selected: n === at })));
  draw(filled);
}

// Draw the form of the chosen kind, with these fields filled in.
function draw(filled = null) {
  const { game, says } = kinds[chosen.selectedIndex];
  const markup = document.getElementById(`form-${chosen.selectedIndex}`).innerHTML;
  for (const sheet of /** @type {NodeListOf<HTMLStyleElement>} */ (document.querySelectorAll("style[data-game]"))) sheet.media = sheet.dataset.game === game ? "all" : "not all";
  const fresh = element("form", { id: "case", className: "sheet paper", noValidate: true, onsubmit: () => false });
  fresh.innerHTML = markup.replace(/¤(\d+)¤/g, (_, n) => says[lang][n]);
  gist = element("p", { className: "gist", role: "status" });
  fresh.append(gist);
  for (const picture of fresh.querySelectorAll("[data-picture]")) picture.src = pictures[picture.dataset.picture];
  for (const place of fresh.querySelectorAll("[data-by]")) place.replaceWith(drawStep(place));
  form.replaceWith(fresh);
  form = fresh;
  if (filled) fillIn(filled);
  enableCaseForm(form, decide);
  decide();
}

// A button that adds to the number beside it, or takes from it.
function drawStep(place) {
  const { by } = place.dataset;
  const { ariaLabel } = place.parentElement.querySelector("input");
  const [said, sign] = by < 0 ? ["fewer", "−"] : ["more", "+"];
  const button = element("button", { type: "button", textContent: sign, ariaLabel: languages[lang].texts[said].replace("{label}", () => ariaLabel) });
  button.dataset.add = by;
  return button;
}

// The fields as an address holds them, without the names that nobody has changed.
function readFields() {
  const fields = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name^=name]"))) if (input.value === input.defaultValue) fields.delete(input.name);
  return fields;
}

function fillIn(fields) {
  for (const field of /** @type {Iterable<any>} */ (form.elements)) {
    const value = fields.get(field.name);
    if (["radio", "checkbox"].includes(field.type)) field.checked = fields.getAll(field.name).includes(field.value) || (field.type === "radio" && value === null && field.defaultChecked);
    else if (value !== null) field.value = value;
  }
  showFields(form);
}

// The names of the players, and what stands in a field.
function readForm() {
  const fields = new FormData(form);
  const text = (field) => String(fields.get(field) ?? "").trim();
  const names = Array.from({ length: Number(text("players")) }, (_, n) => text(`name${n + 1}`));
  if (!names.length || names.includes("") || new Set(names).size < names.length) throw new RangeError("players");
  const rules = [...fields.keys()].filter((field) => field.startsWith("rule_"));
  return { names, text, rules: Object.fromEntries(rules.map((rule) => [rule.slice("rule_".length), text(rule)])) };
}

function decide() {
  const { game, kind, shapes, asks } = kinds[chosen.selectedIndex];
  try {
    const { names, text, rules } = readForm();
    const about = { game, kind, ...makeCase(shapes, names, text), ...(Object.keys(rules).length ? { house_rules: rules } : {}) };
    const verdict = courts[game](about);
    given.textContent = JSON.stringify(about);
    answer.replaceChildren(drawAnswer(verdict));
    gist.textContent = sayGist(verdict);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const { unclear, missing } = languages[lang].texts;
    gist.textContent = error.message ? missing.replace("{what}", () => asks[lang][error.message] ?? name(error.message)) : unclear;
    answer.replaceChildren(element("p", { className: "refusal", textContent: gist.textContent }));
    given.textContent = "";
  }
  history.replaceState(null, "", `#${new URLSearchParams([["game", game], ["kind", kind], ...readFields()])}`);
}

// Return the deciding field of a verdict in one line: the gains, the winner or the next bank.
function sayGist(verdict) {
  const field = GIST.find((one) => one in verdict) ?? Object.keys(verdict)[0];
  const value = verdict[field];
  const one = (inner) => (typeof inner === "boolean" ? name(String(inner)) : Array.isArray(inner) ? inner.map(name).join(", ") || "–" : name(inner));
  const thing = isPlain(value) || Array.isArray(value) ? one(value) : Object.entries(value).map(([who, inner]) => `${who} ${one(inner)}`).join(" · ");
  return languages[lang].texts.pair.replace("{name}", () => name(field)).replace("{thing}", () => thing);
}

function drawAnswer(value) {
  if (isPlain(value)) return document.createTextNode(typeof value === "number" ? String(value) : name(value === null ? "–" : String(value)));
  if (Array.isArray(value) && value.every(isPlain)) return document.createTextNode(value.map(name).join(", ") || "–");
  if (Array.isArray(value)) return element("div", {}, ...value.map(drawAnswer));
  const rows = Object.entries(value)
    .filter(([, inner]) => inner !== undefined && inner !== null)
    .map(([key, inner]) => element("tr", {}, element("th", { scope: "row", textContent: name(key) }), element("td", {}, drawAnswer(inner))));
  return rows.length ? element("table", {}, element("tbody", {}, ...rows)) : document.createTextNode("–");
}

for (const button of document.querySelectorAll("[data-lang]")) button.onclick = () => speak(button.dataset.lang);
chosen.onchange = () => draw();
document.getElementById("print").onclick = () => window.print();
const kept = new URLSearchParams(location.hash.slice(1));
const wanted = kinds.findIndex(({ game, kind }) => game === kept.get("game") && kind === kept.get("kind"));
speak(lang);
if (wanted >= 0) {
  chosen.selectedIndex = wanted;
  draw(kept);
}
document.documentElement.dataset.checked = "";
