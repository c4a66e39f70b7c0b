// Photos of the booklet on the page of the rules, for a host: made small and drawn anew here, so that
// nothing of the camera is sent, then signed and sent. The table strips them once more.

import { openPage } from "./leaving.mjs";
import { sendSigned, sendSignedFile } from "./signing.mjs";
import { randomHex } from "./seal.mjs";

const MOST_PIXELS = 1600;
const MOST_BYTES = 700_000;
const QUALITIES = [0.8, 0.65, 0.5, 0.35];
const ADD = "/api/host/booklet/photos";
const REMOVE = "/api/host/booklet/remove";

for (const control of document.querySelectorAll(".add-photo, [data-remove-photo]")) control.hidden = false;

document.addEventListener("change", async ({ target }) => {
  if (!target.matches("[data-photo]") || !target.files.length) return;
  target.disabled = true;
  const drawn = await drawAnew(target.files[0]).catch(() => target.files[0]);
  const photo = new File([drawn], `${target.dataset.photo}.jpg`, { type: "image/jpeg" });
  await answer(sendSignedFile(ADD, photo), target);
});

document.addEventListener("click", async ({ target }) => {
  const name = target.dataset.removePhoto;
  if (!name) return;
  target.disabled = true;
  const body = JSON.stringify({ key: randomHex(), name });
  await answer(sendSigned(REMOVE, body, { "Content-Type": "application/json" }), target);
});

// Show the page as it is now, or why nothing has changed.
async function answer(asked, control) {
  const told = await asked.catch(() => null);
  if (told?.ok) return openPage(location.href);
  control.disabled = false;
  if (control.type === "file") control.value = ""; // The same photo may be chosen again.
  const said = told ? await told.json().catch(() => ({})) : {};
  document.getElementById("photo-refusal").textContent = said.title ?? document.getElementById("link").dataset.lost;
}

// Return the photo upright, and no larger than the table keeps.
async function drawAnew(file) {
  const photo = await createImageBitmap(file, { imageOrientation: "from-image" });
  const scale = Math.min(1, MOST_PIXELS / Math.max(photo.width, photo.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(photo.width * scale);
  canvas.height = Math.round(photo.height * scale);
  canvas.getContext("2d").drawImage(photo, 0, 0, canvas.width, canvas.height);
  let drawn = null;
  for (const quality of QUALITIES) {
    drawn = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
    if (drawn.size <= MOST_BYTES) break;
  }
  return drawn;
}
