// Beginning a session: what can come, what can be decided, what that is worth, what may be reported, what may be paid.

import { choice, field, form, h, note } from "./dom.js";
import { percents } from "./format.js";
import { number, numberGrid } from "./number-grid.js";
import { crumbs, show } from "./shell.js";

const EXAMPLE = {
  states: ["falls", "rises"], decisions: ["stay out", "invest"], utility: [[0, 0], [-80, 100]], bound: 40,
  efforts: ["skim the headlines", "read the filings", "visit the company"],
  beliefs: [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.6, 0.4], [0.5, 0.5], [0.4, 0.6], [0.3, 0.7], [0.2, 0.8], [0.1, 0.9]],
};

const listed = (text) => text.split(/[\n,;]/).map((one) => one.trim()).filter((one) => one !== "");

export async function newSession({ api }) {
  const name = h("input", { type: "text", maxlength: 2000, autocomplete: "off" });
  const states = h("textarea", { rows: 2 }, EXAMPLE.states.join(", "));
  const decisions = h("textarea", { rows: 2 }, EXAMPLE.decisions.join(", "));
  const efforts = h("textarea", { rows: 2 }, EXAMPLE.efforts.join(", "));
  const percent = percents(EXAMPLE.beliefs);
  const menu = h("textarea", { rows: 6 },
    EXAMPLE.beliefs.map((row) => row.map((one) => percent(one).replace("%", "")).join("  ")).join("\n"));
  const bound = h("input", { type: "number", min: 0, step: "any", value: EXAMPLE.bound });
  const unit = h("input", { type: "number", min: 0, step: "any", value: 0.01 });
  const attester = choice([["principal", "you, from the work itself"],
    ["meter", "a meter: a program with a token of its own"], ["agent", "the agent: taken on trust"]]);
  const pacer = choice([["agent", "the agent, or you"], ["principal", "you alone"]]);
  const place = h("div");
  let grid = null;
  const typed = EXAMPLE.utility.map((row) => [...row]); // also of rows and columns that are not there just now
  const lay = () => {
    grid?.values().forEach((row, i) => row.forEach((value, j) => { (typed[i] ??= [])[j] = value; }));
    const made = numberGrid(listed(decisions.value), listed(states.value), typed,
      "What a decision is worth to you in each outcome", "decision");
    grid = { ...made,
      values: () => [...made.node.querySelectorAll("tbody tr")].map((row) =>
      [...row.querySelectorAll("input")].map((cell) => Number(cell.value))) };
    place.replaceChildren(made.node);
  };
  states.addEventListener("change", lay);
  decisions.addEventListener("change", lay);
  lay();

  const file = h("input", { type: "file", accept: ".json,application/json" });
  const text = h("textarea", { rows: 6, spellcheck: "false" });
  file.addEventListener("change", async () => {
    if (file.files.length) text.value = await file.files[0].text();
  });

  const begin = async (setting) => {
    const made = await api.post("/v1/sessions", {
      setting, name: name.value.trim(), unit: unit.value === "" ? null : number(unit, "Unit"),
        attester: attester.value, pacer: pacer.value,
    });
    note("The session has begun. Make a link for the agent below.");
    location.hash = `#/sessions/${made.id}`;
  };

  const filledIn = () => {
    const outcomes = listed(states.value);
    const named = listed(efforts.value);
    return {
      schema: "scorewright/setting", version: 1, beliefs: readMenu(menu.value, outcomes.length), utility: grid.read(),
      bound: number(bound, "Most paid in a round"), states: outcomes, decisions: listed(decisions.value),
        efforts: named.length ? named : null,
    };
  };

  show("New session",
    crumbs(),
    h("h1", {}, "New session"),
    h("p", { class: "lead" }, "You decide on what somebody else finds out. Say what can come, what you can decide " +
        "and what that is worth to you; payment rules follow from it, and get better with every answer. An example " +
          "is filled in."),
    h("section", { class: "card" },
      form({ label: "Begin the session", name: "New session",
        submit: () => begin(text.value.trim() ? parsed(text.value) : filledIn()) },
        field("Name", name, "for you; the agent does not see it"),
        h("div", { class: "row" }, field("What can come", states, "states, with commas between them"),
          field("What you can decide", decisions, "with commas between them")),
        place,
        h("div", { class: "row" },
          field("What the agent may report", menu,
            "a line each: the chances of the states, in their order, in per cent"),
          field("Efforts that you know of", efforts, "may be left empty: then they are found on the way")),
        h("div", { class: "row" },
          field("Most paid in a round", bound), field("Payments are multiples of", unit),
          field("Who says which effort was made", attester), field("Who opens rounds", pacer)),
        h("details", {}, h("summary", {}, "Use a file instead"),
          h("p", { class: "hint" }, "A setting or a game as scorewright writes it (JSON). If there is something " +
              "here, the fields above from “What can come” to “Most paid in a round” do not count."),
          field("File", file), field("or its text", text)))));
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("The file can't be read: it is not JSON.");
  }
}

function readMenu(text, states) {
  const rows = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  if (rows.length === 0) throw new Error("What the agent may report: give at least one line.");
  return rows.map((line) => {
    const chances = line.split(/[\s,;%]+/).filter((one) => one !== "").map(Number);
    const total = chances.reduce((sum, one) => sum + one, 0);
    if (chances.length !== states || chances.some((one) => !(one >= 0)) || Math.abs(total - 100) > 0.5) {
      throw new Error(`What the agent may report: “${line}” should be ${states} chances that make 100 together.`);
    }
    return chances.map((one) => one / total);
  });
}
