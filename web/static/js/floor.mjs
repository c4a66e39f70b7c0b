// The floor: tiles come by the stream, and their ages are counted on here, by this page's own clock.
// What is old is never shown as well, also where the stream itself has gone silent. A clock may stand
// still while a phone sleeps: when it wakes nothing is known of any table before the stream says it anew.

import { sendAct } from "./floor_acts.mjs";
import { sendForms } from "./floor_forms.mjs";
import { placeAll, preparePlan } from "./floor_plan.mjs";
import { warmUp } from "./signing.mjs";

const SILENCE = 12_000;
const SLEEP_MS = 5_000; // The timer stood still for so long: the phone slept.
const tiles = document.getElementById("tiles");
const lost = document.getElementById("lost");
const orders = new Map();
const came = new WeakMap();
let heard = performance.now();
let ticked = Date.now();
let isKnown = true; // Whether what is shown was sent since this page woke last.
let stream = null;
let audio = null;
let rings = false;

showLook();
sendForms();
document.dispatchEvent(new Event("signing")); // What was tapped meanwhile is sent now (early_taps.js).
warmUp();
if (location.search === "?done") history.replaceState(null, "", location.pathname); // It is said once.
document.getElementById("dark")?.addEventListener("click", changeLook);
const followed = document.querySelector("[data-follow]");
if (followed?.dataset.follow) setInterval(reloadWhenNew, 1500);
if (tiles) begin();

// A page that waits for something is loaded again when that has gone on.
async function reloadWhenNew() {
  const answer = await fetch(followed.dataset.follow).catch(() => null);
  const seen = answer?.ok ? await answer.text() : followed.dataset.seen;
  if (seen !== followed.dataset.seen) location.reload();
}

function begin() {
  for (const tile of tiles.children) came.set(tile, heard);
  document.getElementById("sound").addEventListener("click", switchSound);
  tiles.addEventListener("click", act);
  preparePlan();
  document.addEventListener("visibilitychange", () => document.hidden || wake());
  document.addEventListener("resume", wake);
  window.addEventListener("pageshow", ({ persisted }) => persisted && wake());
  window.addEventListener("online", wake);
  setInterval(tick, 1000);
  follow();
  tick();
}

function follow() {
  stream?.close();
  heard = performance.now();
  stream = new EventSource(tiles.dataset.stream);
  stream.addEventListener("all", ({ data }) => showAll(JSON.parse(data)));
  stream.addEventListener("tile", ({ data }) => {
    showOne(JSON.parse(data));
    placeAll();
  });
  stream.addEventListener("gone", ({ data }) => remove(JSON.parse(data)));
  stream.addEventListener("beat", noteAlive);
  stream.addEventListener("error", ({ target }) => target.readyState === EventSource.CLOSED && enterAnew());
}

// How long this page slept no clock of it tells: show nothing as well before the stream has begun anew.
function wake() {
  isKnown = false;
  for (const tile of tiles.children) age(tile, performance.now());
  follow();
}

// The floor refused the stream: it was started anew and has forgotten this browser, or is full.
async function enterAnew() {
  const answer = await fetch("/").catch(() => null);
  const page = answer?.ok ? await answer.text() : "";
  if (page && !page.includes('id="tiles"')) location.assign("/");
}

function noteAlive() {
  heard = performance.now();
  lost.hidden = true;
}

function showAll(all) {
  isKnown = true;
  const there = new Set(all.map(({ table }) => table));
  for (const tile of [...tiles.children]) if (!there.has(tile.dataset.table)) remove(tile.dataset.table);
  all.forEach(showOne);
  placeAll();
}

function showOne({ table, order, html }) {
  noteAlive();
  const drawn = document.createRange().createContextualFragment(html).firstElementChild;
  const before = document.getElementById(drawn.id);
  const focused = before?.contains(document.activeElement) ? document.activeElement.dataset.act : null;
  came.set(drawn, heard);
  orders.set(table, order);
  announce(drawn, before);
  if (before) before.replaceWith(drawn);
  place(drawn, order);
  if (focused) drawn.querySelector(`[data-act="${focused}"]`)?.focus();
  age(drawn, performance.now());
  count();
}

function place(drawn, order) {
  const next = [...tiles.children].find((tile) => tile !== drawn && (orders.get(tile.dataset.table) ?? "") > order);
  if (next ? drawn.nextElementSibling !== next : tiles.lastElementChild !== drawn) tiles.insertBefore(drawn, next ?? null);
}

function remove(table) {
  orders.delete(table);
  document.getElementById(`tile-${table}`)?.remove();
  count();
}

function announce(drawn, before) {
  const { call, name } = drawn.dataset;
  if (!call || before?.dataset.call === call) return;
  const said = document.getElementById("said");
  said.textContent = `${name}: ${said.dataset.call}`;
  ring();
}

function count() {
  const shown = document.getElementById("count");
  const calls = tiles.querySelectorAll('[data-look="call"]').length;
  shown.textContent = `${shown.dataset.calls}: ${calls} · ${shown.dataset.tables}: ${tiles.children.length}`;
  document.getElementById("none").hidden = tiles.children.length > 0;
}

function tick() {
  const now = performance.now();
  const slept = Date.now() - ticked > SLEEP_MS;
  ticked = Date.now();
  if (slept && !document.hidden) wake(); // A hidden page is called seldom, and wakes when it is seen.
  if (now - heard > SILENCE) {
    lost.hidden = false;
    follow();
  }
  for (const tile of tiles.children) age(tile, now);
  count();
}

function age(tile, now) {
  const passed = (now - (came.get(tile) ?? now)) / 1000;
  const known = Number(tile.dataset.age);
  for (const time of tile.querySelectorAll("time")) {
    const since = Number(time.dataset.since);
    time.textContent = since < 0 || !isKnown ? "?" : say(since + passed);
  }
  const isOld = !isKnown || known < 0 || known + passed > Number(tiles.dataset.fresh) || !lost.hidden;
  if (isOld && ["playing", "free", "amber", "red", "judge"].includes(tile.dataset.look)) {
    tile.classList.remove(tile.dataset.look);
    tile.classList.add("old");
    tile.dataset.look = "old";
    tile.querySelector(".look").textContent = tile.dataset.old;
  }
}

function say(seconds) {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

async function act({ target }) {
  const button = target.closest("[data-act]");
  if (!button || button.dataset.act === "move") return;
  const tile = button.closest(".tile");
  button.disabled = true;
  await sendAct(`/${button.dataset.act}`, { table: tile.dataset.table, number: tile.dataset.call });
  button.disabled = false;
}

function switchSound({ currentTarget: button }) {
  rings = !rings;
  button.dataset.off ??= button.textContent;
  button.setAttribute("aria-pressed", String(rings));
  button.textContent = rings ? button.dataset.on : button.dataset.off;
  ring();
}

function ring() {
  if (!rings) return;
  audio ??= new AudioContext();
  audio.resume(); // A phone that slept has stopped it.
  for (const [after, pitch] of [[0, 660], [0.25, 880]]) {
    const note = audio.createOscillator();
    const loudness = audio.createGain();
    const at = audio.currentTime + after;
    note.frequency.value = pitch;
    loudness.gain.setValueAtTime(0.3, at);
    loudness.gain.exponentialRampToValueAtTime(0.001, at + 0.5);
    note.connect(loudness).connect(audio.destination);
    note.start(at);
    note.stop(at + 0.5);
  }
}

function changeLook() {
  const isDark = String(document.documentElement.dataset.dark !== "true");
  document.documentElement.dataset.dark = isDark;
  localStorage.setItem("floor-dark", isDark);
  showLook();
}

function showLook() {
  document.getElementById("dark")?.setAttribute("aria-pressed", document.documentElement.dataset.dark);
}
