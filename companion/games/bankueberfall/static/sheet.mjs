/* The form of a case of Banküberfall, read in a browser without a table as sheets.py reads it.

   Laws: it imports nothing; `read` gives what is filled in. What is missing, or not possible, is thrown
   by its name. */

const many = (counts) => Object.entries(counts).flatMap(([thing, n]) => Array(n).fill(thing));

/** Return the case of a robbery, of the order of the final round, or of the final score. */
export function makeCase(kind, read) {
  return { robbery, final, score }[kind](read);
}

function robbery(read) {
  const made = { cards: many(read.counts("card")), bids: read.each((n) => read.number(`bid${n}`)), house_rules: read.rules() };
  if (!read.names.some((_, n) => read.text(`funds${n + 1}`))) return made;
  const funds = read.each((n) => read.number(`funds${n}`));
  if (read.names.some((name) => made.bids[name] > funds[name])) throw new RangeError("funds");
  return { ...made, funds };
}

function final(read) {
  const front = read.text("front") ? { front: read.number("front") } : {};
  const made = { players: read.names, last: read.player("last"), ...front };
  return { ...made, robbed: read.ticked("robbed").map(Number), empty: read.ticked("empty").map(Number), house_rules: read.rules() };
}

function score(read) {
  return { funds: read.each((n) => ({ coins: read.number(`coins${n}`), credits: read.number(`credits${n}`) })) };
}
