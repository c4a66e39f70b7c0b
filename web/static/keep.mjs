// What this browser keeps until a hand is opened: value and nonce, under the seal they made.
// Under the seal, because a hand may be closed again, and the answer to a post may be lost: both
// seals are kept, and whichever the table has can be opened.

const PREFIX = "companion seal ";
const memory = new Map(); // Where a browser forbids storage, as long as the page lives.

export function keep(seal, hand) {
  memory.set(seal, hand);
  try {
    localStorage.setItem(PREFIX + seal, JSON.stringify(hand));
  } catch {
    // Kept in memory.
  }
}

export function kept(seal) {
  try {
    return memory.get(seal) ?? JSON.parse(localStorage.getItem(PREFIX + seal));
  } catch {
    return memory.get(seal) ?? null;
  }
}

// Forget every hand but those of this round of this game.
export function forgetOthers(game, round) {
  try {
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(PREFIX)) continue;
      const hand = JSON.parse(localStorage.getItem(key));
      if (hand.game !== game || hand.round !== round) localStorage.removeItem(key);
    }
  } catch {
    // Nothing was kept there.
  }
}
