// Forms that are not sent as JSON: those that the browser submits by itself, because their answer is a
// page or a file to keep, and those that send a file.

import { showRefusal } from "./refusals.mjs";
import { refusedAnew, sendSignedFile, signAddress } from "./signing.mjs";

// Let the browser submit this form, with the signature in its address.
export async function submitPlain(form) {
  try {
    const refused = await refusedAnew();
    showRefusal(form, refused ? (await refused.json()).title : "");
    if (!refused) submitSigned(form);
  } catch {
    showRefusal(form, document.getElementById("link").dataset.lost);
  }
}

function submitSigned(form) {
  const { action } = form;
  form.action = signAddress(action, `${new URLSearchParams(new FormData(form))}`);
  form.submit();
  form.action = action;
}

// Send the file of a form. While it is on its way the form cannot be sent again, and stays although
// the table shows meanwhile what it does with the file: a refusal is shown at it.
export async function sendFile(form) {
  const button = form.querySelector("button");
  const place = form.closest("details");
  button.disabled = true;
  place.dataset.sending = "";
  showRefusal(form, "");
  try {
    const answer = await sendSignedFile(form.action, form.querySelector("[type=file]").files[0]);
    if (answer.ok) place.remove(); // The table asks now whether to restore it.
    else showRefusal(form, (await answer.json()).title);
  } catch {
    showRefusal(form, document.getElementById("link").dataset.lost);
  }
  delete place.dataset.sending;
  button.disabled = false;
}
