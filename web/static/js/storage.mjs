// What this browser keeps. What it will not store stays in memory until the page closes.

const memory = new Map();

// Return the text that is kept under this name, or null.
/** @param {string} name @param {"localStorage" | "sessionStorage"} where */
export function recall(name, where = "localStorage") {
  try {
    return memory.get(name) ?? window[where].getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} text @param {"localStorage" | "sessionStorage"} where */
export function keep(name, text, where = "localStorage") {
  try {
    window[where].setItem(name, text);
    memory.delete(name);
  } catch {
    memory.set(name, text);
  }
}
