// Forms: sent without leaving the page. What is refused is said at the form, and nothing is lost.

const PROBLEM = "application/problem+json";

export function sendForms() {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.method !== "post" || "leaves" in form.dataset || "seal" in form.dataset) return;
    event.preventDefault();
    await send(form, new FormData(form, event.submitter));
  });
}

// Post these fields; whether they were granted.
export async function send(form, fields) {
  say(form, "");
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { Accept: PROBLEM },
    });
    if (answer.ok && !answer.redirected) return true;
    if (answer.redirected) location.assign(answer.url);
    else say(form, (await answer.json()).title);
  } catch {
    say(form, document.getElementById("link").dataset.lost);
  }
  return false;
}

export function say(form, sentence) {
  const place = form.querySelector("[data-refusal]");
  if (place) place.textContent = sentence;
}
