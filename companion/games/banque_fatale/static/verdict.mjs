/* A second court for Banque Fatale, written from the booklets and not from the Python beside it: two
   that agree are worth more than one. It takes a case as the judge does, and returns the result.

   Laws: it imports nothing and asks nothing; it trusts that the case is well formed. */

const COLOURS = ["red", "yellow", "green", "blue", "orange"];
const LOWEST = 2;
const START = 6;
const HIGHEST = 10;
const BONUS = { 11: 5, 12: 6 };

/** Decide an auction, a sale, the chips taken back, or the final score. */
export function decide(given) {
  return { score, sale, chips, auction }[given.kind](given);
}

const add = (numbers) => numbers.reduce((sum, one) => sum + one, 0);

/** @param {any} given */
function auction({ players, start, bids, values, card, holdings = {}, house_rules: house = {} }) {
  const shown = (name) => add(Object.values(bids[name] ?? {}));
  const first = players.indexOf(start);
  const clockwise = players.map((_, n) => players[(first + n) % players.length]);
  const most = Math.max(...players.map(shown));
  const winner = clockwise.find((name) => shown(name) === most);
  const after = moveMarkers(values, bids, house);
  const owned = Object.fromEntries(players.map((name) => [name, [...(holdings[name] ?? [])]]));
  owned[winner].push(card);
  const bonuses = Object.fromEntries(players.map((name) => [name, payBonus(owned[name], after)]));
  for (const colour of COLOURS) if (after[colour] > HIGHEST) after[colour] = START;
  return {
    winner,
    values: after,
    bonuses,
    first_pick: players[(players.indexOf(winner) + 1) % players.length],
    chips_on_table: add(players.map(shown)),
  };
}

/** F.track: the most chips, at least two, rise, more than two equal colours as the table agreed; one
    falls by one; none falls as the table agreed. */
function moveMarkers(values, bids, house) {
  const total = (colour) => add(Object.values(bids).map((fist) => fist[colour] ?? 0));
  const most = Math.max(...COLOURS.map(total));
  const equals = COLOURS.filter((colour) => total(colour) === most).length;
  const rises = most >= 2 && (equals <= 2 || house.tied_for_most !== "none_rises");
  const after = {};
  for (const colour of COLOURS) {
    const chips = total(colour);
    let move = 0;
    if (rises && chips === most) move = 2;
    else if (chips === 1) move = -1;
    else if (chips === 0) move = house.unplayed === "minus_two" ? -2 : LOWEST - values[colour];
    after[colour] = Math.max(LOWEST, values[colour] + move);
  }
  return after;
}

/** F.bonus: every ace of a colour above ten. */
function payBonus(cards, values) {
  return add(cards.flat().map((colour) => BONUS[values[colour]] ?? 0));
}

/** F.sell: any card but the one just won, or but those whose colours rose; at its colours' values.
 * @param {any} given */
function sale({ seller, card, values, won = [], risen = [], house_rules: house = {} }) {
  const spell = (colours) => [...colours].sort().join();
  const isJustWon = spell(won) === spell(card);
  const isJustRisen = card.some((colour) => risen.includes(colour));
  const isBanned = house.sale_ban === "just_risen" ? isJustRisen : isJustWon;
  return { seller, allowed: !isBanned, price: add(card.map((colour) => values[colour])) };
}

/** F.chips: one at a time, clockwise from the left of the winner. */
function chips({ players, winner, chips: shown, taken = [] }) {
  const left = {};
  for (const colour of COLOURS) {
    left[colour] = (shown[colour] ?? 0) - taken.filter((one) => one === colour).length;
  }
  const turns = [];
  let at = players.indexOf(winner);
  for (let n = taken.length + add(Object.values(left)); n > 0; n -= 1) {
    at = (at + 1) % players.length;
    turns.push(players[at]);
  }
  return { turns: turns.slice(taken.length), left };
}

/** F.end: cash, a million a chip if the table agreed so, and what the cards are worth.
 * @param {any} given */
function score({ values, funds, house_rules: house = {} }) {
  const each = house.chips_at_end === "nothing" ? 0 : 1;
  const totals = {};
  for (const [name, own] of Object.entries(funds)) {
    totals[name] = own.cash + each * own.chips + add(own.cards.flat().map((colour) => values[colour]));
  }
  const most = Math.max(...Object.values(totals));
  return { totals, winners: Object.keys(totals).filter((name) => totals[name] === most) };
}
