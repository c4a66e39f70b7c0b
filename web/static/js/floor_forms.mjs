// Send the forms of the floor, signed. They lead where the floor says, or it is said at the form what
// they came to; what was typed stays until then. A form that is `data-plain` changes nothing at the floor.

import { ACCEPT, readRefusal, sendFields, showDone, showRefusal, showUnreached } from "./floor_acts.mjs";
import { sealPin } from "./floor_pin.mjs";
import { openPage } from "./leaving.mjs";
import { sendSignedFile } from "./signing.mjs";

export function sendForms() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post" || "plain" in form.dataset) return;
    event.preventDefault();
    if (!("sending" in form.dataset)) send(form, new FormData(form, event.submitter));
  });
}

async function send(form, fields) {
  showRefusal("");
  form.dataset.sending = "";
  try {
    if ("file" in form.dataset) await sendFiles(form);
    else await takeAnswer(form, await sendFields(form.action, await readFields(form, fields)));
  } catch {
    showUnreached(form);
  }
  delete form.dataset.sending;
}

// Return the fields as they are sent: a PIN is sealed.
async function readFields(form, fields) {
  if (!("pin" in form.dataset)) return new URLSearchParams(fields);
  const answer = await fetch(form.action);
  return new URLSearchParams({ sealed: sealPin(fields.get("pin"), await answer.text()) });
}

async function takeAnswer(form, answer) {
  const refusal = await readRefusal(answer);
  if (refusal) {
    showRefusal(refusal, form);
    form.querySelector("[data-again]")?.select(); // The next digits replace the PIN.
  } else if (answer.redirected) await openPage(answer.url);
  else showDone(await answer.text(), form);
  if (!refusal && "once" in form.dataset) form.querySelector("button").remove();
}

// Send each file by itself, and say of each what became of it.
async function sendFiles(form) {
  const said = [];
  for (const file of form.querySelector("[type=file]").files) {
    const answer = await sendSignedFile(form.action, file, { Accept: ACCEPT });
    if (!answer.ok) return showRefusal([...said, (await answer.json()).title].join("\n"), form);
    if (answer.redirected) return openPage(answer.url);
    said.push(await answer.text());
    showDone(said.join("\n"), form);
  }
  form.reset();
}
