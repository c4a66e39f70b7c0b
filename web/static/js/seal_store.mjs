// Store value and nonce of closed hands in this browser until they are opened, keyed by their seal.
//
// The key is the seal because a hand may be closed again and the response to that may be lost: both
// hands are kept, and the one whose seal the table has can be opened.

const PREFIX = "companion seal ";
const memory = new Map(); // Used until the page closes where the browser forbids storage.

export function storeHand(seal, hand) {
  memory.set(seal, { ...hand, when: Date.now() });
  persist(seal);
}

// Mark the hand whose seal the table has accepted.
export function markGranted(seal) {
  memory.set(seal, { ...loadHand(seal), granted: true });
  persist(seal);
}

function persist(seal) {
  try {
    localStorage.setItem(PREFIX + seal, JSON.stringify(memory.get(seal)));
  } catch {
    // It stays in memory.
  }
}

// Return the hand with this seal, or null.
export function loadHand(seal) {
  return memory.get(seal) ?? readStorage().get(seal) ?? null;
}

// Return the hand this seat closed last, or null; a granted one goes before any other.
export function findNewestHand(game, round, seat) {
  const hands = [...new Map([...readStorage(), ...memory]).values()].filter(
    (hand) => hand.game === game && hand.round === round && hand.seat === seat,
  );
  const order = (hand) => [hand.granted ? 1 : 0, hand.when];
  hands.sort((a, b) => order(b)[0] - order(a)[0] || order(b)[1] - order(a)[1]);
  return hands[0] ?? null;
}

function readStorage() {
  const hands = new Map();
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX)) hands.set(key.slice(PREFIX.length), JSON.parse(localStorage.getItem(key)));
    }
  } catch {
    // The browser forbids storage.
  }
  return hands;
}

// Delete every hand except those of this round of this game.
export function deleteOtherRounds(game, round) {
  for (const [seal, hand] of [...readStorage(), ...memory]) {
    if (hand.game === game && hand.round === round) continue;
    memory.delete(seal);
    try {
      localStorage.removeItem(PREFIX + seal);
    } catch {
      // The browser forbids storage.
    }
  }
}
