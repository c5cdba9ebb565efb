// One session, live.

import { h } from "./dom.js";
import { handOverCard } from "./hand-over.js";
import { learnedCard } from "./learned-card.js";
import { refresher } from "./live.js";
import { figuresStrip, moneyCard } from "./money-card.js";
import { offerCard } from "./offer-card.js";
import { PAGE, roundsCard } from "./rounds-card.js";
import { FIRST, settleCard } from "./settle-card.js";
import { crumbs, show, showLine } from "./shell.js";
import { standingOf } from "./standing.js";

export async function session({ api, current }, id) {
  const path = `/v1/sessions/${id}`;
  const ask = (queries) => {
    const asked = Object.fromEntries(["learned", "history", "latest",
      "awaiting"].map((name) => [name, api.get(`${path}/${name}`, queries[name])]));
    for (const part of Object.values(asked)) part.catch(() => {}); // looked at below
    return asked;
  };
  const parts = ask({ awaiting: { most: FIRST }, latest: { most: PAGE } });
  let standing = await standingOf(api, path);
  if (!current()) return;
  const soon = refresher(async () => {
    if (!current()) return;
    await look();
  });
  const here = { api, path, standing: () => standing, soon, current };
  const cards = {
    figures: figuresStrip(here), offer: offerCard(here), settle: settleCard(here), money: moneyCard(here),
    learned: learnedCard(here), rounds: roundsCard(here), hand: handOverCard(here),
  };
  const kept = { attester: { principal: "you attest the efforts", meter: "a meter attests the efforts",
    agent: "the agent attests its own efforts" } };
  show(standing.name || "Session",
    crumbs(),
    h("div", { class: "head" },
      h("div", {}, h("h1", {}, standing.name || `Session ${id}`),
        h("p", { class: "soft" },
          `${standing.learner} · payments in units of ${standing.unit} · ${kept.attester[standing.attester]}`)),
      h("a", { class: "button", href: `#/sessions/${id}/what-if` }, "What if …")),
    cards.figures.node,
    h("div", { class: "columns" },
      h("div", {}, cards.offer.node, cards.settle.node),
      h("div", {}, cards.money.node, cards.learned.node)),
    cards.rounds.node,
    cards.hand.node);

  const failed = (problem) => problem.status !== 401 && here.current()
    && showLine(problem.status === 0 ? "lost" : problem);
  const tell = (name, data) => {
    if (!current()) return;
    for (const one of Object.values(cards)) one[name]?.(data, standing);
  };
  const spread = (asked) =>
    Object.entries(asked).map(([name, part]) => part.then((data) => tell(name, data)).catch(failed));
  async function look() {
    try {
      standing = await standingOf(api, path);
    } catch (problem) {
      failed(problem);
      return;
    }
    tell("standing", standing);
    await Promise.all(spread(ask({ awaiting: cards.settle.query(), latest: { most: PAGE } })));
  }
  tell("standing", standing);
  await Promise.all(spread(parts));
  if (!current()) return;
  performance.mark("whole");
  document.documentElement.dataset.drawn = id;
  return api.watch(`${path}/events`, standing.events, () => soon(), (state) => {
    showLine(state);
    if (state === "live") soon();
  });
}
