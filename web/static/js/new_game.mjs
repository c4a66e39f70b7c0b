// The form of a new game: as many lines for players as figures were tapped. A line that is hidden is not
// sent; what was typed there comes back with it.

import "./main.mjs";

const figures = document.querySelector(".figures");
if (figures) {
  figures.hidden = false;
  figures.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-players]");
    if (button) seatPlayers(Number(button.dataset.players));
  });
  seatPlayers(Number(figures.querySelector("[aria-pressed=true]")?.dataset.players ?? Infinity));
}

/** @param {number} many */
function seatPlayers(many) {
  for (const button of figures.querySelectorAll("button")) button.setAttribute("aria-pressed", String(Number(button.dataset.players) === many));
  const lines = [...figures.closest("fieldset").querySelectorAll(".line")];
  for (const [at, line] of lines.entries()) {
    line.hidden = at >= many;
    for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (line.querySelectorAll("input, select"))) input.disabled = at >= many;
  }
  if (!figures.closest("fieldset").querySelector("[type=radio]:checked:enabled")) /** @type {HTMLInputElement} */ (lines[0].querySelector("[type=radio]")).checked = true;
}
