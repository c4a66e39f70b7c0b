// The plan of the room: the same tiles, each where its table stands; moved by mouse, finger or arrow keys.
// A tile may be exchanged by the stream while it is dragged: so a drag knows its table, not its element.

import { sendAct } from "./floor_acts.mjs";

const STEP = 0.02;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const tiles = document.getElementById("tiles");
const moved = new Map();
let drag = null;
const sending = new Map(); // Table to the timer after which its new place is sent.

export function preparePlan() {
  const plan = document.getElementById("plan");
  const arrange = document.getElementById("arrange");
  plan.addEventListener("click", () => showPlan(plan.getAttribute("aria-pressed") !== "true"));
  arrange.addEventListener("click", () => letMove(arrange.getAttribute("aria-pressed") !== "true"));
  tiles.addEventListener("pointerdown", beginDrag);
  tiles.addEventListener("pointermove", followDrag);
  tiles.addEventListener("pointerup", endDrag);
  tiles.addEventListener("pointercancel", endDrag);
  tiles.addEventListener("keydown", moveByKey);
  showPlan(localStorage.getItem("floor-plan") === "true");
}

export function placeAll() {
  if (!document.body.classList.contains("plan")) return;
  const named = [...tiles.children].sort((a, b) => a.dataset.name.localeCompare(b.dataset.name, undefined, { numeric: true }));
  const columns = Math.max(1, Math.ceil(Math.sqrt(named.length * (tiles.clientWidth / Math.max(1, tiles.clientHeight)) * 0.6)));
  const rows = Math.max(1, Math.ceil(named.length / columns));
  named.forEach((tile, n) => {
    const grid = { x: spread(n % columns, columns), y: spread(Math.floor(n / columns), rows) };
    const spot = moved.get(tile.dataset.table) ?? ("x" in tile.dataset ? { x: Number(tile.dataset.x), y: Number(tile.dataset.y) } : grid);
    putAt(tile, spot);
  });
}

function spread(n, of) {
  return of < 2 ? 0.5 : n / (of - 1);
}

function putAt(tile, { x, y }) {
  tile.style.left = `calc(${x} * (100% - var(--spot-width)))`;
  tile.style.top = `calc(${y} * (100% - var(--spot-height)))`;
}

function showPlan(isPlan) {
  localStorage.setItem("floor-plan", String(isPlan));
  document.body.classList.toggle("plan", isPlan);
  document.getElementById("plan").setAttribute("aria-pressed", String(isPlan));
  document.getElementById("arrange").hidden = !isPlan;
  if (!isPlan) for (const tile of tiles.children) tile.removeAttribute("style");
  letMove(false);
  placeAll();
}

function letMove(isMoving) {
  document.body.classList.toggle("arranging", isMoving);
  document.getElementById("arrange").setAttribute("aria-pressed", String(isMoving));
  document.getElementById("how-to-move").hidden = !isMoving;
}

function spotOf(tile) {
  const frame = tiles.getBoundingClientRect();
  const own = tile.getBoundingClientRect();
  return { x: (own.left - frame.left) / (frame.width - own.width), y: (own.top - frame.top) / (frame.height - own.height) };
}

function keepWithin({ x, y }) {
  return { x: Math.min(1, Math.max(0, x)), y: Math.min(1, Math.max(0, y)) };
}

function beginDrag(event) {
  const tile = event.target.closest(".tile");
  if (!tile || event.button !== 0 || !document.body.classList.contains("arranging")) return;
  event.preventDefault();
  tile.querySelector(".handle").focus();
  tiles.setPointerCapture(event.pointerId);
  drag = { table: tile.dataset.table, from: spotOf(tile), x: event.clientX, y: event.clientY };
}

function followDrag(event) {
  const tile = drag && document.getElementById(`tile-${drag.table}`);
  if (!tile) return;
  const room = { width: tiles.clientWidth - tile.offsetWidth, height: tiles.clientHeight - tile.offsetHeight };
  const spot = keepWithin({
    x: drag.from.x + (event.clientX - drag.x) / room.width,
    y: drag.from.y + (event.clientY - drag.y) / room.height,
  });
  moved.set(drag.table, spot);
  putAt(tile, spot);
}

function endDrag() {
  if (drag && moved.has(drag.table)) send(drag.table);
  drag = null;
}

function moveByKey(event) {
  const tile = event.target.closest(".handle")?.closest(".tile");
  const way = ARROWS[event.key];
  if (!tile || !way || !document.body.classList.contains("arranging")) return;
  event.preventDefault();
  const by = event.shiftKey ? 5 * STEP : STEP;
  const at = spotOf(tile);
  const spot = keepWithin({ x: at.x + way[0] * by, y: at.y + way[1] * by });
  moved.set(tile.dataset.table, spot);
  putAt(tile, spot);
  document.getElementById("moved").textContent = `${tile.dataset.name}: ${Math.round(spot.x * 100)} %, ${Math.round(spot.y * 100)} %`;
  clearTimeout(sending.get(tile.dataset.table)); // Of this table alone: two may be moved in turn.
  sending.set(tile.dataset.table, setTimeout(send, 400, tile.dataset.table));
}

async function send(table) {
  const spot = moved.get(table);
  await sendAct("/move", { table, x: spot.x.toFixed(4), y: spot.y.toFixed(4) });
  if (moved.get(table) === spot) moved.delete(table);
  placeAll();
}
