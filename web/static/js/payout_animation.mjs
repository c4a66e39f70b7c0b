// Animation of coins or cards that fly across the page to the player who gets them.

const MAX_ITEMS = 6;
const FLIGHT_MS = 900;
const STAGGER_MS = 110;

// Let n items fly from one element to the other, one shortly after the other; backwards if `back`.
export function animateTransfer(from, to, n, back, kind = "coin") {
  if (!to) return;
  const [start, end] = [from, to].map(translateToMiddle);
  for (let i = 0; i < Math.min(n, MAX_ITEMS); i += 1) {
    const item = document.body.appendChild(document.createElement("span"));
    item.className = `flying ${kind}`;
    item.setAttribute("aria-hidden", "true");
    item.animate(back ? [end, start] : [start, end], {
      duration: FLIGHT_MS,
      delay: i * STAGGER_MS,
      easing: "cubic-bezier(0.5, 0, 0.3, 1)",
      fill: "both",
    }).onfinish = () => item.remove();
  }
}

function translateToMiddle(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { transform: `translate(${left + width / 2}px, ${top + height / 2}px)` };
}
