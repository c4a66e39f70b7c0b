// Send to the floor what was tapped, moved or typed, signed; and show why it was refused, or that the
// floor cannot be reached.

import { sendSigned } from "./signing.mjs";

const refused = document.getElementById("refused");

refused.addEventListener("click", () => showRefusal("")); // On a phone it may lie over a tile.

export const ACCEPT = "application/problem+json";

// Send what was tapped on a tile, or where a table was moved to.
export async function sendAct(address, fields) {
  try {
    const answer = await sendFields(address, new URLSearchParams(fields));
    showRefusal(await readRefusal(answer));
  } catch {
    showRefusal(refused.dataset.unreached);
  }
}

export function sendFields(address, fields) {
  return sendSigned(address, `${fields}`, { Accept: ACCEPT, "Content-Type": "application/x-www-form-urlencoded" });
}

// Return the floor's sentence; "" if it agreed.
export async function readRefusal(answer) {
  return answer.ok ? "" : (await answer.json()).title;
}

// Show a sentence at this form, or where it was shown last; "" takes it away.
export function showRefusal(sentence, form = null) {
  showAt(refused, sentence, form);
}

// Show what a form came to.
export function showDone(sentence, form) {
  showAt(document.getElementById("done"), sentence, form);
}

export function showUnreached(form) {
  showRefusal(refused.dataset.unreached, form);
}

function showAt(place, sentence, form) {
  const row = form?.closest(".acts"); // Of buttons side by side.
  if (row) row.after(place);
  else form?.append(place);
  place.textContent = sentence;
  place.hidden = !sentence;
  if (sentence && form) place.scrollIntoView({ block: "nearest" });
}
