// Send to the floor what was tapped or moved, and show why it was refused, or that it cannot be reached.

const refused = document.getElementById("refused");

export async function sendAct(address, fields) {
  const why = await readRefusal(address, new URLSearchParams(fields)).catch(() => refused.dataset.unreached);
  refused.textContent = why;
  refused.hidden = !why;
}

// Return the floor's sentence; "" if it agreed.
async function readRefusal(address, body) {
  const answer = await fetch(address, { method: "POST", body });
  return answer.ok ? "" : (await answer.text()) || refused.dataset.unreached;
}
