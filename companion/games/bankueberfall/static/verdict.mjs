/* A second court for Banküberfall, written from the booklets and not from the Python beside it: two
   that agree are worth more than one. It takes a case as the judge does, and returns the payments.

   Laws: it imports nothing and asks nothing; it trusts that the case is well formed. */

const CHARACTERS = ["seductress", "policeman", "detective", "thief"];
const PURSE = 10;
const REWARD = 5;
const BANKS = 5;

/** Decide the case of a robbery, of the order of the final round, or of the final score. */
export function decide(given) {
  return { score, final, robbery }[given.kind](given);
}

/** @param {any} given */
function robbery({ cards, bids, funds, house_rules: house = {} }) {
  const here = Object.fromEntries(CHARACTERS.map((who) => [who, 0]));
  for (const card of cards) if (card in here) here[card] += 1;
  distract(here);
  if (here.policeman === 1) return settle(bids, funds, { outcome: "guarded", reward: REWARD });
  const pairs = Math.min(here.detective, here.thief);
  const detectives = here.detective - pairs;
  if (here.thief > pairs) return settle(bids, funds, { outcome: "stolen", isLost: true });
  const loot = countLoot(cards);
  const paid = share(bids, loot, detectives > 0, house.shortfall === "stop");
  return settle(bids, funds, {
    outcome: loot ? "shared" : "nothing",
    direction: detectives ? "highest_first" : "lowest_first",
    loot,
    paid,
  });
}

/** B.rob.1: one seductress sends every other character away, several send themselves away. */
function distract(here) {
  if (here.seductress === 1) for (const who of CHARACTERS) here[who] = 0;
  here.seductress = 0;
}

/** B.loot: the sum of the money, once more for each X. */
function countLoot(cards) {
  const money = cards.map(Number).filter((worth) => worth > 0);
  const times = 1 + cards.filter((card) => card === "x").length;
  return money.reduce((sum, worth) => sum + worth, 0) * times;
}

/** B.pay and B.pay.short: equal bids together or not at all; after one that fell short perhaps nobody. */
function share(bids, loot, highestFirst, stops) {
  const paid = {};
  const heights = [...new Set(Object.values(bids))].sort((a, b) => (highestFirst ? b - a : a - b));
  let left = loot;
  let isOver = false;
  for (const bid of heights) {
    const equals = Object.keys(bids).filter((name) => bids[name] === bid);
    const isEnough = !isOver && bid * equals.length <= left;
    for (const name of equals) paid[name] = isEnough ? bid : 0;
    if (isEnough) left -= bid * equals.length;
    else isOver = stops;
  }
  return paid;
}

function settle(bids, funds, found) {
  const { outcome, direction = "lowest_first", loot = 0, reward = 0, isLost = false } = found;
  const paid = {};
  const change = {};
  const credits = {};
  for (const [name, bid] of Object.entries(bids)) {
    paid[name] = found.paid?.[name] ?? 0;
    change[name] = isLost ? 0 - bid : paid[name] + (bid === 0 ? reward : 0);
    if (!funds) continue;
    const left = funds[name] + change[name];
    credits[name] = isLost && left < PURSE ? 1 : 0;
  }
  const shared = Object.values(paid).reduce((sum, one) => sum + one, 0);
  const verdict = { outcome, direction, loot, paid, change, to_reserve: loot - shared };
  return funds ? { ...verdict, credits } : verdict;
}

/** B.end: every bank once, to the right from the one in front of the player of the last card.
 * @param {any} given */
function final({ players, last, front, robbed = [], empty = [], house_rules: house = {} }) {
  const isClockwise = house.final_direction === "clockwise";
  const order = [];
  let bank = front ?? players.indexOf(last) + 1;
  for (let n = 0; n < BANKS; n += 1) {
    if (!empty.includes(bank)) order.push(bank);
    bank = isClockwise ? (bank % BANKS) + 1 : ((bank + BANKS - 2) % BANKS) + 1;
  }
  const toCome = order.find((one) => !robbed.includes(one));
  return toCome ? { order, next_bank: toCome } : { order };
}

/** B.end: the coins, ten less for each credit. */
function score({ funds }) {
  const totals = Object.fromEntries(Object.entries(funds).map(([name, own]) => [name, own.coins - PURSE * own.credits]));
  const most = Math.max(...Object.values(totals));
  return { totals, winners: Object.keys(totals).filter((name) => totals[name] === most) };
}
