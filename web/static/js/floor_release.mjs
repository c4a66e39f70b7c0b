// The release that staff gives to the floor: sent as one body, because it is too long for a form.

export function prepareRelease(form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sendRelease(form, form.querySelector("input").files[0]);
  });
}

async function sendRelease(form, file) {
  const button = form.querySelector("button");
  button.disabled = true;
  const answer = await fetch(form.dataset.send, { method: "POST", body: file }).catch(() => null);
  if (answer?.ok) {
    location.reload();
    return;
  }
  button.disabled = false;
  const refused = form.querySelector("[role=alert]");
  refused.textContent = answer ? await answer.text() : refused.dataset.unreached;
  refused.hidden = false;
}
