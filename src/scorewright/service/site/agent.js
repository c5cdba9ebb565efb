// The agent's page: the open offer in words, an answer, and what it has been paid. It asks for nothing else.

import { busy, byId, card, choice, field, form, h, keyed, listed, listing, note } from "./dom.js";
import { count, money, names, plural, reportWords, time } from "./format.js";
import { refresher } from "./live.js";
import { inWords, isCurve, menuOrder, ruleCurve, ruleTable } from "./rule.js";
import { show, showLine, signedIn } from "./shell.js";

const PAGE = 20;
const RADIOS = 12;
const COLUMNS = [["Round", "words"], ["You reported", "words"], ["What came", "words"], ["Payment", "wrap"]];

const api = signedIn("agent");

function offerPart() {
  const body = h("div", {}, h("p", { class: "soft" }, "…"));
  const node = card("The offer", {}, body);
  let drawn = null;

  const write = async (path, content, said) => {
    try {
      await api.post(path, content);
      note(said);
    } catch (problem) {
      if (problem.status === 409) note(problem.detail); // the form may be gone by the time that it is read
      throw problem;
    } finally {
      soon();
    }
  };

  function nothing(asks) {
    const said = h("p", { class: "wrong", role: "alert", hidden: true });
    const ask = h("button", { type: "button", class: "main" }, "Ask for an offer");
    ask.addEventListener("click", () => busy(ask, said, async () => {
      await api.post("/v1/agent/offer");
      soon();
    }));
    body.replaceChildren(
      h("p", {}, asks ? "There is no open offer. Ask for the next one, or wait: it appears here by itself."
        : "There is no open offer. The next one appears here by itself."),
      asks ? h("div", { class: "actions" }, ask) : "", said);
  }

  function reported(offer) {
    body.replaceChildren(h("p", {}, `Round ${count(offer.round)}: a report has been made. The round is closed when ` +
        `the effort has been attested; the next offer appears here by itself.`));
  }

  function open(offer) {
    const { terms, payments, round } = offer;
    const amount = money(offer.unit);
    const words = h("output", { class: "words-of-offer", "aria-live": "polite" });
    const menu = reports(offer, amount, (row) => {
      words.textContent = row === null ? "Choose what to report."
        : inWords(terms.beliefs[row], payments[row], terms, amount);
    });
    const effort = offer.attests ? effortField(terms) : null;
    const reason = h("input", { type: "text", maxlength: 2000, autocomplete: "off" });
    body.replaceChildren(
      offer.about ? h("p", { class: "lead" }, offer.about) : "",
      h("p", {}, h("span", { class: "soft" }, `Round ${count(round)}, since ${time(offer.opened)}. `),
        "Find out what you can, and report what you then believe. What you are paid depends on your report and on " +
            "what comes; the rule is made so that no other report pays you more, on average, than the one that you " +
              "believe."),
      form({ label: "Send this report", name: "Answer the offer", submit: async () => {
        const report = menu.read();
        await write(`/v1/agent/rounds/${round}/answer`, { report, effort: effort?.read() ?? null },
          `Your report of round ${count(round)} is in.`);
      } }, menu.node, words, effort?.field),
      h("details", {}, h("summary", {}, "Decline this offer"),
        form({ label: "Decline", quiet: true, name: "Decline the offer",
          submit: () => write(`/v1/agent/rounds/${round}/decline`, { reason: reason.value.trim() || null },
            "You declined; nothing is paid for this round.") },
        h("p", { class: "hint" }, "Nothing is paid for a round that you decline."),
          field("Reason (may be left empty)", reason))),
      h("details", { open: true }, h("summary", {}, "All that this offer pays"),
        isCurve(payments) ? ruleCurve(payments, terms, amount, "The offer") : "",
        ruleTable(payments, terms, amount, { caption: "What each report pays, by what comes" })));
    menu.tell();
  }

  return {
    node,
    update({ offer, asks }) {
      const state = offer === null ? `none ${asks}` : `${offer.round} ${offer.reported}`;
      if (state === drawn) return;
      drawn = state;
      if (offer === null) nothing(asks);
      else if (offer.reported) reported(offer);
      else open(offer);
    },
  };
}

function effortField(terms) {
  const input = terms.efforts ? choice([["", "choose …"], ...terms.efforts.map((name, which) => [which, name])])
    : h("input", { type: "text", autocomplete: "off" });
  return {
    field: field("The effort that you made", input, "say it as it was: the offers to come are made from it"),
    read() {
      const said = input.value.trim();
      if (said === "") throw new Error("Say which effort you made.");
      return terms.efforts || /^\d+$/.test(said) ? Number(said) : said;
    },
  };
}

// How a report is chosen: from a short menu; as a probability where there are two states; else from a list.
function reports({ terms, payments }, amount, chosen) {
  const { state } = names(terms);
  const two = terms.beliefs[0].length === 2;
  if (terms.beliefs.length <= RADIOS) {
    const order = menuOrder(terms);
    const radios = order.map((row) => h("input", { type: "radio", name: "report", value: row }));
    const picked = () => radios.find((radio) => radio.checked);
    const tell = () => chosen(picked() ? Number(picked().value) : null);
    return {
      node: h("fieldset", { class: "menu", onchange: tell }, h("legend", {}, "What do you believe?"),
        order.map((row, at) => h("label", {}, radios[at], h("span", {}, reportWords(terms.beliefs[row], terms))))),
      tell,
      read() {
        if (!picked()) throw new Error("Choose what to report.");
        return Number(picked().value);
      },
    };
  }
  if (two) {
    const input = h("input", { type: "number", min: 0, max: 100, step: "any", inputmode: "decimal", value: 50 });
    const slide = h("input",
      { type: "range", min: 0, max: 100, step: 0.5, value: 50, "aria-label": `Chance of ${state(1)}, per cent` });
    const counted = h("p", { class: "hint" });
    const belief = () => {
      const chance = input.value === "" ? NaN : Number(input.value);
      if (!(chance >= 0 && chance <= 100)) throw new Error("Give a chance from 0 to 100.");
      return [1 - chance / 100, chance / 100];
    };
    const tell = () => {
      try {
        const said = belief();
        const row = rowOf(said, terms, payments);
        chosen(row);
        counted.textContent = terms.beliefs[row][1] === said[1] ? ""
          : `It is sent as the report of the menu that pays best at your belief: ` +
            `${reportWords(terms.beliefs[row], terms)}.`;
      } catch {
        chosen(null);
      }
    };
    input.addEventListener("input", () => {
      slide.value = input.value;
      tell();
    });
    slide.addEventListener("input", () => {
      input.value = slide.value;
      tell();
    });
    return { node: h("div", { class: "chance" }, field(`How likely is “${state(1)}”, in per cent?`, input), slide,
      counted), tell, read: () => rowOf(belief(), terms, payments) };
  }
  const input = choice([["", "choose …"], ...terms.beliefs.map((belief, row) => [row, reportWords(belief, terms)])]);
  const picked = () => (input.value === "" ? null : Number(input.value));
  const tell = () => chosen(picked());
  input.addEventListener("change", tell);
  return { node: field("What do you believe?", input), tell,
    read() {
      if (picked() === null) throw new Error("Choose what to report.");
      return picked();
    } };
}

// The report of the menu for a belief: the one that pays best at it, and of those that pay alike the nearest.
function rowOf(said, terms, payments) {
  const pays = payments.map((row) => row.reduce((sum, pay, state) => sum + pay * said[state], 0));
  const best = pays.reduce((most, pay) => Math.max(most, pay), -Infinity);
  const away = terms.beliefs.map((row, at) =>
    (pays[at] < best - 1e-9 * Math.max(1, Math.abs(best)) ? Infinity : Math.abs(row[1] - said[1])));
  return away.indexOf(away.reduce((least, one) => Math.min(least, one), Infinity));
}

function paymentsPart() {
  const body = h("tbody");
  const nothing = h("p", { class: "soft" }, "No report of yours yet. What each one pays is listed here.");
  const more = h("button", { type: "button", class: "quiet", hidden: true }, "Earlier rounds");
  const sum = h("p", { class: "hint" });
  const table = listing("Your payments", COLUMNS, body, { hidden: true });
  const node = card("Your payments", {}, nothing, table, sum, more);
  let older = [];
  let known = null;

  function line(one) {
    const { terms, amount } = known;
    const { state } = names(terms);
    const belief = terms.beliefs[one.row];
    const pending = one.pays.map((pay, which) => `${amount(pay)} if ${state(which)}`).slice(0, 4).join(", ");
    const came = one.status === "settled" ? state(one.state) : one.status === "abandoned" ? "given up"
      : "not known yet";
    const payment = one.status === "settled" ? h("strong", {}, amount(one.payment))
      : h("span", { class: "soft" }, one.status === "abandoned" ? "nothing" : pending);
    return listed(COLUMNS, [count(one.round), reportWords(belief, terms), came, payment]);
  }

  function fill(newest) {
    const first = newest.at(-1)?.round ?? 0;
    older = older.filter((one) => one.round < first);
    const all = [...newest, ...older];
    keyed(body, all, (one) => `${one.round} ${one.status}`, line);
    nothing.hidden = all.length > 0;
    table.hidden = all.length === 0;
    const settled = all.filter((one) => one.status === "settled");
    const total = settled.reduce((so, one) => so + one.payment, 0);
    sum.textContent = settled.length
      ? `Paid for the ${plural(settled.length, "settled round")} shown: ${known.amount(total)}.` : "";
    more.hidden = (older.length ? last : newest.length) < PAGE;
  }

  let last = PAGE;
  let newest = [];
  more.addEventListener("click", async () => {
    const from = (older.at(-1) ?? newest.at(-1)).round;
    const found = await api.get("/v1/agent/payments/latest", { before: from, most: PAGE });
    last = found.length;
    older.push(...found);
    fill(newest);
    more.hidden = found.length < PAGE;
  });
  return {
    node,
    async look({ terms, unit }) {
      known ??= { terms, amount: money(unit) };
      newest = await api.get("/v1/agent/payments/latest", { most: PAGE });
      fill(newest);
    },
  };
}

let soon = () => {};

async function start() {
  const offer = offerPart();
  const payments = paymentsPart();
  show("Your offer", h("h1", {}, "Your offer"), h("div", { class: "columns agent" }, offer.node, payments.node));
  let desk = null;
  let later = null;
  const look = async () => {
    clearTimeout(later);
    try {
      desk = await api.get("/v1/agent");
      offer.update(desk);
      await payments.look(desk);
      document.documentElement.dataset.drawn = "agent";
      // The stream does not say when an effort is attested, or when another agent was faster.
      if (desk.offer) later = setTimeout(() => !document.hidden && soon(), desk.offer.reported ? 2000 : 10000);
    } catch (problem) {
      if (problem.status === undefined) throw problem;
      if (problem.status !== 401) showLine(problem.status === 0 ? "lost" : problem);
    }
  };
  soon = refresher(look);
  await look();
  if (desk) api.watch("/v1/agent/events", desk.events, () => soon(), (state) => {
    showLine(state);
    if (state === "live") soon();
  });
}

if (api) {
  window.addEventListener("hashchange", () => location.hash === "#main" && byId("main").focus());
  start();
}
