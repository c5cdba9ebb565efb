// Numbers, names and times as people read them.

const plain = new Map();
function decimal(least, most = least) {
  const key = `${least} ${most}`;
  if (!plain.has(key)) {
    plain.set(key, new Intl.NumberFormat("en", { minimumFractionDigits: least, maximumFractionDigits: most }));
  }
  return plain.get(key);
}
const figures = new Intl.NumberFormat("en",
  { maximumSignificantDigits: 4, maximumFractionDigits: 2, roundingPriority: "morePrecision" });

const minus = (text) => text.replace(/^-/, "−");

export const count = (value) => decimal(0).format(value);

// Four digits that count, and never less than hundredths: large sums of money are not rounded.
export const figure = (value) => minus(figures.format(Math.abs(value) < 1e-12 ? 0 : value));

// An amount to the unit: 12.40 where payments are whole cents.
export function money(unit) {
  let digits = 0;
  while (digits < 12
    && Math.abs(Math.round(unit * 10 ** digits) - unit * 10 ** digits) > 1e-9 * 10 ** digits * unit) digits++;
  return (value) => minus(decimal(Math.min(digits, 12)).format(Math.abs(value) < unit / 2 ? 0 : value));
}

// Percentages with as many digits as it takes to tell the menu's rows apart, at most three.
export function percents(beliefs) {
  if (!known.has(beliefs)) known.set(beliefs, percentsOf(beliefs));
  return known.get(beliefs);
}
const known = new WeakMap(); // it is asked for again and again, and a menu may be long

function percentsOf(beliefs) {
  const enough = [0, 1, 2].find((digits) => {
    const seen = new Set(beliefs.map((row) => row.map((share) => (100 * share).toFixed(digits)).join(" ")));
    const exact = beliefs.length > 200
      || beliefs.every((row) =>
      row.every((share) => Math.abs(100 * share - Number((100 * share).toFixed(digits))) < 0.06));
    return seen.size === beliefs.length && exact;
  });
  const format = decimal(0, enough ?? 3);
  return (share) => `${format.format(100 * share)}%`;
}

export const share = (value) => `${decimal(0, 1).format(100 * value)}%`;

const when = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const exactly = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });
export const time = (iso) => when.format(new Date(iso));
export const moment = (iso) => exactly.format(new Date(iso));

export const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

// What efforts, states and decisions are called.
export function names(terms, decisions) {
  const called = (labels, what) => (which) =>
    which === null || which === undefined ? "–" : typeof which === "string" ? which : labels?.[which]
      ?? `${what} ${which}`;
  return {
    effort: called(terms.efforts ?? terms.discovered, "effort"),
    state: called(terms.states, "state"),
    decision: called(decisions, "decision"),
  };
}

// A report in words: "70% up", or with more than two states "60% red, 30% green, 10% blue".
export function reportWords(belief, terms) {
  const percent = percents(terms.beliefs);
  const { state } = names(terms);
  if (belief.length === 2) return `${percent(belief[1])} ${state(1)}`;
  const likely = belief.map((chance, which) => ({ chance, which })).filter(({ chance }) => chance > 0);
  likely.sort((one, other) => other.chance - one.chance);
  const shown = likely.slice(0, 4).map(({ chance, which }) => `${percent(chance)} ${state(which)}`);
  return shown.join(", ") + (likely.length > 4 ? " …" : "");
}
