/* The form of a case of Banque Fatale, read in a browser without a table as sheets.py reads it.

   Laws: it imports nothing; `read` gives what is filled in. What is missing, or not possible, is thrown
   by its name. */

const many = (counts) => Object.entries(counts).flatMap(([thing, n]) => Array(n).fill(thing));
const LOWEST = 2;
const RESET = 10; // A marker above it goes back at once, so that none stands there before an auction.
const HIGHEST = 12;
const CHIPS = 40;
const add = (numbers) => numbers.reduce((sum, one) => sum + one, 0);
const spell = (card) => (card ? card.split("-") : []);

/** Return the case of an auction, of a sale, of the chips taken back, or of the final score. */
export function makeCase(kind, read) {
  return { auction, sale, chips, score }[kind](read);
}

function readCard(read) {
  const card = read.text("card");
  if (!card) throw new RangeError("card");
  return spell(card);
}

function readValues(read, most) {
  const values = Object.fromEntries(read.things("value").map((colour) => [colour, read.number(`value_${colour}`)]));
  if (Object.values(values).some((value) => value < LOWEST || value > most)) throw new RangeError("values");
  return values;
}

function readHoldings(read) {
  const owned = (n) => read.things("owner").filter((card) => read.text(`owner_${card}`) === `${n}`);
  return read.each((n) => owned(n).map(spell));
}

function readBids(read) {
  const bids = read.each((n) => read.counts(`bid${n}`));
  for (const colour of read.things("value")) {
    const shown = add(Object.values(bids).map((hand) => hand[colour] ?? 0));
    if (shown > read.most(`bid1_${colour}`)) throw new RangeError("bids");
  }
  return bids;
}

function auction(read) {
  const holdings = readHoldings(read);
  const owned = Object.values(holdings).flat().map((card) => card.join("-"));
  if (owned.includes(read.text("card"))) throw new RangeError("card");
  return {
    players: read.names,
    start: read.player("start"),
    bids: readBids(read),
    values: readValues(read, RESET),
    card: readCard(read),
    holdings,
    house_rules: read.rules(),
  };
}

function sale(read) {
  return {
    players: read.names,
    seller: read.player("seller"),
    card: readCard(read),
    values: readValues(read, RESET),
    won: spell(read.text("won")),
    risen: read.ticked("risen"),
    house_rules: read.rules(),
  };
}

function chips(read) {
  const shown = Object.fromEntries(read.things("chips").map((colour) => [colour, read.number(`chips_${colour}`)]));
  const taken = read.counts("taken");
  if (Object.entries(taken).some(([colour, n]) => n > shown[colour])) throw new RangeError("taken");
  return { players: read.names, winner: read.player("winner"), chips: shown, taken: many(taken) };
}

function score(read) {
  const cards = readHoldings(read);
  const own = (n, name) => ({ cash: read.number(`cash${n}`), chips: read.number(`chips${n}`), cards: cards[name] });
  const funds = read.each(own);
  if (add(Object.values(funds).map((owned) => owned.chips)) > CHIPS) throw new RangeError("chips");
  return { values: readValues(read, HIGHEST), funds, house_rules: read.rules() };
}
