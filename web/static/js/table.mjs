// The table screen: a new verdict is told step by step, at a pace that people can follow.
//
// The page always holds all of it; telling only keeps the steps to come unseen for a while. On a
// page opened later, with calm motion, before the judge or after a tap all is seen at once.

import { dress } from "./preferences.mjs";
import { fly } from "./payout_animation.mjs";

const EACH = 2_200;
const IN_ALL = 25_000;
const TIGHTEST = 8;
const ON = [" ", "ArrowRight", "ArrowDown"];

const live = document.getElementById("live");
const heard = new Set(); // Every verdict that stood here, by the words of its steps.
const observer = new MutationObserver(shown);
let told = null; // The words of the steps on the page.
let seen = 0; // How many of them everyone has seen.
let timer = 0;

dress(tellAll);
shown();
window.addEventListener("resize", paint);
live.addEventListener("click", tellAll);
document.addEventListener("keydown", (event) => {
  if (!timer || !ON.includes(event.key) || event.target.closest("a, button, summary")) return;
  event.preventDefault();
  tellAll();
});

function calm() {
  const asked = document.documentElement.hasAttribute("data-calm");
  return asked || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function steps() {
  return [...live.querySelectorAll(".story .steps > li")];
}

// Called whenever the page shows something new.
function shown() {
  const now = steps().map((step) => step.querySelector(".said").textContent);
  const words = now.join("\n");
  if (told === null || calm() || live.querySelector(".judge")) hush(now.length);
  else if (words !== told.join("\n")) {
    const goesOn = told.length > 0 && told.every((one, n) => one === now[n]);
    if (heard.has(words)) hush(now.length);
    else if (!timer || !goesOn) tell(goesOn ? seen : 0, now.length);
  }
  told = now;
  heard.add(words);
  paint();
}

function hush(all) {
  clearTimeout(timer);
  timer = 0;
  seen = all;
}

function tell(from, all) {
  hush(from);
  if (from < all) timer = setTimeout(next, EACH / 4, Math.min(EACH, IN_ALL / (all - from + 1)));
}

function next(pace) {
  if (seen === told.length) hush(seen);
  else timer = setTimeout(next, pace, pace);
  if (timer) seen += 1;
  paint();
  if (timer) bring(steps()[seen - 1]);
}

function tellAll() {
  if (!timer) return;
  hush(told.length);
  paint();
}

// What this step moves, flies: from the step to whom it goes, or back.
function bring(step) {
  const { brings, takes, wins } = step.dataset;
  const names = Object.entries(JSON.parse(brings ?? takes ?? "{}"));
  for (const [name, n] of names) fly(step, gain(name), n, Boolean(takes));
  for (const name of JSON.parse(wins ?? "[]")) fly(step, gain(name), 1, false, "card");
}

function gain(name) {
  return [...live.querySelectorAll(".gains > [data-name]")].findLast((one) => one.dataset.name === name);
}

// The page while so many of its steps are seen; the stream must not take this for news.
function paint() {
  observer.disconnect();
  const list = steps();
  for (const paper of live.querySelectorAll(".story > .paper")) fit(paper, 0);
  live.classList.toggle("telling", timer !== 0);
  list.forEach((step, n) => {
    step.classList.toggle("to-come", n >= seen);
    step.classList.toggle("current", timer !== 0 && n === seen - 1);
  });
  const before = list.slice(0, seen).map((step) => step.dataset);
  for (const one of live.querySelectorAll(".gains > [data-name]")) count(one, before);
  for (const lane of live.querySelectorAll(".lane")) move(lane, before, list);
  for (const paper of live.querySelectorAll(".story > .paper")) fit(paper, paper.dataset.fit);
  observer.observe(live, { subtree: true, childList: true, characterData: true, attributes: true });
}

// What somebody has got so far.
function count(one, before) {
  const { name } = one.dataset;
  const place = one.querySelector("[data-counts]");
  if (place) {
    place.dataset.counts ||= place.textContent;
    const sum = before.reduce((all, step) => all + amount(step.brings, name) - amount(step.takes, name), 0);
    const signed = sum ? `${sum > 0 ? "+" : "−"}${Math.abs(sum)}` : "±0";
    place.textContent = timer ? signed : place.dataset.counts;
  } else {
    const got = before.some((step) => JSON.parse(step.wins ?? "[]").includes(name));
    one.classList.toggle("to-come", timer !== 0 && !got);
  }
}

function amount(said, name) {
  return JSON.parse(said ?? "{}")[name] ?? 0;
}

// Where a marker stands by now.
function move(lane, before, list) {
  const marker = lane.querySelector(".marker");
  const value = lane.querySelector(".value");
  marker.dataset.x ||= marker.getAttribute("x");
  value.dataset.value ||= value.textContent;
  const mine = (step) => `lane-${step.lane}` === lane.id;
  const last = before.findLast(mine);
  const first = list.map((step) => step.dataset).find(mine);
  const at = timer ? (last?.to ?? first?.from) : undefined;
  value.textContent = at ?? value.dataset.value;
  marker.setAttribute("x", at ? 10 * (at - marker.dataset.least) : marker.dataset.x);
}

// Smaller letters, until it fits; no smaller while it is told, once all of it would fit.
function fit(paper, from) {
  for (let tight = Number(from); tight <= TIGHTEST; tight += 1) {
    paper.className = `${paper.className.replace(/ ?fit-\d/, "")}${tight ? ` fit-${tight}` : ""}`;
    paper.dataset.fit = tight;
    if (paper.scrollHeight <= paper.clientHeight + 1) return;
  }
}
