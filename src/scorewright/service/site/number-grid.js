// A table of numbers to fill in: decisions down, states across.

import { h } from "./dom.js";

export function numberGrid(rows, columns, values, what, corner) {
  const cells = rows.map((row, r) => columns.map((column, c) =>
    h("input", { type: "number", step: "any", required: true, value: values[r]?.[c] ?? 0,
      "aria-label": `${what}: ${row}, ${column}` })));
  const node = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": what },
    h("table", { class: "grid-of-numbers" }, h("caption", {}, what),
      h("thead", {}, h("tr", {}, h("td", { class: "words soft" }, corner),
        columns.map((column) => h("th", { scope: "col" }, column)))),
      h("tbody", {}, rows.map((row, r) =>
        h("tr", {}, h("th", { scope: "row", class: "words" }, row), cells[r].map((cell) => h("td", {}, cell)))))));
  const read = () => cells.map((row) => row.map((cell) => number(cell, cell.getAttribute("aria-label"))));
  return { node, read };
}

export function number(input, what) {
  const value = input.value.trim() === "" ? NaN : Number(input.value);
  if (!Number.isFinite(value)) {
    input.focus();
    throw new Error(`${what}: give a number.`);
  }
  return value;
}
