// The judge alone, as one file: a case is typed, and the second court of its game decides it at every
// change. The form follows the example of each kind; what it may hold is suggested, and not checked.

import { courts } from "./courts.mjs";

const { kinds, languages } = JSON.parse(document.getElementById("data").textContent);
const form = document.getElementById("case");
const answer = document.getElementById("answer");
const chosen = document.getElementById("kind");
let lang = Object.keys(languages).find((code) => navigator.language.startsWith(code)) ?? "en";
let given = null;

const element = (tag, facts = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), facts);
  made.append(...children);
  return made;
};
const name = (word) => languages[lang].names[word] ?? languages[lang].words[word] ?? word;
const isPlain = (value) => value === null || typeof value !== "object";

function speak(code) {
  lang = code;
  document.documentElement.lang = code;
  for (const place of document.querySelectorAll("[data-text]")) place.textContent = languages[code].texts[place.dataset.text];
  for (const button of document.querySelectorAll("[data-lang]")) button.ariaPressed = String(button.dataset.lang === code);
  const at = Math.max(chosen.selectedIndex, 0);
  chosen.replaceChildren(...kinds.map(({ says }, n) => element("option", { value: n, textContent: says[code], selected: n === at })));
  document.getElementById("words").replaceChildren(
    ...Object.entries(languages[code].words).map(([value, label]) => element("option", { value, label })),
  );
  draw();
}

function begin() {
  given = structuredClone(kinds[chosen.selectedIndex].example);
  draw();
}

function draw() {
  const { fixed, words } = kinds[chosen.selectedIndex];
  document.getElementById("legend").textContent = words.map((word) => `${word}: ${name(word)}`).join(" · ");
  form.replaceChildren(
    ...Object.keys(given).filter((field) => !fixed.includes(field)).map((field) => drawField(given, field, drawLabel(field))),
  );
  decide();
}

function drawLabel(field) {
  return element("b", { textContent: name(field) });
}

// One value of an object under its name: a number, words, or the values of an object one by one.
function drawField(owner, field, label) {
  const value = owner[field];
  if (isPlain(value) || Array.isArray(value)) return element("label", { className: "row" }, label, drawInput(owner, field));
  const rows = Object.keys(value).map((key) => drawField(value, key, drawKey(value, key)));
  const more = element("button", { type: "button", textContent: "+", ariaLabel: languages[lang].texts.more });
  more.onclick = () => {
    const keys = Object.keys(value);
    let key = `${keys.length + 1}`;
    while (key in value) key += "+";
    value[key] = structuredClone(value[keys.at(-1)] ?? kinds[chosen.selectedIndex].example[field]?.[keys[0]] ?? 0);
    draw();
  };
  return element("fieldset", { className: "fields" }, element("legend", {}, label), ...rows, more);
}

// The name of an entry can be changed, and an entry without a name is left out.
function drawKey(owner, key) {
  if (languages.en.names[key]) return drawLabel(key);
  const input = element("input", { value: key, size: 8, ariaLabel: languages[lang].texts.name });
  input.setAttribute("list", "words");
  input.onchange = () => {
    const entries = Object.entries(owner).map(([old, value]) => [old === key ? input.value.trim() : old, value]);
    for (const old of Object.keys(owner)) delete owner[old];
    Object.assign(owner, Object.fromEntries(entries.filter(([fresh]) => fresh)));
    draw();
  };
  return input;
}

function drawInput(owner, field) {
  const value = owner[field];
  if (typeof value === "boolean") {
    const box = element("input", { type: "checkbox", checked: value, ariaLabel: name(field) });
    box.onchange = () => change(owner, field, box.checked);
    return box;
  }
  const isNumber = typeof value === "number";
  const input = element("input", { type: isNumber ? "number" : "text", value: isPlain(value) ? value : write(value), ariaLabel: name(field) });
  input.dataset.field = field;
  if (!isNumber && isPlain(value)) input.setAttribute("list", "words");
  input.oninput = () => change(owner, field, isNumber ? Number(input.value) || 0 : isPlain(value) ? input.value.trim() : read(input.value, value));
  return input;
}

function change(owner, field, value) {
  owner[field] = value;
  decide();
}

// Lists are written with commas; a list in a list, such as a card of two colours, with a hyphen.
function write(list) {
  return list.map((item) => (Array.isArray(item) ? item.join("-") : item)).join(", ");
}

function read(text, example) {
  const items = text.split(",").map((item) => item.trim()).filter(Boolean);
  if (example.some(Array.isArray)) return items.map((item) => item.split("-"));
  return items.map((item) => (example.some((one) => typeof one === "number") && /^\d+$/.test(item) ? Number(item) : item));
}

function decide() {
  try {
    answer.replaceChildren(drawAnswer(courts[given.game](given)));
  } catch {
    answer.replaceChildren(element("p", { textContent: languages[lang].texts.unclear }));
  }
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
chosen.onchange = begin;
given = structuredClone(kinds[0].example);
speak(lang);
document.documentElement.dataset.checked = "";
