// Reach: arrow keys go from spot to spot, and after Enter what comes next is under the finger: a
// place for what was lifted, or the next piece that the game waits for.

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const NEXT = [".welcome .put", ".put", ".wanted [data-piece]", "#wood [data-piece]"];
let lost = false;

export function mindKeys(live) {
  document.addEventListener("keydown", (event) => WAYS[event.key] && reach(event));
  document.addEventListener("submit", (event) => {
    lost = event.submitter?.matches("#wood :focus-visible") ?? false;
  });
  live.addEventListener("shown", goOn);
}

function reach(event) {
  const here = document.activeElement?.closest("#wood button");
  if (!here) return;
  const from = middle(here);
  const [x, y] = WAYS[event.key];
  const far = (button) => {
    const to = middle(button);
    const along = (to.x - from.x) * x + (to.y - from.y) * y;
    const across = Math.abs((to.x - from.x) * y) + Math.abs((to.y - from.y) * x);
    return along > 4 ? along + 2 * across : Infinity;
  };
  const others = [...document.querySelectorAll("#wood button")].filter((button) => far(button) < Infinity);
  others.sort((a, b) => far(a) - far(b));
  if (!others.length) return;
  event.preventDefault();
  others[0].focus();
}

function middle(button) {
  const { left, top, width, height } = button.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

// The button that was pressed is gone, and with it the focus.
function goOn() {
  if (!lost || document.activeElement !== document.body) return;
  lost = false;
  const next = NEXT.map((place) => document.querySelector(place)).find((button) => button);
  next?.focus({ focusVisible: true });
}
