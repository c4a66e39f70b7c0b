// The host's tools of the table screen: its header comes down while the screen is held, and goes when
// something else is tapped, by Escape, or after a while. The Tab key shows it without this script, as
// long as the focus is in it (table_tools.css).

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
  if (document.activeElement?.closest(".rail")) document.activeElement.blur();
}
