// The floor: the stream brings each tile that changed, and the order of all. This page counts their ages
// on, rings for a new call, and shows nothing as well while the stream is silent.

const SILENCE = 8_000;
const OLD = 20; // Seconds after which the age of what a tile shows is told.
const tiles = document.getElementById("tiles");
const link = document.getElementById("link");
const sound = document.getElementById("sound");
const came = new WeakMap();
let heard = performance.now();
/** @type {EventSource | null} */
let stream = null;
/** @type {Promise<typeof import("./sounds.mjs") | null> | null} */
let sounds = null;

sound.addEventListener("click", switchSound);
document.addEventListener("visibilitychange", () => document.hidden || wake());
addEventListener("pageshow", ({ persisted }) => persisted && wake());
addEventListener("online", wake);
setInterval(tick, 1000);
follow();

function follow() {
  stream?.close();
  heard = performance.now();
  stream = new EventSource(tiles.dataset.stream);
  stream.addEventListener("message", ({ data }) => show(JSON.parse(data)));
}

// How long a phone slept no clock of it tells: show nothing as well before the stream has begun anew.
function wake() {
  document.body.classList.add("lost");
  follow();
}

/** @param {any} given */
function show({ drawn, order, hears }) {
  heard = performance.now();
  sayLost(hears ? "" : link.dataset.lost);
  for (const [table, html] of Object.entries(drawn)) exchange(table, html);
  const wanted = order.map((/** @type {string} */ table) => document.getElementById(`tile-${table}`));
  for (const tile of [...tiles.children]) if (!wanted.includes(tile)) tile.remove();
  wanted.forEach((/** @type {HTMLElement} */ tile, /** @type {number} */ at) => tiles.children[at] === tile || tiles.insertBefore(tile, tiles.children[at]));
  const count = document.getElementById("count");
  const calls = tiles.querySelectorAll(".call").length;
  count.textContent = `${count.dataset.calls}${calls} · ${count.dataset.tables}${order.length}`;
  document.getElementById("none").hidden = order.length > 0 || !hears;
  countOn();
}

/** @param {any} table @param {string} html */
function exchange(table, html) {
  const tile = document.createRange().createContextualFragment(html).firstElementChild;
  const before = document.getElementById(`tile-${table}`);
  const isFocused = before?.contains(document.activeElement);
  came.set(tile, heard);
  if (before) before.replaceWith(tile);
  else tiles.append(tile);
  if (isFocused) tile.querySelector("a")?.focus();
  const { call, name } = tile.dataset;
  if (!call || before?.dataset.call === call) return;
  const said = document.getElementById("said");
  said.textContent = `${name}: ${said.dataset.call}`;
  ring();
}

/** @param {string} sentence */
function sayLost(sentence) {
  document.body.classList.toggle("lost", sentence !== "");
  link.textContent = sentence;
  link.hidden = !sentence;
}

function tick() {
  if (performance.now() - heard > SILENCE) {
    sayLost(link.dataset.lost);
    follow();
  }
  countOn();
}

function countOn() {
  for (const time of tiles.querySelectorAll("time")) {
    const since = Number(time.dataset.since);
    const passed = (performance.now() - came.get(time.closest(".tile"))) / 1000;
    time.textContent = since < 0 ? "?" : say(since + passed);
    time.closest(".age")?.toggleAttribute("hidden", since >= 0 && since + passed < OLD);
  }
}

/** @param {number} seconds */
function say(seconds) {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// A browser lets a page sound only after a tap.
function switchSound() {
  const rings = sound.getAttribute("aria-pressed") !== "true";
  sound.setAttribute("aria-pressed", String(rings));
  ring();
}

async function ring() {
  if (sound.getAttribute("aria-pressed") !== "true") return;
  sounds ??= import("./sounds.mjs").catch(/** @returns {null} */ () => (sounds = null)); // Asked for again with the next call.
  (await sounds)?.play("call");
}
