// The form of a case, read in a browser without a table as companion/judge/forms.py reads it: by the shapes
// that its kind declares. What is missing, or not possible, is thrown by the name of its field.

const number = /^[0-9]{1,7}$/;
const count = (counts, thing, n = 1) => counts.set(String(thing), (counts.get(String(thing)) ?? 0) + n);

const isEmpty = (value) => value === 0 || (typeof value === "object" && !Object.keys(value).length);

/** Return the fields of a case but for its game and its kind. */
export function makeCase({ fields, needed, holds }, names, text) {
  const made = {};
  for (const [name, shape] of Object.entries(fields)) {
    const value = readShape(shape, name, { names, text, fields, isNeeded: needed.includes(name) });
    if (value !== undefined && (needed.includes(name) || !isEmpty(value))) made[name] = value;
  }
  const [row] = Object.entries(fields).find(([, { widget }]) => widget === "by_key") ?? [];
  for (const [name, shape] of Object.entries(fields)) compare(shape, name, made, Object.keys(made[row] ?? {}));
  for (const { fields: lying, most } of holds) {
    const counts = new Map();
    for (const name of lying) if (made[name] !== undefined) countShape(fields[name], made[name], name, counts);
    if ([...counts].some(([thing, n]) => n > (most[thing] ?? n))) throw new RangeError(lying[0]);
  }
  return made;
}

function readShape(shape, name, form) {
  const { names, text } = form;
  const inner = (one, key) => readShape(one, `${name}.${key}`, form);
  switch (shape.widget) {
    case "players":
      return names;
    case "by_player":
      if (!form.isNeeded && shape.of.widget === "number" && !names.some((_, n) => text(`${name}.${n + 1}`))) return undefined;
      return Object.fromEntries(names.map((who, n) => [who, inner(shape.of, n + 1)]));
    case "by_key": {
      const chosen = names.map((_, n) => text(`${shape.chosenIn}.${n + 1}`));
      const lying = shape.keys.map((key) => [key, inner(shape.of, key)]);
      return Object.fromEntries(lying.filter(([key, cards]) => cards.length || chosen.includes(key) || text(`${name}.${key}`)));
    }
    case "group": {
      const found = Object.entries(shape.fields).map(([key, one]) => [key, inner(one, key)]);
      if (found.some(([, one]) => one === undefined)) return undefined;
      return Object.fromEntries(found.filter(([, one]) => one || !shape.byTaps));
    }
    case "counted":
      return shape.values.flatMap((value) => Array(readNumber(`${name}.${value}`, text)).fill(readWord(value, shape.of)));
    case "ticked":
      return shape.values.filter((value) => text(`${name}.${value}`)).map((value) => readWord(value, shape.of));
    case "owned":
      return shape.values.filter((value) => text(`owner.${value}`) === name.split(".")[1]).map((value) => readWord(value, shape.of));
    case "slots":
      return Array.from({ length: shape.most }, (_, n) => text(`${name}.${n + 1}`)).filter(Boolean).map((value) => readWord(value, shape.of));
    default:
      return readLeaf(shape, name, form);
  }
}

function readLeaf(shape, name, { names, text, isNeeded }) {
  const written = text(name);
  const [head, ...rest] = name.split(".");
  if (shape.widget === "yes_no") return written !== "no";
  if (shape.widget === "player") return names[(Number(written) || (isNeeded ? 1 : 0)) - 1] ?? (isNeeded ? names[0] : undefined);
  if (!written && !isNeeded && !rest.length) return shape.widget === "lots" ? [] : undefined;
  if (shape.widget === "number" || shape.widget === "few") {
    const value = readNumber(name, text);
    if (value < shape.least || value > shape.most) throw new RangeError(head);
    return value;
  }
  if (!written) throw new RangeError(head);
  return readWord(written, shape);
}

function readNumber(name, text) {
  const written = text(name) || "0";
  if (!number.test(written)) throw new RangeError(name.split(".")[0]);
  return Number(written);
}

function readWord(written, { widget, numbers }) {
  if (widget === "lots") return written.split("-");
  return widget === "few" || (numbers && number.test(written)) ? Number(written) : written;
}

// Nobody bids more than they own, nothing is taken that did not lie there, and a bank is one of the row.
function compare(shape, name, made, row) {
  const values = made[name];
  const isInRow = (one, value) => !one.row || row.includes(value);
  if (values === undefined) return;
  if (shape.widget === "by_player") {
    const owned = made[shape.of.below];
    if (owned && Object.entries(values).some(([who, n]) => n > owned[who])) throw new RangeError(shape.of.below);
    if (Object.values(values).some((value) => !isInRow(shape.of, value))) throw new RangeError(name);
  }
  if (shape.widget === "group" && Object.entries(values).some(([key, value]) => !isInRow(shape.fields[key], value))) throw new RangeError(name);
  if (shape.widget === "counted" && shape.below) {
    const counts = new Map();
    for (const value of values) count(counts, value);
    if ([...counts].some(([thing, n]) => n > (made[shape.below][thing] ?? 0))) throw new RangeError(name);
  }
}

function countShape(shape, value, key, counts) {
  if (shape.widget === "by_player" || shape.widget === "by_key") for (const one of Object.values(value)) countShape(shape.of, one, key, counts);
  else if (shape.widget === "group") for (const [name, one] of Object.entries(value)) countShape(shape.fields[name], one, name, counts);
  else if (Array.isArray(value) && shape.of) for (const one of value) countShape(shape.of, one, key, counts);
  else if (shape.widget === "number") count(counts, key, value);
  else count(counts, Array.isArray(value) ? value.join("-") : value);
}
