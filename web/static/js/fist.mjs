// Coins and chips that are dragged into a fist, and out of it again. A token is a button that adds to a
// number: dragging one presses it, so a tap, a key and a screen reader do the same.
//
// What is dragged out of the number itself (data-fist) is taken away by one.

const FAR = 8; // Pixels from which a touch is a drag and no tap.
const MOST_DRAWN = 30; // Coins that are drawn in a fist; the number says how many there are.
/** @type {any} */
let drag = null; // What is dragged: where it began, its button, and its picture once it moves.

export function enableFist() {
  document.addEventListener("pointerdown", begin);
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", (event) => end(event, true));
  document.addEventListener("pointercancel", (event) => end(event, false));
}

// Draw in each fist as many coins as its number says.
/** @param {HTMLElement} form */
export function drawHeaps(form) {
  for (const heap of form.querySelectorAll("[data-heap]")) {
    const wanted = Math.min(MOST_DRAWN, Number(heap.closest("[data-amount]").querySelector("[data-value]").value) || 0);
    while (heap.childElementCount > Math.max(wanted, 0)) heap.lastElementChild.remove();
    while (heap.childElementCount < wanted) heap.append(Object.assign(document.createElement("i"), { className: heap.dataset.heap }));
  }
}

/** @param {PointerEvent} event */
function begin(event) {
  const token = event.button === 0 && event.target.closest?.("[data-token]:not(:disabled)");
  const fist = !token && event.button === 0 && event.target.closest?.("[data-fist]");
  const less = fist && !event.target.closest("button") ? fist.closest("[data-amount]").querySelector("[data-step='-1']:not(:disabled)") : null;
  if (token || less) drag = { x: event.clientX, y: event.clientY, button: token || less, from: token || fist, into: Boolean(token), ghost: null };
}

/** @param {PointerEvent} event */
function move(event) {
  if (!drag) return;
  const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.ghost && Math.hypot(x, y) > FAR) drag.ghost = makeGhost(drag);
  if (drag.ghost) drag.ghost.style.transform = `translate3d(${x}px, ${y}px, 0)`;
}

// The picture under the finger: the token, or a coin that leaves the fist.
/** @param {any} given */
function makeGhost({ button, from, into, x, y }) {
  const source = into ? from : (button.closest("form").querySelector(`[data-token][data-step="1"]`) ?? from);
  const ghost = source.cloneNode(true);
  const { width, height } = source.getBoundingClientRect();
  ghost.inert = true;
  ghost.removeAttribute("data-token");
  ghost.classList.add("dragged");
  Object.assign(ghost.style, { left: `${x - width / 2}px`, top: `${y - height / 2}px`, width: `${width}px`, height: `${height}px` });
  button.closest("form").append(ghost);
  return ghost;
}

/** @param {PointerEvent} event @param {boolean} released */
function end(event, released) {
  if (!drag) return;
  const { button, ghost, into } = drag;
  drag = null;
  if (!ghost) return;
  ghost.remove();
  document.addEventListener("click", ignore, { capture: true, once: true });
  setTimeout(() => document.removeEventListener("click", ignore, { capture: true }), 0);
  if (released && isOverFist(button.closest("form"), event) === into) button.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}

// The click that the browser sends at the end of a drag must not count as a tap as well.
/** @param {PointerEvent} event */
function ignore(event) {
  if (!event.isTrusted) return;
  event.preventDefault();
  event.stopPropagation();
}

// The whole band across the form in which the fists lie takes what is dropped.
/** @param {HTMLElement} form @param {PointerEvent} event */
function isOverFist(form, { clientY }) {
  const bands = [...form.querySelectorAll("[data-fist]")].map((fist) => fist.getBoundingClientRect());
  return bands.some(({ top, bottom }) => clientY > top - FAR && clientY < bottom + FAR);
}
