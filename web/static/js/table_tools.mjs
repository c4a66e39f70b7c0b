// The host's tools of the table screen: its header comes down while the screen is held, and goes when
// something else is tapped, by Escape, or after a while. The Tab key shows it without this script, as
// long as the focus is in it (table_tools.css).

import { keep, recall } from "./storage.mjs";

const HELD_MS = 700;
const SHOWN_MS = 20_000;
const CONTROLS = "a, button, input, select, summary";

let holding = 0;
let shown = 0;

export function enableTools() {
  document.addEventListener("pointerdown", startHolding);
  for (const end of ["pointerup", "pointercancel", "blur"]) window.addEventListener(end, () => clearTimeout(holding));
  document.addEventListener("contextmenu", (event) => event.pointerType === "touch" && event.preventDefault());
  document.addEventListener("keydown", (event) => event.key === "Escape" && hideTools());
}

/** @param {any} given */
function startHolding({ target }) {
  if (target.closest(".rail")) return;
  hideTools();
  if (!target.closest(CONTROLS)) holding = setTimeout(showTools, HELD_MS);
}

function showTools() {
  document.documentElement.dataset.tools = "";
  shown = setTimeout(hideTools, SHOWN_MS);
}

function hideTools() {
  clearTimeout(shown);
  delete document.documentElement.dataset.tools;
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  if (focused?.closest(".rail")) focused.blur();
}

// Display preferences of the table screen: high contrast and reduced motion, for a screen whose
// system has no such settings. What the host has set for the whole table cannot be unset here.
const PREFIX = "companion look ";

// Show the switches and apply what is stored.
export function enablePreferences() {
  const switches = document.getElementById("looks");
  switches.hidden = false;
  for (const button of switches.querySelectorAll("[data-look]")) {
    applyPreference(button, recall(PREFIX + button.dataset.look) === "on");
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      applyPreference(button, on);
      keep(PREFIX + button.dataset.look, on ? "on" : "off");
    });
  }
}

/** @param {HTMLElement} button @param {boolean} on */
function applyPreference(button, on) {
  if (document.documentElement.getAttribute(`data-${button.dataset.look}`)) {
    button.hidden = true;
    return;
  }
  button.setAttribute("aria-pressed", String(on));
  document.documentElement.toggleAttribute(`data-${button.dataset.look}`, on);
}
