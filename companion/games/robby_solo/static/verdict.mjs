/* A second court for Robby Solo, written from the booklet and not from the Python beside it: two that
   agree are worth more than one. It takes a case as the judge does, and returns the result.

   Laws: it imports nothing and asks nothing; it trusts that the case is well formed. */

const POLICE = 4;
const OBJECT = "object";
const OBJECTS_WORTH = [0, 1000, 10000, 20000, 40000, 60000, 80000, 100000];

/** Decide a round or the final score. */
export function decide(given) {
  return given.kind === "score" ? score(given) : round(given);
}

const money = (card) => (card === OBJECT ? 0 : card);

function round({ banks, choices, loot = {}, declared }) {
  const names = Object.keys(choices);
  const robs = (name, bank) => choices[name] === bank && !liedAboutIt(name, choices, declared);
  const left = Object.fromEntries(Object.entries(banks).map(([bank, cards]) => [bank, [...cards]]));
  const taken = Object.fromEntries(names.map((name) => [name, []]));
  for (const bank of Object.keys(banks)) {
    const robbers = names.filter((name) => robs(name, bank));
    if (robbers.length === 1) taken[robbers[0]].push(...left[bank].splice(0));
  }
  const piles = Object.fromEntries(names.map((name) => [name, [...(loot[name] ?? []), ...taken[name]]]));
  const raids = [];
  for (const bank of Object.keys(banks)) {
    if (left[bank].length === POLICE) {
      raids.push({ bank, removed: left[bank].splice(0), returns: giveUp(piles) });
    }
  }
  return { taken, left, raids, loot: piles };
}

/** A false declaration, which only a tampered phone can make: that robbery fails. */
function liedAboutIt(name, choices, declared) {
  return declared?.name === name && (choices[name] === declared.bank) !== declared.will;
}

/** R.police: the player with the most cards gives up the best money, or an object if there is no money. */
function giveUp(piles) {
  const most = Math.max(...Object.values(piles).map((pile) => pile.length));
  const returns = {};
  if (!most) return returns;
  for (const [name, pile] of Object.entries(piles)) {
    if (pile.length === most) {
      const best = Math.max(...pile.map(money)) || OBJECT;
      pile.splice(pile.indexOf(best), 1);
      returns[name] = best;
    }
  }
  return returns;
}

/** R.score: the money, and the objects together. */
function score({ loot }) {
  const totals = {};
  for (const [name, pile] of Object.entries(loot)) {
    const objects = pile.filter((card) => card === OBJECT).length;
    totals[name] = pile.reduce((sum, card) => sum + money(card), 0) + OBJECTS_WORTH[objects];
  }
  const most = Math.max(...Object.values(totals));
  return { totals, winners: Object.keys(totals).filter((name) => totals[name] === most) };
}
