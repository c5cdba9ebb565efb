// The audit trail of one round: what happened, when, by whom, and how the payment follows from the rule as issued.

import { card, h } from "./dom.js";
import { count, figure, moment, money, names, reportWords } from "./format.js";
import { isCurve, ruleCurve, ruleTable } from "./rule.js";
import { STATUS } from "./rounds-card.js";
import { crumbs, show } from "./shell.js";
import { standingOf } from "./standing.js";

export async function round({ api, current }, id, number) {
  const path = `/v1/sessions/${id}`;
  const [standing, one, trail, tokens] = await Promise.all([
    standingOf(api, path), api.get(`${path}/rounds/${number}`), api.get(`${path}/rounds/${number}/events`),
      api.get("/v1/tokens"),
  ]);
  if (!current()) return;
  const { setting, unit } = standing;
  const name = names(setting, setting.decisions);
  const amount = money(unit);
  const whose = new Map(tokens.map((token) =>
    [token.id, `${token.role}${token.name ? ` “${token.name}”` : ` ${token.id}`}`]));
  const by = (who) =>
    (who === "local" ? "without a token, on the service's own machine" : whose.get(who) ?? `token ${who}`);
  const step = (to, text) =>
    (to >= 1 && to <= standing.rounds ? h("a", { class: "button", href: `#/sessions/${id}/rounds/${to}` }, text)
    : null);

  const words = {
    asked: ({ body }) => [
      `offered a rule${body.target === null ? "" : ` that aims at “${name.effort(body.target)}”`} (the learner's ` +
          `offer ${count(body.offer)}, ${body.phase})`,
      body.about ? h("p", {}, `About: ${body.about}`) : null,
        body.why ? h("p", { class: "soft" }, `Why: ${body.why}`) : null],
    told: ({ body }) => [
      [body.effort === undefined ? null : `attested the effort “${name.effort(body.effort)}”`,
        body.row === undefined ? null : `reported ${saysReport(body, setting)}`].filter((part) => part).join("; ")],
    settled: ({ body }) => [`settled: it was “${name.state(body.state)}”`],
    abandoned: ({ body }) =>
      ["gave it up: it is never paid", body.reason ? h("p", {}, `Reason: ${body.reason}`) : null],
  };

  show(`Round ${count(one.round)}`,
    crumbs(standing),
    h("div", { class: "head" },
      h("h1", {}, `Round ${count(one.round)} `, h("span", { class: `status ${one.status}` }, STATUS[one.status])),
      h("div", { class: "actions" }, step(one.round - 1, "Earlier"), step(one.round + 1, "Later"))),
    h("div", { class: "columns" },
      h("div", {},
        card("What happened", {},
          h("ol", { class: "trail" }, trail.map((event) =>
            h("li", {}, h("p", { class: "soft" },
              `${moment(event.at)} · event ${count(event.sequence)} · ${by(event.by)}`),
              h("div", {}, words[event.kind](event)))))),
        card("How the payment follows", {}, reckoning(one, setting, name, amount))),
      card("The rule, as it was issued", {},
        isCurve(one.payments) ? ruleCurve(one.payments, setting, amount, `The rule of round ${one.round}`) : null,
        ruleTable(one.payments, setting, amount,
          { marked: one.row, caption: "What it pays, by report and outcome" }))));
}

function saysReport(body, setting) {
  const counted = reportWords(setting.beliefs[body.row], setting);
  return Array.isArray(body.report) ? `${reportWords(body.report, setting)}, which counts as ${counted}` : counted;
}

function reckoning(one, setting, name, amount) {
  if (one.status === "abandoned") return h("p", {}, "Nothing is paid: the round was abandoned.");
  if (one.row === null) return h("p", { class: "soft" }, "Nothing has been reported yet.");
  const report = reportWords(setting.beliefs[one.row], setting);
  if (one.state === null) {
    return h("p", {},
      `The report counts as ${report}. It pays ` +
        `${one.payments[one.row].map((pay, state) => `${amount(pay)} if ${name.state(state)}`).join(", ")}.`);
  }
  const worth = setting.utility.map((row) =>
    row.reduce((sum, value, state) => sum + value * setting.beliefs[one.row][state], 0));
  const others = worth.map((value, which) => `${figure(value)} for “${name.decision(which)}”`)
    .filter((_, which) => which !== one.decision).slice(0, 5);
  return h("ol", { class: "reckoning" },
    h("li", {}, `The report counts as ${report}.`),
    h("li", {}, `At that belief “${name.decision(one.decision)}” is worth most: ${figure(worth[one.decision])} expected`,
      others.length ? `, against ${others.join(", ")}.` : "."),
    h("li", {}, `“${name.state(one.state)}” came, so the decision was worth ${figure(one.utility)}.`),
    h("li", {}, "The rule's row for that report pays in that state: ", h("strong", {}, amount(one.payment)), "."),
    h("li", {}, `Profit of the round: ${figure(one.utility)} − ${amount(one.payment)} = ` +
        `${figure(one.utility - one.payment)}.`));
}
