// Files: what the table answers is kept as one, and one is sent to it.

import { randomHex } from "./seal.mjs";
import { showRefusal } from "./refusals.mjs";
import { sendSignedFile } from "./signing.mjs";

const FILE_NAME = /filename="([^"]+)"/;

// Have the browser keep an answer under the name that the table gave it.
/** @param {HTMLElement} form @param {any} answer */
export async function saveAnswer(form, answer) {
  try {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    [, link.download] = FILE_NAME.exec(answer.headers.get("Content-Disposition"));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // Safari reads it only after the click.
  } catch {
    showRefusal(form, document.getElementById("link").dataset.lost);
  }
}

// Send the file of a form. While it is on its way the form cannot be sent again, and stays although
// the table shows meanwhile what it does with the file: a refusal is shown at it.
/** @param {HTMLElement} form */
export async function sendFile(form) {
  const button = form.querySelector("button");
  const place = form.closest("details");
  button.disabled = true;
  place.dataset.sending = "";
  showRefusal(form, "");
  try {
    const answer = await sendSignedFile(form.action, form.querySelector("[type=file]").files[0], randomHex());
    if (answer.ok) place.remove(); // The table asks now whether to restore it.
    else showRefusal(form, (await answer.json()).title);
  } catch {
    showRefusal(form, document.getElementById("link").dataset.lost);
  }
  delete place.dataset.sending;
  button.disabled = false;
}
