// A record that checks itself: opened from a disk, it asks nothing of any network. What it could not
// check it says. A file can be changed with its scripts: what convinces is the fingerprint that phones
// kept, and that anyone can check the record in it with a companion of their own. What is told of a long
// game is compressed, and unpacked here.

import { courts } from "./courts.mjs";
import {
  checkSeals, checkSignatures, findBrokenLink, findEnd, fingerprintPath, fingerprintWords, groupDigits, isFingerprint, readRecord,
} from "./record_checks.mjs";

import { startPlayer } from "./player.mjs";

const texts = JSON.parse(document.getElementById("texts").textContent);
const HANDS = ["bids", "choices"]; // What a case calls that which was in the hands.

let data = null;

const fill = (text, facts) => text.replace(/\{(\w+)\}/g, (_, name) => facts[name]);

function tell(name, isRight, text) {
  const place = document.querySelector(`[data-check="${name}"]`);
  place.className = isRight === null ? "open" : isRight ? "right" : "wrong";
  place.querySelector("output").textContent = text;
}

function checkRecord() {
  const record = readRecord(data.record);
  const broken = findBrokenLink(record);
  tell("consistent", !broken, broken ? fill(texts.broken, { n: broken }) : fill(texts.consistent, { n: record.moments.length }));
  if (broken) return null;
  const seals = checkSeals(record, data.rounds);
  tell("sealed", !seals.wrong, seals.wrong ? fill(texts.unsealed, { n: seals.wrong }) : fill(texts.sealed, seals));
  const end = findEnd(record.moments, data.afterwards);
  checkSigned(record, end);
  showFingerprint(record.moments[end - 1].chain);
  return record;
}

function checkSigned(record, end) {
  const { wrong, seats } = checkSignatures(record, data.rounds, end);
  const says = seats.map((seat, n) => fill(texts[seat.standing], { ...seat, name: data.names[n], end: seat.ended ? texts.with_end : texts.without_end }));
  const isUnsigned = seats.every(({ standing }) => standing === "unsigned" || standing === "shared");
  tell("signed", wrong ? false : isUnsigned ? null : true, wrong ? fill(texts.forged, { n: wrong }) : says.join(" "));
}

function showFingerprint(chain) {
  document.querySelector("#words").textContent = fingerprintWords(chain);
  document.querySelector("#digits").textContent = groupDigits(chain);
  document.querySelector("#fingerprint path").setAttribute("d", fingerprintPath(chain));
  const kept = document.querySelector("#kept");
  tell("known", null, texts.compare);
  kept.oninput = () => {
    const isSame = isFingerprint(kept.value, chain);
    if (kept.value.trim()) tell("known", isSame, isSame ? texts.same : texts.other);
    else tell("known", null, texts.compare);
  };
}

// Judge every pay-out again with the second court, and count those that agree.
function judgeAgain(record) {
  const decide = courts[data.game];
  const judged = data.verdicts.map((verdict) => judgeOne(decide, verdict, record));
  const differ = judged.filter((isSame) => isSame === false).length;
  const again = judged.filter((isSame) => isSame !== null).length;
  tell("judged", again ? !differ : null, again ? fill(differ ? texts.differ : texts.agree, { n: again, differ }) : texts.not_judged);
}

function judgeOne(decide, { id, n, given, told }, record) {
  const place = document.getElementById(id)?.querySelector(".court");
  const isSame = decide && given && told ? isEqual(decide(given), told) && hasSameHands(given, n, record) : null;
  if (place) {
    place.classList.add(isSame === null ? "open" : isSame ? "right" : "wrong");
    place.textContent = isSame === null ? texts.court_none : isSame ? texts.court_same : texts.court_other;
  }
  return isSame;
}

// What the case says was in the hands is what the record says was opened or entered last before it.
function hasSameHands(given, n, { moments }) {
  const hands = HANDS.map((name) => given[name]).find(Boolean);
  if (!hands || data.is_mended) return true;
  const names = moments[0].event.players;
  const last = {};
  for (const { event } of moments.slice(0, n)) {
    if (event.event === "opened" || event.event === "entered") last[names[event.seat - 1]] = event;
  }
  return Object.entries(last).every(([name, { event, value }]) => !(name in hands) || event === "entered" || isEqual(clean(value), clean(hands[name])));
}

function clean(value) {
  return typeof value === "object" ? Object.fromEntries(Object.entries(value).filter(([, many]) => many)) : value;
}

function isEqual(one, other) {
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return one === other;
  const names = Object.keys(one).filter((name) => one[name] !== undefined);
  return names.length === Object.keys(other).length && names.every((name) => name in other && isEqual(one[name], other[name]));
}

async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(unpacked).text());
}

function start(game, given) {
  if (game) document.querySelector(".game").innerHTML = game;
  data = JSON.parse(given);
  for (const place of document.querySelectorAll("time")) {
    place.textContent = new Date(1_000 * Number(place.dataset.at)).toLocaleString(document.documentElement.lang);
  }
  startPlayer(texts.where);
  const record = checkRecord();
  if (record) judgeAgain(record);
  document.documentElement.dataset.checked = "";
}

function sayPacked() {
  tell("consistent", false, texts.packed);
  document.documentElement.dataset.checked = "";
}

const packed = document.getElementById("packed").textContent;
if (packed) unpack(packed).then(([game, given]) => start(game, given), sayPacked);
else start("", document.getElementById("data").textContent);
