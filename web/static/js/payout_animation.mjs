// Flying: coins and cards on their way across the page, to those who get them.

const MOST = 6;
const LASTS = 900;

// So many fly from one place to the other, or back, a little after each other.
export function fly(from, to, n, back, kind = "coin") {
  if (!to) return;
  const [start, end] = [from, to].map(middle);
  for (let one = 0; one < Math.min(n, MOST); one += 1) {
    const thing = document.body.appendChild(document.createElement("span"));
    thing.className = `flying ${kind}`;
    thing.setAttribute("aria-hidden", "true");
    thing.animate(back ? [end, start] : [start, end], {
      duration: LASTS,
      delay: one * 110,
      easing: "cubic-bezier(0.5, 0, 0.3, 1)",
      fill: "both",
    }).onfinish = () => thing.remove();
  }
}

function middle(place) {
  const { left, top, width, height } = place.getBoundingClientRect();
  return { transform: `translate(${left + width / 2}px, ${top + height / 2}px)` };
}
