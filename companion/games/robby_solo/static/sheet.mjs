/* The form of a case of Robby Solo, read in a browser without a table as sheets.py reads it.

   Laws: it imports nothing; `read` gives what is filled in. What is missing, or not possible, is thrown
   by its name. */

const readLoot = (card) => (/^\d+$/.test(card) ? Number(card) : card);

/** Return the case of a round or of the final score. */
export function makeCase(kind, read) {
  const made = kind === "score" ? { loot: readPiles(read) } : round(read);
  const lying = [...Object.values(made.banks ?? {}), ...Object.values(made.loot)].flat();
  for (const card of new Set(lying)) {
    const n = lying.filter((one) => one === card).length;
    if (n > read.most(`pile1_${card}`)) throw new RangeError("loot");
  }
  return made;
}

function readPiles(read) {
  const pile = (n) => Object.entries(read.counts(`pile${n}`)).flatMap(([card, many]) => Array(many).fill(readLoot(card)));
  return read.each(pile);
}

/** The row holds the banks that are ticked, chosen, or hold loot. */
function round(read) {
  const choices = read.each((n) => read.text(`choice${n}`));
  if (Object.values(choices).includes("")) throw new RangeError("choices");
  const lying = (bank) => read.things(`loot_${bank}`).map((n) => read.text(`loot_${bank}_${n}`)).filter(Boolean).map(readLoot);
  const isInRow = (bank) => read.text(`row_${bank}`) || Object.values(choices).includes(bank) || lying(bank).length;
  const row = read.things("row").filter(isInRow);
  const made = { banks: Object.fromEntries(row.map((bank) => [bank, lying(bank)])), choices, loot: readPiles(read) };
  const who = read.number("declared_who");
  if (!who || who > read.names.length) return made;
  const said = { name: read.player("declared_who"), bank: read.text("declared_bank"), will: read.text("declared_will") !== "not" };
  if (!row.includes(said.bank)) throw new RangeError("bank");
  return { ...made, declared: said };
}
