// The end of a game: this browser keeps the fingerprint of its record, and signs the line with which
// it ended (companion/core/signatures.py). What a phone keeps cannot be changed from the Pi: a
// record of which every seal and signature was made anew has another fingerprint.
//
// It is a script of its own, which is loaded when there is an end to show, and asked by an event with
// what it signs by (kept_ends.mjs).

const STORAGE_KEY = "companion ends";
const MOST = 60;
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000];
const underWay = new Set(); // Ends that are being signed: each state of the page asks for it anew.
let memory = []; // Used until the page closes where the browser forbids storage.

document.addEventListener("ends", ({ detail }) => {
  if (detail.place) keepEnd(detail.place, detail);
  listEnds();
});

// Keep the fingerprint of the end that the page shows, tell of an earlier one, and sign it.
function keepEnd(place, signing) {
  const { game, title, words } = place.dataset;
  const known = load().find((end) => end.game === game) ?? { game, title, words: [], signed: [] };
  const earlier = known.words.findLast((told) => told !== words);
  save({ ...known, when: Date.now(), words: [...known.words.filter((told) => told !== words), words] });
  place.querySelector("[data-keeps]").hidden = false;
  place.querySelector("[data-earlier]").hidden = !earlier;
  place.querySelector("[data-earlier] b").textContent = earlier ?? "";
  if (place.dataset.signs && !known.signed.includes(place.dataset.end)) signEnd({ ...place.dataset }, signing);
}

// Sign the end for the seat of this phone. What fails is tried again after ever longer pauses, for as
// long as the page shows this end: no news follows it that would be another occasion.
async function signEnd(shown, signing) {
  if (underWay.has(shown.end)) return;
  underWay.add(shown.end);
  for (let tries = 0; isShown(shown); tries += 1) {
    if (await sendSignature(shown, signing)) {
      noteSigned(shown);
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSES_MS[tries] ?? PAUSES_MS.at(-1)));
  }
  underWay.delete(shown.end);
}

function isShown({ end }) {
  return document.querySelector("[data-end]")?.dataset.end === end;
}

function noteSigned({ game, end }) {
  const known = load().find((one) => one.game === game);
  if (known) save({ ...known, signed: [...known.signed, end] });
}

// Send the signature; true if the table has it.
async function sendSignature({ game, seat, line, end, signs }, { randomHex, sendSigned, signLines }) {
  const signature = signLines("companion end 1", game, seat, line, end);
  const event = { event: "end_signed", line: Number(line), signature };
  try {
    const headers = { Accept: "application/json", "Content-Type": "application/json" };
    const answer = await sendSigned(signs, JSON.stringify({ event, version: 0, key: randomHex() }), headers);
    return answer.ok || (await answer.json()).code === "signed_already";
  } catch {
    return false;
  }
}

// Show the fingerprints that this browser keeps, the newest first.
function listEnds() {
  const place = document.getElementById("kept-ends");
  const ends = load();
  if (!place || !ends.length) return;
  place.hidden = false;
  place.querySelector("ul").replaceChildren(...ends.map(describeEnd));
}

function describeEnd({ title, when, words }) {
  const item = document.createElement("li");
  item.textContent = `${title}, ${new Date(when).toLocaleString(document.documentElement.lang)}: ${words.join(" / ")}`;
  return item;
}

function load() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY)) ?? memory;
  } catch {
    return memory;
  }
}

function save(end) {
  memory = [end, ...load().filter(({ game }) => game !== end.game)].slice(0, MOST);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(memory));
  } catch {
    // It stays in memory.
  }
}
