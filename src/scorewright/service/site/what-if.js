// What if: the best rule under another utility or bound, were the estimates so far exact.

import { card, field, form, h } from "./dom.js";
import { figure, money, names } from "./format.js";
import { number, numberGrid } from "./number-grid.js";
import { isCurve, ruleCurve, ruleTable } from "./rule.js";
import { crumbs, show } from "./shell.js";
import { standingOf } from "./standing.js";

export async function whatIf({ api, current }, id) {
  const path = `/v1/sessions/${id}`;
  const standing = await standingOf(api, path);
  if (!current()) return;
  const { setting, unit } = standing;
  const name = names(setting, setting.decisions);
  const amount = money(unit);
  const states = setting.beliefs[0].map((_, which) => name.state(which));
  const grid = numberGrid(setting.utility.map((_, which) => name.decision(which)), states, setting.utility,
    "What a decision is worth to you in each outcome", "decision");
  const bound = h("input", { type: "number", min: 0, step: "any", value: setting.bound });
  const [before, after] = [h("div"), h("div", { "aria-live": "polite" }, h("p", { class: "soft" }, "Change " +
      "something, and see the rule that would be best."))];

  const answer = (found, caption) => [
    h("p", {}, "Buys ", h("strong", {}, name.effort(found.effort)),
      ` for ${figure(found.payment)} a round, at a profit of `, h("strong", {}, figure(found.profit)), "."),
    isCurve(found.payments) ? ruleCurve(found.payments, setting, amount, caption) : null,
    ruleTable(found.payments, setting, amount, { caption }),
    h("h3", {}, "By effort"),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `${caption}, by effort` },
      h("table", {}, h("thead", {},
        h("tr", {}, h("th", { scope: "col", class: "words" }, "Effort"), h("th", { scope: "col" }, "Expected payment"),
        h("th", { scope: "col" }, "Profit"))),
        h("tbody", {}, found.by_effort.map((one) =>
          h("tr", { class: one.effort === found.effort ? "marked" : null },
          h("th", { scope: "row", class: "words" }, name.effort(one.effort)),
          one.reason ? h("td", { colspan: 2, class: "words soft" }, "no payment within the bound buys it")
            : [h("td", {}, figure(one.payment)), h("td", {}, figure(one.profit))]))))),
  ];

  show("What if",
    crumbs(standing),
    h("h1", {}, "What if …"),
    h("p", { class: "lead" }, "The best rule, were the estimates so far exact. Nothing here is offered to anybody, " +
        "and the session goes on as it was."),
    card("Change", {},
      form({ label: "See the rule", name: "What if", submit: async () => {
        const found = await api.post(`${path}/what-if`,
          { utility: grid.read(), bound: number(bound, "Most paid in a round") });
        after.replaceChildren(...answer(found, "The rule that would be best").filter((part) => part));
      } }, grid.node, field("Most paid in a round", bound))),
    h("div", { class: "columns" }, card("As things are", {}, before), card("With your changes", {}, after)));

  if (standing.answered === 0) {
    before.replaceChildren(h("p", { class: "soft" },
      "Nothing has been learned yet: come back after the first answers."));
    return;
  }
  try {
    before.replaceChildren(...answer(await api.post(`${path}/what-if`, {}),
      "The rule that is best as things are").filter((part) => part));
  } catch (problem) {
    before.replaceChildren(h("p", { class: "soft" }, problem.detail));
  }
}
