// Show why the table refused a form, where the form is or at the top of the page.

import { askUntilAnswered } from "./leaving.mjs";

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
