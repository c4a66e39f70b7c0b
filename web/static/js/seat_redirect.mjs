// Seated: the page where somebody waited for a seat leads to the phone page once the seat is theirs.
// Whoever comes back to it later, to change the language or the seat, is left in peace.

let waited = false;

export function goToSeat(live) {
  const paired = live.querySelector("[data-paired]");
  if (waited && paired) location.assign(paired.dataset.paired);
  waited = live.querySelector("[data-waiting]") !== null;
}
