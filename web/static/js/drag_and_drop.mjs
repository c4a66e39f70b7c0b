// Drag: a piece follows the pointer. It leaves its field when it is picked up and lies where it is
// let go; let go nowhere, or at Escape, it is put back.
//
// What moves is a drawing of the piece outside the part that the stream exchanges, moved by its
// transform alone, once a frame: the page may change under it as it likes. Where the spots are is
// looked up once, as they stay where they are.

import { send } from "./forms.mjs";

const FAR = 6; // Nearer than that it was a tap.
const LATEST = 900; // So long a drawing waits for the page to show the piece itself.
let drag = null;
let swallow = false;

export function mindDragging(live) {
  document.addEventListener("pointerdown", begin);
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", (event) => drag?.id === event.pointerId && letGo(drag.over));
  document.addEventListener("pointercancel", (event) => drag?.id === event.pointerId && letGo(null));
  document.addEventListener("keydown", (event) => event.key === "Escape" && putBack());
  document.addEventListener("click", swallowed, true);
  live.addEventListener("shown", hide);
}

function begin(event) {
  swallow = false;
  const piece = event.isPrimary && event.button === 0 && event.target.closest("[data-piece]");
  if (piece && !drag) drag = { id: event.pointerId, piece, from: event, at: event, ghost: null, over: null };
}

function move(event) {
  if (drag?.id !== event.pointerId) return;
  drag.at = event;
  const [x, y] = [event.clientX - drag.from.clientX, event.clientY - drag.from.clientY];
  if (!drag.ghost && Math.hypot(x, y) > FAR) pickUp();
  if (drag.ghost) drag.frame ||= requestAnimationFrame(paint);
}

// The one look at the layout; then the piece leaves its field.
function pickUp() {
  const { piece } = drag;
  const face = piece.querySelector(".face");
  drag.spots = [...document.querySelectorAll("[data-spot]")].map((spot) => [spot.dataset.spot, spot.getBoundingClientRect()]);
  drag.home = face.getBoundingClientRect();
  drag.ghost = drawn(face);
  drag.ghost.setPointerCapture(drag.id);
  drag.origin = piece.closest("[data-spot]")?.dataset.spot ?? null;
  drag.n = Number(piece.value);
  drag.lifted = "fingers" in piece.dataset ? Promise.resolve(true) : send(document.getElementById("lifts"), { spot: drag.origin, n: drag.n });
  document.body.classList.add("dragging");
  hide();
}

function drawn(face) {
  const ghost = document.body.appendChild(document.createElement("span"));
  ghost.className = "ghost";
  ghost.setAttribute("aria-hidden", "true");
  ghost.style.fontSize = getComputedStyle(face).fontSize;
  ghost.append(face.cloneNode(true));
  return ghost;
}

function paint() {
  if (!drag) return;
  drag.frame = 0;
  const { clientX: x, clientY: y } = drag.at;
  drag.ghost.style.transform = `translate3d(${drag.home.left + x - drag.from.clientX}px, ${drag.home.top + y - drag.from.clientY}px, 0) scale(1.06)`;
  const over = drag.spots.find(([, { left, right, top, bottom }]) => left <= x && x <= right && top <= y && y <= bottom)?.[0] ?? null;
  if (over === drag.over) return;
  mark(drag.over, false);
  mark(over, true);
  drag.over = over;
}

function mark(name, on) {
  document.getElementById(`spot-${name}`)?.toggleAttribute("data-over", on);
}

// What is under way is not shown where it was, nor as held.
function hide() {
  if (!drag?.ghost) return;
  const held = document.getElementById("held");
  const left = document.querySelector(`#spot-${drag.origin} [data-piece][value="${drag.n}"]`);
  (held ?? left)?.closest(".piece").setAttribute("data-away", "");
  mark(drag.over, true);
}

async function letGo(over) {
  const { ghost, origin, lifted, home, spots } = drag;
  if (ghost) paint();
  drag = null;
  if (!ghost) return;
  swallow = true;
  document.body.classList.remove("dragging");
  mark(over, false);
  const to = over ?? origin;
  settle(ghost, over ? spots.find(([name]) => name === over)[1] : home);
  const lies = (await lifted) && to && (await send(document.getElementById("puts"), { spot: to }));
  const gone = () => {
    ghost.remove();
    for (const away of document.querySelectorAll("[data-away]")) away.removeAttribute("data-away");
  };
  if (!lies) return gone();
  document.getElementById("live").addEventListener("shown", gone, { once: true });
  setTimeout(gone, LATEST);
}

// On its way to where it will lie.
function settle(ghost, { left, top, width, height }) {
  const { width: wide, height: high } = ghost.firstChild.getBoundingClientRect();
  ghost.classList.add("settling");
  ghost.style.transform = `translate3d(${left + (width - wide) / 2}px, ${top + (height - high) / 2}px, 0)`;
}

function putBack() {
  if (drag?.ghost) letGo(null);
  else document.getElementById("put-back")?.requestSubmit();
}

// The click that ends a drag is none.
function swallowed(event) {
  if (!swallow) return;
  swallow = false;
  event.preventDefault();
  event.stopPropagation();
}
