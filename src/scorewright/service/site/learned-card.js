// What has been learned: the best rule known, what each effort reveals, and what efforts cost beside one another.

import { card, h } from "./dom.js";
import { bars, intervals } from "./chart.js";
import { count, figure, money, names, percents, plural, reportWords, share } from "./format.js";
import { isCurve, menuOrder, ruleCurve, ruleTable } from "./rule.js";

const BARS = 40;
const PAIRS = 15;
const EFFORTS = 12;

export function learnedCard() {
  const body = h("div", {}, h("p", { class: "soft" }, "…"));
  const node = card("What has been learned", {}, body);
  let drawn = null;
  return {
    node,
    learned(known, standing) {
      const mark = JSON.stringify(known);
      if (mark === drawn) return;
      const unfolded = body.querySelector("details")?.open ?? false;
      drawn = mark;
      if (known.rounds === 0) {
        body.replaceChildren(h("p", { class: "soft" },
          "Nothing yet: every answer teaches what an effort reveals, and what it costs beside the others."));
        return;
      }
      body.replaceChildren(best(known, standing, unfolded), information(known, standing), gaps(known, standing));
    },
  };
}

function best(known, standing, unfolded) {
  const { setting, unit } = standing;
  const found = known.recommendation;
  if (!found) return h("p", { class: "soft" }, "No rule is known to work yet.");
  const { effort } = names(setting);
  const amount = money(unit);
  return h("div", {},
    h("h3", {}, "Best rule known"),
    h("p", {}, "It buys ", h("strong", {}, effort(found.effort)),
      ` for a profit of ${figure(found.profit)} a round: between ${figure(found.low)} and ${figure(found.high)} ` +
        `with probability ${share(found.probability)}. `,
      h("span", { class: "soft" }, sentence(found.evidence))),
    h("details", { open: unfolded }, h("summary", {}, "What it pays"),
      isCurve(found.payments) ? ruleCurve(found.payments, setting, amount, "The best rule known") : null,
      ruleTable(found.payments, setting, amount, { caption: "The best rule known, before rounding to whole units" })));
}

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : ".");

// Beliefs in the menu's order; where there are many, neighbours are put together.
function columns(shares, half, setting) {
  const two = setting.beliefs[0].length === 2;
  const percent = percents(setting.beliefs);
  const group = Math.ceil(shares.length / BARS);
  const order = menuOrder(setting);
  const found = [];
  for (let start = 0; start < order.length; start += group) {
    const rows = order.slice(start, start + group);
    const total = rows.reduce((sum, row) => sum + shares[row], 0);
    const [low, high] = [Math.max(0, total - half), Math.min(1, total + half)];
    const first = setting.beliefs[rows[0]];
    found.push({
      share: total, low, high,
      name: [...new Set([rows[0], rows.at(-1)])].map((row) => reportWords(setting.beliefs[row], setting)).join(" to "),
      short: two ? percent(first[1]).replace("%", "") : String(rows[0] + 1),
      text: `${share(total)}, between ${share(low)} and ${share(high)}`,
    });
  }
  return found;
}

function information(known, standing) {
  const { setting } = standing;
  const { effort, state } = names(setting);
  const two = setting.beliefs[0].length === 2;
  const seen = known.counts.map((times, which) => ({ times, which })).slice(0, EFFORTS);
  return h("div", {},
    h("h3", {}, "What each effort reveals"),
    h("p", { class: "hint" },
      `How often each belief was reported, ` +
        `${two ? `by the probability of ${state(1)}, in per cent` : "in the menu's order"}; the thin lines are what ` +
          `the share may really be.`),
    h("ul", { class: "reveals" }, seen.map(({ times, which }) => {
      const radius = known.radius[which];
      const half = radius === null ? 1 : radius / 2; // no single share is off by more than half the L1 radius
      const head = h("p", {}, h("strong", {}, effort(which)),
        h("span", { class: "soft" }, ` · ${plural(times, "round")}`,
          times && radius !== null ? `, ±${share(Math.min(1, half))} a belief` : ""));
      if (times === 0) return h("li", {}, head, h("p", { class: "hint" }, "not seen yet"));
      const found = columns(known.information[which], half, setting);
      const most = found.reduce((one, other) => (other.share > one.share ? other : one));
      return h("li", {}, head,
        bars(found, `${effort(which)}: the most frequent report is ${most.name}, ${most.text}.`));
    })),
    known.counts.length > EFFORTS
      ? h("p", { class: "hint" }, `The first ${EFFORTS} of ${count(known.counts.length)} efforts.`) : null);
}

function gaps(known, standing) {
  const { effort } = names(standing.setting);
  const efforts = known.counts.length;
  const pairs = [];
  const all = efforts <= 6;
  for (let low = 0; low < (all ? efforts : 1); low++) {
    for (let high = low + 1; high < efforts && pairs.length < PAIRS; high++) {
      const half = known.cost_radius[high][low];
      const value = half === null ? null : known.cost_gap[high][low];
      pairs.push({
        name: `${effort(high)} over ${effort(low)}`, value,
        low: value === null ? null : value - half, high: value === null ? null : value + half,
        text: value === null ? ""
          : [h("strong", {}, figure(value)),
          h("span", { class: "soft block" }, `${figure(value - half)} to ${figure(value + half)}`)],
      });
    }
  }
  if (pairs.length === 0) return null;
  return h("div", {},
    h("h3", {}, "What it costs the agent more"),
    h("p", { class: "hint" }, "The extra cost of one effort over another, with the interval that the answers so far " +
        "leave. The upright line is no difference."),
    intervals(pairs, "Cost gaps with intervals"));
}
