// Tokens: hand one over to an agent as a link, or to a meter; see who has one; take it back.

import { busy, card, choice, field, form, h, keyed, listed, listing, note } from "./dom.js";
import { time } from "./format.js";

const COLUMNS = [["Whose", "words"], ["Role", "words"], ["Made", "words soft"], ["Good until", "words soft"],
  ["Take back", null]];

export function handOverCard({ api, standing, current }) {
  const { id, attester } = standing();
  const roles = [["agent", "an agent, who answers offers"]];
  if (attester === "meter") roles.push(["meter", "a meter, which attests efforts"]);
  const role = choice(roles);
  const name = h("input", { type: "text", maxlength: 200, autocomplete: "off" });
  const days = h("input", { type: "number", min: 1, max: 3650, value: 90 });
  const made = h("div", { role: "status" });
  const body = h("tbody");
  const nobody = h("p", { class: "soft" }, "Nobody has been given access to this session yet.");
  const table = listing("Tokens", COLUMNS, body);
  const node = card("Hand over", {},
    h("p", {}, "Make a link for the agent. Whoever has it answers this session's offers and is paid for it: send it " +
        "privately."),
    form({ label: "Make a link", name: "Make a link", submit: make },
      h("div", { class: "row" }, field("For", role), field("Whose it is", name), field("Good for, days", days))),
    made, nobody, table);

  async function make() {
    const token = await api.post("/v1/tokens",
      { role: role.value, session: id, name: name.value.trim(), days: Number(days.value) });
    const link = token.role === "agent" ? `${location.origin}/agent#token=${token.token}` : token.token;
    const box = h("input", { type: "text", readonly: true, value: link, onfocus: (event) => event.target.select() });
    const copy = h("button", { type: "button", class: "quiet", onclick: async () => {
      try {
        await navigator.clipboard.writeText(link);
        note("Copied.");
      } catch {
        box.focus(); // selected: copy it by hand
      }
    } }, "Copy");
    made.replaceChildren(h("div", { class: "made" },
      field(token.role === "agent" ? "The link; it is shown this once" : "The token; it is shown this once", box),
        copy));
    name.value = "";
    await list();
  }

  function line(token) {
    const over = token.revoked !== null ? `revoked ${time(token.revoked)}` : new Date(token.expires) < new Date()
      ? `expired ${time(token.expires)}` : null;
    const said = h("p", { class: "wrong", role: "alert", hidden: true });
    const revoke = h("button",
      { type: "button", class: "quiet", "aria-label": `Revoke the token of ${token.name || token.id}` }, "Revoke");
    revoke.addEventListener("click", () => busy(revoke, said, async () => {
      await api.remove(`/v1/tokens/${token.id}`);
      note("The token is revoked: it opens nothing any more.");
      await list();
    }));
    return listed(COLUMNS,
      [token.name || token.id, token.role, time(token.created), over ?? time(token.expires),
      over ? "–" : [revoke, said]]);
  }

  async function list() {
    const found = (await api.get("/v1/tokens", { session: id })).reverse();
    if (!current()) return;
    keyed(body, found, (token) => `${token.id} ${token.revoked}`, line);
    nobody.hidden = found.length > 0;
    table.hidden = found.length === 0;
  }
  list().catch(() => {});
  return { node };
}
