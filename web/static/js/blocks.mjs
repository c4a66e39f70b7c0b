// Blocks: the parts of a page that follow the game. Each lies between two comments that name it
// ("block ask" … "/block ask"); what has changed is put in its place, and nothing else is touched.
//
// Elements that are still there stay the same elements, so that focus, selection, scrolling and running
// animations go on. Elements with data-keep, such as a form being filled in, and whether a <details> is
// open are the reader's own.

import { openPage } from "./leaving.mjs";

// Show a whole new state.
/** @param {HTMLElement} live @param {string} html */
export function showState(live, html) {
  morphChildren(live, parse(html).firstChild, live.firstChild, null);
  blocks = null;
  outdated.clear();
  const box = live.querySelector("#box");
  if (box) updateSurroundings(box);
}

// Show the blocks that have changed, by their keys. Of a folded block only comes that it has changed
// (null): it is asked for when it is open. Return false if the page has to ask for the whole state.
/** @param {HTMLElement} live @param {{ version: number, blocks: Record<string, string | null> }} news */
export function showNews(live, { version, blocks: changed }) {
  blocks ??= findBlocks(live);
  /** @type {[Comment, string | null][]} */
  const places = Object.entries(changed).map(([key, html]) => [blocks.get(key), html]);
  if (places.some(([start, html]) => !start?.isConnected || (html === null && isOpen(start)))) return false;
  for (const [start, html] of places) {
    if (html === null) outdated.add(start);
    else morphChildren(start.parentNode, parse(html).firstChild, start.nextSibling, endOf(start));
  }
  findVersion().value = String(version);
  return true;
}

// Call `ask` when a folded block is opened that has changed since it came.
/** @param {HTMLElement} live @param {() => void} ask */
export function watchFolded(live, ask) {
  live.addEventListener("toggle", () => [...outdated].some(isOpen) && ask(), true);
}

// The version of the view that the page shows; a form that answers a question refers to it.
export function readVersion() {
  return Number(findVersion().value);
}

function findVersion() {
  return /** @type {HTMLDataElement} */ (document.getElementById("version"));
}

/** @type {Map<string, Comment> | null} */
let blocks = null; // Key to the comment before the block; null until they are looked for.
const outdated = new Set(); // Folded blocks that have changed since they came.

/** @param {any} start */
function isOpen(start) {
  for (let node = start; node !== null && node.data !== `/${start.data}`; node = node.nextSibling) if (node.open) return true;
  return false;
}

/** @param {HTMLElement} live */
function findBlocks(live) {
  const found = new Map();
  const comments = document.createTreeWalker(live, NodeFilter.SHOW_COMMENT);
  while (comments.nextNode()) {
    const { data } = /** @type {Comment} */ (comments.currentNode);
    if (data.startsWith("block ")) found.set(data.slice("block ".length), comments.currentNode);
  }
  return found;
}

/** @param {any} start */
function endOf(start) {
  let node = start.nextSibling;
  while (node.nodeType !== Node.COMMENT_NODE || node.data !== `/${start.data}`) node = node.nextSibling;
  return node;
}

/** @param {string} html */
function parse(html) {
  const parsed = document.createElement("template");
  parsed.innerHTML = html;
  return parsed.content;
}

// Turn the nodes of this parent from `old` up to `end` into the new ones.
/** @param {any} parent @param {any} fresh @param {any} old @param {HTMLElement} end */
function morphChildren(parent, fresh, old, end) {
  while (fresh) {
    const next = fresh.nextSibling;
    const same = findSame(fresh, old, end);
    if (!same) {
      parent.insertBefore(fresh, old);
    } else {
      if (same !== old) old = removeUntil(parent, old, same);
      old = same.nextSibling;
      morphNode(same, fresh);
    }
    fresh = next;
  }
  removeUntil(parent, old, end);
}

// The old node that this new one is the successor of: by its id, else the next of its kind.
/** @param {any} fresh @param {any} old @param {HTMLElement} end */
function findSame(fresh, old, end) {
  const { id } = fresh;
  if (!id) return old !== end && isLike(old, fresh) && !old.id ? old : null;
  for (let node = old; node !== end; node = node.nextSibling) if (node.id === id && isLike(node, fresh)) return node;
  return null;
}

/** @param {any} old @param {any} fresh */
function isLike(old, fresh) {
  return old !== null && old.nodeType === fresh.nodeType && old.nodeName === fresh.nodeName && (old.nodeType !== Node.COMMENT_NODE || old.data === fresh.data);
}

// Remove the nodes before this one, but for those that are being sent; return it.
/** @param {any} parent @param {any} old @param {any} until */
function removeUntil(parent, old, until) {
  while (old !== until) {
    const next = old.nextSibling;
    if (!("sending" in (old.dataset ?? {}))) parent.removeChild(old);
    old = next;
  }
  return until;
}

/** @param {any} old @param {any} fresh */
function morphNode(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  if ("keep" in old.dataset && old.id === fresh.id) return;
  if (old.isEqualNode(fresh)) return;
  morphAttributes(old, fresh);
  morphChildren(old, fresh.firstChild, old.firstChild, null);
}

/** @param {any} old @param {any} fresh */
function morphAttributes(old, fresh) {
  for (const { name, value } of [...fresh.attributes]) {
    if (isReaders(old, name) || old.getAttribute(name) === value) continue;
    old.setAttribute(name, value);
    if (name === "value" && "value" in old) old.value = value;
    if (name === "checked") old.checked = true;
  }
  for (const { name } of [...old.attributes]) {
    if (isReaders(old, name) || fresh.hasAttribute(name)) continue;
    old.removeAttribute(name);
    if (name === "checked") old.checked = false;
  }
}

/** @param {any} old @param {string} name */
function isReaders(old, name) {
  return name === "open" && old.localName === "details";
}

// Outside the live part are the header, which names the box, and whether the table is calm. A table
// screen that was out of reach while the host chose another language is loaded again.
/** @param {any} given */
function updateSurroundings({ value, lang, dataset }) {
  if (lang && lang !== document.documentElement.lang) openPage(location.href);
  const brand = document.querySelector(".brand a");
  document.title = document.title.replace(brand.textContent, value);
  brand.textContent = value;
  const page = document.documentElement.dataset;
  if ("calm" in dataset) page.calm = "table";
  else if (page.calm === "table") delete page.calm; // The table screen may be calm for itself.
}
