// The figures that matter most, and the money over time.

import { card, h } from "./dom.js";
import { lineChart } from "./chart.js";
import { count, figure, money, share } from "./format.js";

const NAMES = ["Rounds", "To settle", "Profit so far", "Paid so far", "Regret"];

export function figuresStrip() {
  const slots = Object.fromEntries(NAMES.map((name) =>
    [name, { value: h("dd", {}, "…"), hint: h("dd", { class: "hint" }) }]));
  const node = h("dl", { class: "figures" },
    NAMES.map((name) => h("div", {}, h("dt", {}, name), slots[name].value, slots[name].hint)));
  const put = (name, value, hint) => {
    slots[name].value.textContent = value;
    slots[name].hint.textContent = hint ?? "";
  };
  let best;
  let now;
  const regret = () => {
    if (!now || best === undefined) return;
    if (!best || now.settled === 0) {
      put("Regret", "–", best ? "once rounds are settled" : "once a rule is known to work");
      return;
    }
    const earned = now.utility - now.paid;
    const lost = (profit) => now.settled * profit - earned;
    put("Regret", figure(lost(best.profit)),
      `${figure(lost(best.low))} to ${figure(lost(best.high))}, against the best rule known`);
  };
  return {
    node,
    standing(next) {
      now = next;
      const amount = money(now.unit);
      const per = (sum) => (now.settled ? `${figure(sum / now.settled)} a settled round` : "no round settled yet");
      put("Rounds", count(now.rounds), `${count(now.settled)} settled, ${count(now.abandoned)} abandoned`);
      put("To settle", count(now.awaiting),
        now.open ? `and round ${count(now.open.round)} is open` : "no round is open");
      put("Profit so far", figure(now.utility - now.paid), per(now.utility - now.paid));
      put("Paid so far", amount(now.paid), per(now.paid));
      regret();
    },
    learned(next) {
      best = next.recommendation;
      regret();
    },
  };
}

export function moneyCard() {
  const money_ = lineChart();
  const regret = lineChart({ height: 200 });
  const nothing = h("p", { class: "soft" }, "When rounds are settled, what they earned and cost is drawn here.");
  const about = h("p", { class: "hint" });
  const pictures = h("div", { hidden: true }, h("h3", {}, "Profit and spend"), money_.node,
    h("div", { class: "regret", hidden: true }, h("h3", {}, "Regret against the best rule known"), regret.node, about));
  const node = card("Money", {}, nothing, pictures);
  let history;
  let best;
  const draw = () => {
    if (!history || history.settled.length < 2) return;
    nothing.hidden = true;
    pictures.hidden = false;
    const at = (value) => history.settled.map((settled, index) => [settled, value(index)]);
    const last = history.settled.length - 1;
    const profit = (index) => history.utility[index] - history.paid[index];
    money_.update({
      series: [{ name: "profit", points: at(profit) },
        { name: "paid", points: at((index) => history.paid[index]), dashed: true }],
      xLabel: "rounds settled", xName: "after rounds", xFormat: count, xWhole: true,
        yLabel: "in all, since the beginning",
      label: `After ${count(history.settled[last])} settled rounds: profit ${figure(profit(last))}, paid ` +
          `${figure(history.paid[last])}.`,
    });
    if (!best) return;
    const lost = (index) => history.settled[index] * best.profit - profit(index);
    regret.node.parentElement.hidden = false;
    regret.update({
      series: [{ name: "regret", points: at(lost) }],
      xLabel: "rounds settled", xName: "after rounds", xFormat: count, xWhole: true,
        yLabel: "in all, since the beginning",
      label: `Regret against the best rule known, after ${count(history.settled[last])} settled rounds: ` +
          `${figure(lost(last))}.`,
    });
    about.textContent =
      `What the same rounds would have earned under the rule that the learner would settle on today ` +
          `(${figure(best.profit)} a round, ` +
      `${figure(best.low)} to ${figure(best.high)} with probability ${share(best.probability)}), less what they did ` +
          `earn. Luck counts in both.`;
  };
  return {
    node,
    history(next) {
      history = next;
      draw();
    },
    learned(next) {
      best = next.recommendation;
      draw();
    },
  };
}
