// All sessions, the newest first.

import { h, keyed, listed, listing } from "./dom.js";
import { count, figure, money, time } from "./format.js";
import { show } from "./shell.js";

const PAGE = 20;
const COLUMNS = [["Session", "words"], ["Begun", "words"], ["Rounds", null], ["To settle", null], ["Paid", null],
  ["Profit", null]];

export async function sessions({ api, current }) {
  const found = await api.get("/v1/recent-sessions", { most: PAGE });
  if (!current()) return;
  const head = h("div", { class: "head" }, h("h1", {}, "Sessions"),
    h("a", { class: "button main", href: "#/new" }, "New session"));
  if (found.length === 0) {
    show("Sessions", head, h("section", { class: "card empty" },
      h("p", {}, "There is no session yet. A session offers payment rules to an agent, round by round, and learns " +
          "what to pay from the answers."),
      h("p", {}, h("a", { href: "#/new" }, "Begin the first one"))));
    return;
  }
  const body = h("tbody");
  const more = h("button", { type: "button", class: "quiet" }, "Older sessions");
  const shown = [];
  const add = (entries) => {
    shown.push(...entries);
    keyed(body, shown, (entry) => entry.id, (entry) => row(entry));
    more.hidden = entries.length < PAGE;
    fillIn(api, entries, body, current);
  };
  more.addEventListener("click",
    async () => add(await api.get("/v1/recent-sessions", { before: shown.at(-1).id, most: PAGE })));
  show("Sessions", head, h("section", { class: "card" },
    listing("Sessions", COLUMNS, body),
    more));
  add(found);
}

const row = (entry) =>
  listed(COLUMNS, [
    h("a", { href: `#/sessions/${entry.id}` }, entry.name || entry.id),
    h("span", { class: "soft" }, time(entry.created)),
    ...["rounds", "awaiting", "paid", "profit"].map((name) => h("span", { "data-of": name }, "…")),
  ]);

// The figures come one session at a time, so that the list is there at once.
async function fillIn(api, entries, body, current) {
  for (const entry of entries) {
    if (!current()) return;
    let texts;
    try {
      const now = await api.get(`/v1/sessions/${entry.id}`);
      texts = { rounds: count(now.rounds), awaiting: count(now.awaiting), paid: money(now.unit)(now.paid),
        profit: figure(now.utility - now.paid) };
    } catch {
      texts = { rounds: "–", awaiting: "–", paid: "–", profit: "–" };
    }
    const line = [...body.children].find((node) => node.dataset.key === entry.id);
    for (const [name, text] of Object.entries(texts)) line.querySelector(`[data-of=${name}]`).textContent = text;
  }
}
