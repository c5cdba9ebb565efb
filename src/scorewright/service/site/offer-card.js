// The open round: the rule as issued, why it is offered, and what the principal can do about it.

import { card, choice, field, form, h, note } from "./dom.js";
import { count, money, names, reportWords, time } from "./format.js";
import { isCurve, ruleCurve, ruleTable } from "./rule.js";

export function offerCard({ api, path, soon }) {
  const body = h("div");
  const node = card("Current offer", {}, body);
  let drawn = null;
  const write = async (where, content, said) => {
    await api.post(`${path}/rounds${where}`, content);
    note(said);
    soon();
  };

  function nothing(standing) {
    const about = h("input", { type: "text", maxlength: 2000, autocomplete: "off" });
    body.replaceChildren(
      h("p", { class: "soft" }, standing.pacer === "agent" ? "No round is open. The agent may ask for one, or you " +
          "open it." : "No round is open. You open the rounds of this session."),
      form({ label: "Open a round", name: "Open a round",
        submit: () => write("", { about: about.value.trim() || null }, "A round was opened.") },
        field("What it is about (the agent sees this; may be left empty)", about)),
    );
  }

  function effortField(standing) {
    const { efforts } = standing.setting;
    const input = efforts ? choice([["", "choose …"], ...efforts.map((name, number) => [number, name])])
      : h("input", { type: "text", required: true, autocomplete: "off" });
    const read = () => {
      const said = input.value.trim();
      if (said === "") throw new Error("Say which effort was made.");
      return efforts || /^\d+$/.test(said) ? Number(said) : said;
    };
    return { field: field("Effort made", input, efforts ? null : "its number or its name"), read };
  }

  function actions(standing) {
    const { open, setting } = standing;
    const parts = [];
    const attests = standing.attester === "principal" && open.effort === null;
    if (attests && open.row !== null) {
      const effort = effortField(standing);
      parts.push(form({ label: "Attest the effort", name: "Attest the effort",
        submit: () => write(`/${open.round}/answer`, { effort: effort.read() },
          `The effort of round ${open.round} is attested.`) }, effort.field));
    }
    const more = [];
    if (open.row === null) {
      const menu = setting.beliefs.length <= 300
        ? choice(setting.beliefs.map((belief, row) => [row, reportWords(belief, setting)]))
        : h("input", { type: "number", min: 0, max: setting.beliefs.length - 1, value: 0 });
      const effort = attests ? effortField(standing) : null;
      more.push(h("details", {}, h("summary", {}, "Answer for the agent"),
        form({ label: "Answer", quiet: true, name: "Answer for the agent",
          submit: () => write(`/${open.round}/answer`, { report: Number(menu.value), effort: effort?.read() ?? null },
            `Round ${open.round} is answered.`) },
        field("Report", menu), effort?.field)));
    }
    const reason = h("input", { type: "text", maxlength: 2000, autocomplete: "off" });
    more.push(h("details", {}, h("summary", {}, "Abandon this round"),
      form({ label: "Abandon", quiet: true, name: "Abandon the open round",
        submit: () => write(`/${open.round}/abandon`, { reason: reason.value.trim() || null },
          `Round ${open.round} is abandoned; it will not be paid.`) },
      field("Reason (may be left empty)", reason))));
    return [...parts, h("div", { class: "folds" }, more)];
  }

  function offer(standing) {
    const { open, setting } = standing;
    const { effort } = names(setting, setting.decisions);
    const amount = money(standing.unit);
    const attesting = standing.attester === "principal"
      ? "effort to be attested" : `${standing.attester} to attest the effort`;
    const answer = open.effort === null ? "agent's answer" : "agent's report";
    const waits = `for the ${open.row === null ? answer : attesting}`;
    body.replaceChildren(
      h("p", {}, h("a", { href: `#/sessions/${standing.id}/rounds/${open.round}` }, `Round ${count(open.round)}`),
        open.about ? `, about “${open.about}”,` : "", ` is open since ${time(open.opened)} and waits ${waits}.`),
      h("dl", { class: "facts" },
        h("div", {}, h("dt", {}, "Aims at"),
          h("dd", {}, open.target === null ? "no effort in particular" : effort(open.target))),
        h("div", {}, h("dt", {}, "Why"), h("dd", {}, open.why || "the learner does not say")),
        open.row === null ? null
          : h("div", {}, h("dt", {}, "Reported"), h("dd", {}, reportWords(setting.beliefs[open.row], setting))),
        open.effort === null ? null : h("div", {}, h("dt", {}, "Effort"), h("dd", {}, effort(open.effort)))),
      isCurve(open.payments) ? ruleCurve(open.payments, setting, amount, "The open offer") : null,
      ruleTable(open.payments, setting, amount, { marked: open.row, caption: "What it pays, by report and outcome" }),
      ...actions(standing),
    );
  }

  return {
    node,
    standing(now) {
      const { open } = now;
      const state = open === null ? "none" : [open.round, open.row, open.effort].join(" ");
      if (state === drawn) return;
      drawn = state;
      if (open === null) nothing(now);
      else offer(now);
    },
  };
}
