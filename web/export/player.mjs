// The game of a record, step by step: by buttons, by arrow keys and by a slider. What was said last
// stands there, and under it the newest verdict, told up to a step with its picture. Without scripts,
// on paper and on demand everything is there at once.

const LINES = 4; // So many sentences are read at a time.
const KEYS = { ArrowLeft: "back", ArrowRight: "on", PageUp: "verdict-before", PageDown: "next-verdict" };

export function startPlayer(where) {
  const game = document.querySelector(".game");
  const player = document.querySelector(".player");
  const stops = listStops(game);
  const slider = player.querySelector("input");
  const said = player.querySelector("output");
  const all = player.querySelector("[data-all]");
  let at = 0;

  function show(next) {
    at = Math.max(0, Math.min(stops.length - 1, next));
    const { moment } = stops[at];
    showStop(game, stops[at]);
    slider.value = moment + 1;
    said.textContent = where.replace("{n}", moment + 1).replace("{all}", slider.max);
  }

  const moves = {
    back: () => at - 1,
    on: () => at + 1,
    "verdict-before": () => stops.findLastIndex((stop, n) => n < at && stop.told === 1),
    "next-verdict": () => findOr(stops, (stop, n) => n > at && stop.told === 1, stops.length - 1),
  };
  const go = (name) => show(moves[name]());

  player.hidden = false;
  player.addEventListener("click", ({ target }) => target.dataset.go && go(target.dataset.go));
  slider.addEventListener("input", () => show(stops.findIndex(({ moment }) => moment + 1 === Number(slider.value))));
  all.addEventListener("click", () => {
    const isWhole = all.getAttribute("aria-pressed") === "false";
    all.setAttribute("aria-pressed", isWhole);
    if (isWhole) showEverything(game);
    else show(at);
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.matches("input, select, textarea");
    if (isTyping || event.ctrlKey || event.altKey || event.metaKey || !(event.key in KEYS)) return;
    if (all.getAttribute("aria-pressed") === "true") return;
    event.preventDefault();
    go(KEYS[event.key]);
  });
  addEventListener("beforeprint", () => showEverything(game));
  addEventListener("afterprint", () => all.getAttribute("aria-pressed") === "false" && show(at));
  show(0);
}

// Every place at which one can stop: a moment, and of a verdict every step.
function listStops(game) {
  const stops = [];
  let moment = -1;
  for (const part of game.children) {
    if (part.matches(".told")) stops.push({ moment: (moment += 1), verdict: null, told: 0 });
    else part.querySelectorAll(".steps > li").forEach((_, n) => stops.push({ moment, verdict: part, told: n + 1 }));
  }
  return stops;
}

function findOr(list, fits, otherwise) {
  const found = list.findIndex(fits);
  return found < 0 ? otherwise : found;
}

// Show the last sentences, and the verdict that is being told, or else the last one that was.
function showStop(game, { moment, verdict, told }) {
  const sentences = [...game.querySelectorAll(".told")];
  sentences.forEach((one, n) => {
    one.hidden = n > moment || n <= moment - LINES;
    one.toggleAttribute("aria-current", n === moment);
  });
  const verdicts = [...game.querySelectorAll(".verdict")];
  const shown = verdict ?? verdicts.findLast((one) => one.compareDocumentPosition(sentences[moment]) & Node.DOCUMENT_POSITION_FOLLOWING);
  for (const one of verdicts) one.hidden = one !== shown;
  if (shown) tellUpTo(shown, verdict ? told : Infinity);
}

function showEverything(game) {
  for (const part of game.children) {
    part.hidden = false;
    if (part.matches(".verdict")) tellUpTo(part, Infinity);
  }
}

// Tell a verdict up to a step: its sentences, and the marks of its picture that are there by then.
function tellUpTo(verdict, told) {
  const steps = [...verdict.querySelectorAll(".steps > li")];
  steps.forEach((step, n) => {
    step.hidden = n >= told;
    step.toggleAttribute("aria-current", n + 1 === told);
  });
  verdict.classList.toggle("whole", told >= steps.length);
  for (const mark of verdict.querySelectorAll(".picture [class]")) {
    const comes = stepOf(mark, "s", 0);
    mark.classList.toggle("away", comes > told || stepOf(mark, "u", Infinity) <= told);
    const leaves = stepOf(mark, "x", Infinity);
    if (leaves < Infinity) mark.classList.toggle("gone", leaves <= told);
  }
}

function stepOf(mark, letter, otherwise) {
  const found = [...mark.classList].find((name) => name[0] === letter && Number(name.slice(1)));
  return found ? Number(found.slice(1)) : otherwise;
}
