// Forms: sent without leaving the page. What is refused is said at the form, and nothing is lost.
// Each submission has a key: when its answer is lost and it is sent again, it still counts once.

import { random } from "./seal.mjs";

const PROBLEM = "application/problem+json";
const unanswered = new WeakMap(); // By form: what was sent last, with its key, until it is answered.

export function sendForms() {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.method !== "post" || "leaves" in form.dataset || "seal" in form.dataset) return;
    event.preventDefault();
    say(form, "");
    await send(form, new FormData(form, event.submitter));
  });
}

// Post these fields; whether they were granted.
export async function send(form, fields) {
  const sent = submission(form, new URLSearchParams(fields).toString());
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams(`${sent.body}&key=${sent.key}`),
      headers: { Accept: PROBLEM },
    });
    const problem = answer.ok ? null : await answer.json();
    unanswered.delete(form);
    if (answer.ok && !answer.redirected) return true;
    if (answer.redirected) location.assign(answer.url);
    else say(form, problem.title);
  } catch {
    say(form, document.getElementById("link").dataset.lost);
  }
  return false;
}

// The same fields on the same view, not answered yet: the same submission, with the same key.
function submission(form, body) {
  const last = unanswered.get(form);
  const sent = last?.body === body ? last : { body, key: random() };
  unanswered.set(form, sent);
  return sent;
}

// At the form, or beside the page if the form has gone meanwhile.
export function say(form, sentence) {
  const aside = document.getElementById("aside");
  const place = (form.isConnected && form.querySelector("[data-refusal]")) || aside;
  aside.textContent = "";
  if (place.textContent !== sentence) place.textContent = sentence;
}
