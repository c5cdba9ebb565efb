// The rounds, the newest first, a page at a time.

import { card, h, keyed, listed, listing } from "./dom.js";
import { count, figure, money, names, reportWords } from "./format.js";

export const PAGE = 10;
const COLUMNS = [["Round", "words"], ["Status", "words"], ["Aimed at", "words"], ["Effort made", "words"],
  ["Report", "words"], ["Came", "words"], ["Utility", null], ["Payment", null]];

export const STATUS = { open: "open", answered: "to settle", settled: "settled", abandoned: "abandoned" };

export function roundsCard({ api, path, standing, current }) {
  const body = h("tbody");
  const newer = h("button", { type: "button", class: "quiet" }, "Newest");
  const older = h("button", { type: "button", class: "quiet" }, "Older");
  const nothing = h("p", { class: "soft" }, "No round has been opened yet.");
  const number = h("input",
    { type: "number", min: 1, inputmode: "numeric", "aria-label": "Round number", placeholder: "round" });
  const jump = h("form", {
    class: "jump", "aria-label": "Go to a round",
    onsubmit: (event) => {
      event.preventDefault();
      if (number.value) location.hash = `#/sessions/${standing().id}/rounds/${Number(number.value)}`;
    },
  }, number, h("button", { type: "submit", class: "quiet" }, "Go"));
  const table = listing("Rounds", COLUMNS, body);
  const pages = h("div", { class: "actions" }, newer, older, jump);
  const node = card("Rounds", {}, nothing, table, pages);
  let before = null; // null: the newest, kept up to date
  let last = [];

  function line(one) {
    const { setting, unit, id } = standing();
    const name = names(setting, setting.decisions);
    return listed(COLUMNS, [
      h("a", { href: `#/sessions/${id}/rounds/${one.round}` }, count(one.round)),
      h("span", { class: `status ${one.status}` }, STATUS[one.status]),
      name.effort(one.target),
      name.effort(one.effort),
      one.row === null ? "–" : reportWords(setting.beliefs[one.row], setting),
      name.state(one.state),
      one.utility === null ? "–" : figure(one.utility),
      one.payment === null ? "–" : money(unit)(one.payment),
    ]);
  }

  function fill(found) {
    last = found;
    keyed(body, found, (one) => `${one.round} ${one.status} ${one.row} ${one.effort}`, line);
    nothing.hidden = found.length > 0;
    table.hidden = pages.hidden = found.length === 0;
    newer.hidden = before === null;
    older.hidden = found.length === 0 || found.at(-1).round <= 1;
  }

  const turn = async (to) => {
    before = to;
    const found = await api.get(`${path}/latest`, { before: to, most: PAGE });
    if (current()) fill(found);
  };
  newer.addEventListener("click", () => turn(null));
  older.addEventListener("click", () => turn(last.at(-1).round));
  return { node, latest: (found) => before === null && fill(found) };
}
