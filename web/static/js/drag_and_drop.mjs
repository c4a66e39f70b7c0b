// Drag and drop of the pieces on the simulated table. A piece is picked up where it lies and put
// down on the spot under the pointer; dropped elsewhere, or with Escape, it goes back.
//
// What moves is a copy (the ghost) outside the live part of the page, so the stream may exchange
// that part during a drag. The ghost moves by its transform alone, once per animation frame. The
// spots do not move during a drag, so their rectangles are measured once.

import { send } from "./forms.mjs";

const DRAG_THRESHOLD = 6; // Pixels; a shorter movement is a tap.
const GHOST_MS = 900; // Remove the ghost after this time even if the page has not shown the piece yet.
/** @type {any} */
let drag = null;
let ignoreClick = false;

/** @param {HTMLElement} live */
export function enableDragging(live) {
  document.addEventListener("pointerdown", startDrag);
  document.addEventListener("pointermove", moveDrag);
  document.addEventListener("pointerup", endDrag);
  document.addEventListener("pointercancel", (event) => drag?.id === event.pointerId && drop(null));
  document.addEventListener("keydown", (event) => event.key === "Escape" && cancelDrag());
  document.addEventListener("click", suppressClick, true);
  live.addEventListener("shown", hideDraggedPiece);
}

/** @param {PointerEvent} event */
function startDrag(event) {
  ignoreClick = false;
  const piece = event.isPrimary && event.button === 0 && event.target.closest("[data-piece]");
  if (piece && !drag) drag = { id: event.pointerId, piece, from: event, at: event, ghost: null, over: null };
}

/** @param {PointerEvent} event */
function moveDrag(event) {
  if (drag?.id !== event.pointerId) return;
  drag.at = event;
  const [x, y] = [event.clientX - drag.from.clientX, event.clientY - drag.from.clientY];
  if (!drag.ghost && Math.hypot(x, y) > DRAG_THRESHOLD) pickUp();
  if (drag.ghost) drag.frame ||= requestAnimationFrame(paintGhost);
}

// Measure the layout, create the ghost and tell the table that the piece was lifted.
function pickUp() {
  const { piece } = drag;
  const face = piece.querySelector(".face");
  drag.spots = [...document.querySelectorAll("[data-spot]")].map((spot) => [spot.dataset.spot, spot.getBoundingClientRect()]);
  drag.home = face.getBoundingClientRect();
  drag.ghost = createGhost(face);
  drag.ghost.setPointerCapture(drag.id);
  drag.origin = piece.closest("[data-spot]")?.dataset.spot ?? null;
  drag.n = Number(piece.value);
  drag.lifted = "fingers" in piece.dataset ? Promise.resolve(true) : send(document.getElementById("lifts"), { spot: drag.origin, n: drag.n });
  document.body.classList.add("dragging");
  hideDraggedPiece();
}

/** @param {any} face */
function createGhost(face) {
  const ghost = document.body.appendChild(document.createElement("span"));
  ghost.className = "ghost";
  ghost.setAttribute("aria-hidden", "true");
  ghost.style.fontSize = getComputedStyle(face).fontSize;
  ghost.append(face.cloneNode(true));
  return ghost;
}

// Move the ghost to the pointer and mark the spot below it.
function paintGhost() {
  if (!drag) return;
  drag.frame = 0;
  const { clientX: x, clientY: y } = drag.at;
  drag.ghost.style.transform = `translate3d(${drag.home.left + x - drag.from.clientX}px, ${drag.home.top + y - drag.from.clientY}px, 0) scale(1.06)`;
  const over = drag.spots.find((/** @type {[string, DOMRect]} */ [, { left, right, top, bottom }]) => left <= x && x <= right && top <= y && y <= bottom)?.[0] ?? null;
  if (over === drag.over) return;
  markSpot(drag.over, false);
  markSpot(over, true);
  drag.over = over;
}

/** @param {string} name @param {boolean} on */
function markSpot(name, on) {
  document.getElementById(`spot-${name}`)?.toggleAttribute("data-over", on);
}

// Hide the piece that the ghost stands for, both at its spot and among the fingers.
function hideDraggedPiece() {
  if (!drag?.ghost) return;
  const held = document.getElementById("held");
  const left = document.querySelector(`#spot-${drag.origin} [data-piece][value="${drag.n}"]`);
  (held ?? left)?.closest(".piece").setAttribute("data-away", "");
  markSpot(drag.over, true);
}

// The pointer is let go where it is now: the last movement may not have been painted yet.
/** @param {PointerEvent} event */
function endDrag(event) {
  if (drag?.id !== event.pointerId) return;
  drag.at = event;
  if (drag.ghost) paintGhost();
  drop(drag.over);
}

// End the drag over this spot, or over none (null): put the piece there or back to its origin.
/** @param {string | null} over */
async function drop(over) {
  const { ghost, origin, lifted, home, spots, over: marked } = drag;
  drag = null;
  if (!ghost) return;
  ignoreClick = true;
  document.body.classList.remove("dragging");
  markSpot(marked, false);
  const to = over ?? origin;
  settleGhost(ghost, over ? spots.find((/** @type {any} */ [name]) => name === over)[1] : home);
  const granted = (await lifted) && to && (await send(document.getElementById("puts"), { spot: to }));
  const removeGhost = () => {
    ghost.remove();
    for (const away of document.querySelectorAll("[data-away]")) away.removeAttribute("data-away");
  };
  if (!granted) return removeGhost();
  document.getElementById("live").addEventListener("shown", removeGhost, { once: true });
  setTimeout(removeGhost, GHOST_MS);
}

// Let the ghost glide to the middle of this rectangle.
/** @param {HTMLElement} ghost @param {DOMRect} home */
function settleGhost(ghost, { left, top, width, height }) {
  const { width: ghostWidth, height: ghostHeight } = ghost.firstElementChild.getBoundingClientRect();
  ghost.classList.add("settling");
  ghost.style.transform = `translate3d(${left + (width - ghostWidth) / 2}px, ${top + (height - ghostHeight) / 2}px, 0)`;
}

function cancelDrag() {
  if (drag?.ghost) drop(null);
  else /** @type {HTMLFormElement | null} */ (document.getElementById("put-back"))?.requestSubmit();
}

// The browser sends a click at the end of a drag; it must not press the button underneath.
/** @param {PointerEvent} event */
function suppressClick(event) {
  if (!ignoreClick) return;
  ignoreClick = false;
  event.preventDefault();
  event.stopPropagation();
}
