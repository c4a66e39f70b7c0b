// Entry script of the page for makers: the simulated power cut. While the table restarts, the banner says
// that the page comes back by itself, instead of the usual sentence about a lost connection.

import "./main.mjs";

const STILL_ON_MS = 1_500; // The table may still send updates for so long after the request.
const banner = document.getElementById("link");
const aside = document.getElementById("aside");
const usual = banner.dataset.lost;
let cutAt = 0;

function showBanner() {
  banner.textContent = banner.dataset.lost;
  banner.hidden = false;
}

document.addEventListener("granted", ({ target }) => {
  if (!target.dataset.plug) return;
  cutAt = Date.now();
  banner.dataset.lost = target.dataset.plug;
  showBanner();
});
document.getElementById("live").addEventListener("shown", () => {
  if (Date.now() < cutAt + STILL_ON_MS) return showBanner();
  if ([usual, banner.dataset.lost].includes(aside.textContent)) aside.textContent = "";
  banner.dataset.lost = usual;
});
