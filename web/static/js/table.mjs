// The table screen: play a new verdict back step by step, at a pace that people can follow.
//
// The page always contains the whole verdict; playback only hides the steps to come for a while.
// Everything is shown at once on a page opened later, with reduced motion, while the judge is
// called, and after a tap.

import { enablePreferences } from "./preferences.mjs";
import { animateTransfer } from "./payout_animation.mjs";

// companion/host/demo_scenes.py waits for as long as a playback takes.
const STEP_MS = 2_200;
const TOTAL_MS = 25_000;
const SMALLEST_FIT = 8;
const SKIP_KEYS = [" ", "ArrowRight", "ArrowDown"];

const live = document.getElementById("live");
const played = new Set(); // Every verdict this page has had, by the text of its steps.
const observer = new MutationObserver(onUpdate);
let texts = null; // The texts of the steps on the page.
let visible = 0; // The number of steps that are shown.
let timer = 0; // Set during a playback.

enablePreferences(showAllSteps);
onUpdate();
window.addEventListener("resize", paint);
live.addEventListener("click", showAllSteps);
document.addEventListener("keydown", (event) => {
  if (!timer || !SKIP_KEYS.includes(event.key) || event.target.closest("a, button, summary")) return;
  event.preventDefault();
  showAllSteps();
});

function prefersCalm() {
  const chosen = document.documentElement.hasAttribute("data-calm");
  return chosen || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function findSteps() {
  return [...live.querySelectorAll(".story .steps > li")];
}

// Start, continue or end the playback after a change of the page.
function onUpdate() {
  const now = findSteps().map((step) => step.querySelector(".said").textContent);
  const verdict = now.join("\n");
  if (texts === null || prefersCalm() || live.querySelector(".judge")) stopPlayback(now.length);
  else if (verdict !== texts.join("\n")) {
    const continues = texts.length > 0 && texts.every((text, n) => text === now[n]);
    if (played.has(verdict)) stopPlayback(now.length);
    else if (!timer || !continues) startPlayback(continues ? visible : 0, now.length);
  }
  texts = now;
  played.add(verdict);
  paint();
}

function stopPlayback(count) {
  clearTimeout(timer);
  timer = 0;
  visible = count;
}

function startPlayback(from, count) {
  stopPlayback(from);
  if (from < count) timer = setTimeout(showNextStep, STEP_MS / 4, Math.min(STEP_MS, TOTAL_MS / (count - from + 1)));
}

function showNextStep(pace) {
  if (visible === texts.length) stopPlayback(visible);
  else timer = setTimeout(showNextStep, pace, pace);
  if (timer) visible += 1;
  paint();
  if (timer) animateStep(findSteps()[visible - 1]);
}

function showAllSteps() {
  if (!timer) return;
  stopPlayback(texts.length);
  paint();
}

// Let coins or cards fly from the step to the players who get them, or back.
function animateStep(step) {
  const { brings, takes, wins } = step.dataset;
  const names = Object.entries(JSON.parse(brings ?? takes ?? "{}"));
  for (const [name, n] of names) animateTransfer(step, findGain(name), n, Boolean(takes));
  for (const name of JSON.parse(wins ?? "[]")) animateTransfer(step, findGain(name), 1, false, "card");
}

function findGain(name) {
  return [...live.querySelectorAll(".gains > [data-name]")].findLast((gain) => gain.dataset.name === name);
}

// Show the page at this point of the playback, with the observer off: these changes are our own.
function paint() {
  observer.disconnect();
  const list = findSteps();
  for (const paper of live.querySelectorAll(".story > .paper")) fitText(paper, 0);
  live.classList.toggle("telling", timer !== 0);
  list.forEach((step, n) => {
    step.classList.toggle("to-come", n >= visible);
    step.classList.toggle("current", timer !== 0 && n === visible - 1);
  });
  const shown = list.slice(0, visible).map((step) => step.dataset);
  for (const gain of live.querySelectorAll(".gains > [data-name]")) paintGain(gain, shown);
  for (const lane of live.querySelectorAll(".lane")) paintLane(lane, shown, list);
  for (const paper of live.querySelectorAll(".story > .paper")) fitText(paper, paper.dataset.fit);
  observer.observe(live, { subtree: true, childList: true, characterData: true, attributes: true });
}

// Show what a player has gained in the steps shown so far.
function paintGain(gain, shown) {
  const { name } = gain.dataset;
  const place = gain.querySelector("[data-counts]");
  if (place) {
    place.dataset.counts ||= place.textContent;
    const sum = shown.reduce((total, step) => total + amountFor(step.brings, name) - amountFor(step.takes, name), 0);
    const signed = sum ? `${sum > 0 ? "+" : "−"}${Math.abs(sum)}` : "±0";
    place.textContent = timer ? signed : place.dataset.counts;
  } else {
    const won = shown.some((step) => JSON.parse(step.wins ?? "[]").includes(name));
    gain.classList.toggle("to-come", timer !== 0 && !won);
  }
}

function amountFor(json, name) {
  return JSON.parse(json ?? "{}")[name] ?? 0;
}

// Put the marker of the value track where it stands after the steps shown so far.
function paintLane(lane, shown, list) {
  const marker = lane.querySelector(".marker");
  const value = lane.querySelector(".value");
  marker.dataset.x ||= marker.getAttribute("x");
  value.dataset.value ||= value.textContent;
  const isMine = (step) => `lane-${step.lane}` === lane.id;
  const last = shown.findLast(isMine);
  const first = list.map((step) => step.dataset).find(isMine);
  const at = timer ? (last?.to ?? first?.from) : undefined;
  value.textContent = at ?? value.dataset.value;
  marker.setAttribute("x", at ? 10 * (at - marker.dataset.least) : marker.dataset.x);
}

// Reduce the text size, starting at this size class, until the paper fits. paint() measures it twice:
// first with the whole verdict, so that the size does not change during the playback.
function fitText(paper, from) {
  for (let size = Number(from); size <= SMALLEST_FIT; size += 1) {
    paper.className = `${paper.className.replace(/ ?fit-\d/, "")}${size ? ` fit-${size}` : ""}`;
    paper.dataset.fit = size;
    if (paper.scrollHeight <= paper.clientHeight + 1) return;
  }
}
