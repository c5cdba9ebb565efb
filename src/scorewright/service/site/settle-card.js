// The rounds that await their outcome, each with a form.

import { busy, card, choice, h, keyed, note } from "./dom.js";
import { count, money, names, plural, reportWords } from "./format.js";

export const FIRST = 8; // rounds shown at first

export function settleCard({ api, path, soon, standing }) {
  const list = h("ul", { class: "awaiting" });
  const nothing = h("p", { class: "soft" },
    "Nothing to settle. A round comes here when it is answered, and waits until you say which state came.");
  const more = h("button", { type: "button", class: "quiet", hidden: true }, "Show more");
  const hint = h("p", { class: "hint" });
  const node = card("Rounds to settle", {}, nothing, list, hint, more);
  let shown = FIRST;

  function line(one) {
    const { setting, unit, id } = standing();
    const name = names(setting, setting.decisions);
    const amount = money(unit);
    const state = choice([["", "choose …"],
      ...one.pays.map((pay, which) => [which, `${name.state(which)}: pays ${amount(pay)}`])],
      { "aria-label": `State of round ${one.round}` });
    const said = h("p", { class: "wrong", role: "alert", hidden: true });
    const settle = h("button", { type: "submit", class: "main" }, "Settle");
    const abandon = h("button", { type: "button", class: "quiet", "aria-label": `Abandon round ${one.round}` },
      "Abandon");
    let sure = false;
    abandon.addEventListener("click", () => {
      if (!sure) {
        sure = true;
        abandon.textContent = "Abandon, unpaid?";
        return;
      }
      busy(abandon, said, async () => {
        await api.post(`${path}/rounds/${one.round}/abandon`, {});
        note(`Round ${count(one.round)} is abandoned; it will not be paid.`);
        gone(one.round);
      });
    });
    return h("li", {},
      h("form", {
        "aria-label": `Settle round ${one.round}`,
        novalidate: true,
        onsubmit: (event) => {
          event.preventDefault();
          busy(settle, said, async () => {
            if (state.value === "") throw new Error("Choose the state that came.");
            const done = await api.post(`${path}/rounds/${one.round}/settle`, { state: Number(state.value) });
            note(`Round ${count(done.round)} is settled: it pays ${amount(done.payment)}.`);
            gone(one.round);
          });
        },
      },
      h("p", {}, h("a", { href: `#/sessions/${id}/rounds/${one.round}` }, `Round ${count(one.round)}`),
        one.about ? ` · ${one.about}` : "",
        h("span", { class: "soft block" },
          `${name.effort(one.effort)} · reported ${reportWords(setting.beliefs[one.row], setting)}`)),
      h("div", { class: "actions" }, state, settle, abandon), said));
  }

  function gone(round) {
    const row = list.querySelector(`[data-key="${round}"]`);
    const next = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector("select");
    row?.remove();
    next?.focus();
    soon();
  }

  function fill(found) {
    const { awaiting } = standing();
    keyed(list, found, (one) => one.round, line);
    nothing.hidden = found.length > 0;
    more.hidden = awaiting <= found.length || found.length < shown;
    hint.textContent = awaiting > found.length
      ? `The oldest ${count(found.length)} of ${plural(awaiting, "round")}.` : "";
  }
  more.addEventListener("click", () => {
    shown = Math.min(1000, shown + 3 * FIRST);
    soon();
  });
  return { node, awaiting: fill, query: () => ({ most: shown }) };
}
