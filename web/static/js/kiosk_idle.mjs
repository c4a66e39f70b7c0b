// Home: the screen of a kiosk goes back to the table once nobody has touched it for a while. Which
// screen is one, its own first address says: /table?kiosk

const KIOSK = "companion kiosk"; // When it was touched last; nothing on any other screen.
const ALONE = 5 * 60_000;
const LOOKS = 1_000;

export function comeHome() {
  if (new URLSearchParams(location.search).has("kiosk")) touched();
  if (!lastTouched()) return;
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, touched, true);
  if (location.pathname === "/table") return;
  setInterval(() => Date.now() - lastTouched() >= ALONE && location.assign("/table"), LOOKS);
}

function touched() {
  try {
    sessionStorage.setItem(KIOSK, Date.now());
  } catch {
    // Then it stays where it is.
  }
}

function lastTouched() {
  try {
    return Number(sessionStorage.getItem(KIOSK));
  } catch {
    return 0;
  }
}
