// What this browser keeps until a hand is opened: value and nonce, under the seal they made.
// Under the seal, because a hand may be closed again, and the answer to a post may be lost: both
// seals are kept, and whichever the table has can be opened.

const PREFIX = "companion seal ";
const memory = new Map(); // Where a browser forbids storage, as long as the page lives.

export function keep(seal, hand) {
  memory.set(seal, { ...hand, when: Date.now() });
  store(seal);
}

// The table has this one.
export function grant(seal) {
  memory.set(seal, { ...kept(seal), granted: true });
  store(seal);
}

function store(seal) {
  try {
    localStorage.setItem(PREFIX + seal, JSON.stringify(memory.get(seal)));
  } catch {
    // Kept in memory.
  }
}

export function kept(seal) {
  return memory.get(seal) ?? stored().get(seal) ?? null;
}

// The hand that a seat closed last, as far as this browser knows: one that was granted, if any was.
export function newest(game, round, seat) {
  const mine = [...new Map([...stored(), ...memory]).values()].filter(
    (hand) => hand.game === game && hand.round === round && hand.seat === seat,
  );
  const order = (hand) => [hand.granted ? 1 : 0, hand.when];
  mine.sort((a, b) => order(b)[0] - order(a)[0] || order(b)[1] - order(a)[1]);
  return mine[0] ?? null;
}

function stored() {
  const found = new Map();
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX)) found.set(key.slice(PREFIX.length), JSON.parse(localStorage.getItem(key)));
    }
  } catch {
    // Nothing can be kept there.
  }
  return found;
}

// Forget every hand but those of this round of this game.
export function forgetOthers(game, round) {
  for (const [seal, hand] of [...stored(), ...memory]) {
    if (hand.game === game && hand.round === round) continue;
    memory.delete(seal);
    try {
      localStorage.removeItem(PREFIX + seal);
    } catch {
      // Nothing was kept there.
    }
  }
}
