// A payment rule as a table, as a curve and in words.

import { h } from "./dom.js";
import { lineChart } from "./chart.js";
import { count, names, percents, reportWords } from "./format.js";

const ROWS = 400; // shown at the most

// The menu as people read it: by the probability of the second state where there are two, else as it is.
export function menuOrder(terms) {
  const order = terms.beliefs.map((_, row) => row);
  if (terms.beliefs[0].length === 2) order.sort((one, other) => terms.beliefs[one][1] - terms.beliefs[other][1]);
  return order;
}

const expected = (belief, pays) => belief.reduce((sum, chance, state) => sum + chance * pays[state], 0);

// "Report 70% up: you get 12.40 if up, 3.10 if down."
export function inWords(belief, pays, terms, amount, { you = "you get" } = {}) {
  const { state } = names(terms);
  const order = pays.map((_, which) => which).sort((one, other) => belief[other] - belief[one]);
  const parts = order.slice(0, 6).map((which) => `${amount(pays[which])} if ${state(which)}`);
  return `Report ${reportWords(belief, terms)}: ${you} ${parts.join(", ")}${order.length > 6 ? ", …" : "."}`;
}

export function ruleTable(payments, terms, amount, { marked = null, caption }) {
  const { state } = names(terms);
  const percent = percents(terms.beliefs);
  const two = terms.beliefs[0].length === 2;
  const every = Math.ceil(payments.length / ROWS);
  const rows = menuOrder(terms).filter((row, at) => at % every === 0 || row === marked);
  return h(
    "div",
    { class: "scroll tall", tabindex: "0", role: "region", "aria-label": caption },
    h(
      "table",
      {},
      h("caption", {}, caption),
      h(
        "thead",
        {},
        h("tr", {}, h("th", { scope: "col", class: two ? "words" : "words report" },
          two ? `Report: ${state(1)}` : "Report"),
          terms.beliefs[0].map((_, which) => h("th", { scope: "col" }, `pays if ${state(which)}`)),
          h("th", { scope: "col", class: "extra" }, "expected, if believed")),
      ),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h("tr", { class: row === marked ? "marked" : null },
            h("th", { scope: "row", class: "words" },
              two ? percent(terms.beliefs[row][1]) : `${row + 1}. ${reportWords(terms.beliefs[row], terms)}`),
            payments[row].map((pay) => h("td", {}, amount(pay))),
            h("td", { class: "soft extra" }, amount(expected(terms.beliefs[row], payments[row])))),
        ),
      ),
    ),
    every > 1 ? h("p", { class: "hint" },
      `Every ${count(every)}th of ${count(payments.length)} reports; the API has them all.`) : null,
  );
}

// What each report pays: over the probability reported where there are two states, else over the menu.
export function ruleCurve(payments, terms, amount, what) {
  const { state } = names(terms);
  const states = terms.beliefs[0].length;
  const chart = lineChart({ height: 220 });
  const order = menuOrder(terms);
  const x = (row) => (states === 2 ? 100 * terms.beliefs[row][1] : row + 1);
  const shown = [...Array(Math.min(states, 4)).keys()];
  const series = shown.map((which) =>
    ({ name: `if ${state(which)}`, points: order.map((row) => [x(row), payments[row][which]]) }));
  if (states === 2) {
    series.push({ name: "expected, if believed", dashed: true,
      points: order.map((row) => [x(row), expected(terms.beliefs[row], payments[row])]) });
  }
  chart.update({
    series,
    xRange: states === 2 ? [0, 100] : undefined,
    xLabel: states === 2 ? `reported probability of ${state(1)}, %` : "report, by its number in the table",
    xWhole: states !== 2,
    loose: states !== 2,
    xName: states === 2 ? `report, % ${state(1)}` : "report",
    yLabel: states > shown.length ? `payment, in the first ${shown.length} of ${states} states` : "payment",
    yFormat: amount,
    label: `${what}: payment over the report, a line for each state. The table beside it has the figures.`,
  });
  return chart.node;
}

// Whether the curve of a rule says something: with one report there is nothing to draw.
export const isCurve = (payments) => payments.length > 1;
