"use strict";
// The report's page: picks the tables that were computed beforehand, and draws them. Nothing is fetched.
const data = JSON.parse(document.getElementById("data").textContent);
const dark = matchMedia("(prefers-color-scheme: dark)");
const light = ["#3b6fb6", "#d9822b", "#4a9c5d", "#b4474b", "#7d5ba6", "#8a6d4f", "#c46fa3", "#6b7480", "#1f9aa8", "#a3a11f", "#2b3a8c", "#e0637a"];
const night = ["#7fb0ee", "#f0a55a", "#7fd197", "#ee8d90", "#b79be0", "#c9a888", "#e8a3cb", "#aab4bf", "#5cc8d4", "#d3d158", "#8f9df0", "#ff9db0"];
const hidden = new Set();
let order = { column: "regret", up: true };

const get = (id) => document.getElementById(id);
const colour = (learner) => (dark.matches ? night : light)[data.learners.indexOf(learner) % light.length];
const number = (x, digits = 4) => {
  if (x === null || x === undefined) return "–";
  const size = Math.abs(x);
  if (size >= 1000) return Math.round(x).toLocaleString("en");
  return String(Number(x.toPrecision(size >= 100 ? 4 : Math.min(digits, 3))));
};
const percent = (x) => (x === null ? "–" : (100 * x).toFixed(1) + "%");

function make(tag, options = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (name === "onclick") node.addEventListener("click", value);
    else node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

function svg(tag, options, text) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(options)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

function choices(id, entries, change) {
  const select = get(id);
  for (const [value, text] of entries) select.append(make("option", { value }, text));
  select.addEventListener("change", change);
}

const chosen = () => data.views[[get("group").value, get("agent").value, get("rounds").value].join("\u0001")];
const wanted = (learner) => get("learner").value === "" || get("learner").value === learner || learner === data.baseline;

function ranged(mean, low, high) {
  const cell = make("td", {}, number(mean));
  if (mean !== null) cell.append(make("span", { class: "range" }, number(low) + " to " + number(high)));
  return cell;
}

const columns = [
  ["learner", "learner", "words", (row) => {
    const swatch = make("span", { class: "swatch" });
    swatch.style.background = colour(row.learner);
    return make("td", { class: "words" }, swatch, row.learner);
  }],
  ["regret", "mean regret", "", (row) => ranged(row.regret, row.regret_low, row.regret_high)],
  ["versus", "against " + data.baseline, "", (row) =>
    row.learner === data.baseline ? make("td", {}, "baseline") : ranged(row.versus, row.versus_low, row.versus_high)],
  ["won", "better in", "", (row) => make("td", {}, percent(row.won))],
  ["exponent", "exponent, last decade", "", (row) => ranged(row.exponent, row.exponent_low, row.exponent_high)],
  ["obeyed", "compliance", "", (row) => make("td", {}, percent(row.obeyed))],
  ["paid_per_round", "paid a round", "", (row) => make("td", {}, number(row.paid_per_round))],
  ["microseconds", "µs a round", "", (row) => make("td", {}, number(row.microseconds))],
  ["cells", "cells", "", (row) => make("td", {}, String(row.cells))],
];

function board(view) {
  const table = get("board");
  table.replaceChildren();
  const head = make("tr");
  for (const [key, title, kind] of columns) {
    const arrow = order.column === key ? (order.up ? " ▲" : " ▼") : "";
    const click = () => { order = { column: key, up: order.column === key ? !order.up : true }; draw(); };
    head.append(make("th", { class: kind, "aria-sort": arrow ? (order.up ? "ascending" : "descending") : "none" },
      make("button", { onclick: click }, title + arrow)));
  }
  table.append(make("thead", {}, head));
  const body = make("tbody");
  const rows = view.leaderboard.filter((row) => wanted(row.learner));
  const side = order.up ? 1 : -1;
  rows.sort((a, b) => {
    const [x, y] = [a[order.column], b[order.column]];
    if (x === null || y === null) return (x === null) - (y === null);
    return side * (typeof x === "string" ? x.localeCompare(y) : x - y);
  });
  for (const row of rows) body.append(make("tr", { "data-learner": row.learner }, ...columns.map((column) => column[3](row))));
  table.append(body);
}

function ticks(low, high, logarithmic) {
  const found = [];
  if (logarithmic) {
    for (let d = Math.ceil(Math.log10(low) - 1e-9); d <= Math.log10(high) + 1e-9; d++) found.push(10 ** d);
    return found.length > 1 ? found : [low, high];
  }
  const rough = (high - low) / 5 || 1, size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * size).find((m) => m >= rough);
  for (let x = Math.ceil(low / step) * step; x <= high + 1e-9 * step; x += step) found.push(x);
  return found;
}

function curves(view) {
  const picture = get("curves"), logarithmic = get("axes").value === "log";
  picture.replaceChildren();
  const shown = Object.entries(view.curves).filter(([learner]) => wanted(learner) && !hidden.has(learner));
  const box = { left: 78, right: 984, top: 12, bottom: 416 };
  if (!shown.length) return;
  const all = shown.flatMap(([, line]) => [...line.mean, ...line.high]);
  const last = Math.max(...shown.map(([, line]) => line.round[line.round.length - 1]));
  const top = Math.max(...all, 1e-9);
  const positive = shown.flatMap(([, line]) => line.mean).filter((x) => x > top * 1e-6);
  const bottom = logarithmic ? Math.min(...positive, top / 10) : Math.min(0, ...shown.flatMap(([, line]) => line.low));
  const first = logarithmic ? 1 : 0;
  const scale = (low, high, from, to) => (value) => {
    const f = logarithmic ? Math.log : (v) => v;
    const inside = Math.max(value, low);
    return from + ((f(inside) - f(low)) / (f(high) - f(low) || 1)) * (to - from);
  };
  const x = scale(first, last, box.left, box.right), y = scale(bottom, top, box.bottom, box.top);
  for (const t of ticks(first, last, logarithmic)) {
    picture.append(svg("line", { class: "grid", x1: x(t), x2: x(t), y1: box.top, y2: box.bottom }));
    picture.append(svg("text", { x: x(t), y: box.bottom + 18, "text-anchor": "middle" }, number(t)));
  }
  for (const r of ticks(bottom, top, logarithmic)) {
    picture.append(svg("line", { class: "grid", x1: box.left, x2: box.right, y1: y(r), y2: y(r) }));
    picture.append(svg("text", { x: box.left - 8, y: y(r) + 4, "text-anchor": "end" }, number(r)));
  }
  picture.append(svg("line", { class: "axis", x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom }));
  picture.append(svg("text", { x: (box.left + box.right) / 2, y: 452, "text-anchor": "middle" }, "round"));
  picture.append(svg("text", { x: 16, y: 214, transform: "rotate(-90 16 214)", "text-anchor": "middle" }, "expected regret so far"));
  for (const [learner, line] of shown) {
    const up = line.round.map((t, i) => x(t) + "," + y(line.high[i]));
    const down = line.round.map((t, i) => x(t) + "," + y(line.low[i])).reverse();
    picture.append(svg("polygon", { points: [...up, ...down].join(" "), fill: colour(learner), opacity: 0.13 }));
  }
  for (const [learner, line] of shown) {
    const points = line.round.map((t, i) => x(t) + "," + y(line.mean[i])).join(" ");
    const drawn = svg("polyline", { points, fill: "none", stroke: colour(learner), "stroke-width": 2, "data-learner": learner });
    drawn.append(svg("title", {}, learner));
    picture.append(drawn);
  }
  picture.onmousemove = (event) => {
    const rect = picture.getBoundingClientRect();
    const at = (event.clientX - rect.left) * (1000 / rect.width);
    const rounds = shown[0][1].round;
    let best = 0;
    rounds.forEach((t, i) => { if (Math.abs(x(t) - at) < Math.abs(x(rounds[best]) - at)) best = i; });
    get("at").textContent = "Round " + number(rounds[best]) + ": " + shown
      .filter(([, line]) => line.round.length > best)
      .map(([learner, line]) => learner + " " + number(line.mean[best])).join(", ");
  };
}

function legend(view) {
  const place = get("legend");
  place.replaceChildren();
  for (const learner of data.learners.filter((one) => one in view.curves && wanted(one))) {
    const swatch = make("span", { class: "swatch" });
    swatch.style.background = colour(learner);
    const click = () => { if (!hidden.delete(learner)) hidden.add(learner); draw(); };
    const state = { class: hidden.has(learner) ? "off" : "", "aria-pressed": String(!hidden.has(learner)), onclick: click };
    place.append(make("button", state, swatch, learner));
  }
}

function plain(table, titles, rows, words) {
  table.replaceChildren(make("thead", {}, make("tr", {}, ...titles.map((t, i) => make("th", { class: words.has(i) ? "words" : "" }, t)))));
  const body = make("tbody");
  for (const row of rows) body.append(make("tr", {}, ...row.map((v, i) => make("td", { class: words.has(i) ? "words" : "" }, v))));
  table.append(body);
}

function losing(view) {
  const rows = view.losing.filter((row) => get("learner").value === "" || row.learner === get("learner").value);
  get("losing-note").textContent = rows.length
    ? "Cells in which a learner lost more than " + data.baseline + " did in the very same game and luck, worst first."
    : "No learner lost more than " + data.baseline + " in any cell chosen.";
  plain(get("losing"), ["learner", "game", "agent", "rounds", "repeat", "regret", "baseline's", "behind by", "compliance"],
    rows.slice(0, 40).map((row) => [row.learner, row.game, row.agent, number(row.rounds), String(row.repeat), number(row.regret),
      number(row.regret_baseline), number(row.behind), percent(row.obeyed)]), new Set([0, 1, 2]));
}

function draw() {
  const view = chosen();
  for (const id of ["board", "losing", "legend", "curves"]) if (!view) get(id).replaceChildren();
  get("board-note").textContent = view
    ? view.cells + " cells. Intervals: 95%, bootstrap over cells; against " + data.baseline + ": the difference in the same game and luck."
    : "No cell of this choice is finished.";
  if (!view) return;
  board(view); legend(view); curves(view); losing(view);
}

function begin() {
  get("title").textContent = data.name;
  get("about").textContent = data.about;
  get("facts").textContent = data.facts;
  choices("group", data.groups.map((group) => [group, group]), draw);
  choices("agent", data.agents.map((agent) => [agent, agent]), draw);
  choices("rounds", data.rounds.map((rounds) => [String(rounds), number(rounds)]), draw);
  get("rounds").value = String(data.rounds[data.rounds.length - 1]);
  choices("learner", [["", "all"], ...data.learners.map((learner) => [learner, learner])], draw);
  get("axes").addEventListener("change", draw);
  dark.addEventListener("change", draw);
  plain(get("games"), ["game", "K", "M", "W", "about"],
    data.games.map((game) => [game.label, game.efforts, game.beliefs, game.states, game.about]), new Set([0, 4]));
  get("failures-title").hidden = !data.failures.length;
  for (const failure of data.failures)
    get("failures").append(make("details", {}, make("summary", {}, failure.label + ": " + failure.error), make("pre", {}, failure.traceback)));
  draw();
}
begin();
