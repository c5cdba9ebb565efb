// Curves and intervals in SVG, drawn to the width that there is.

import { h, s } from "./dom.js";
import { figure } from "./format.js";

const HEIGHT = 240;
const ROOM = { top: 10, right: 14, bottom: 40 };

export function ticks(low, high, wanted, whole = false) {
  const rough = Math.max((high - low) / Math.max(1, wanted), whole ? 1 : 0);
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 2.5, 5, 10].find((one) => one * power >= rough * 0.999);
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + 1e-9 * step; at++) found.push(at * step + 0); // no -0
  return found;
}

const widest = (texts) => Math.max(...texts.map((text) => text.length)) * 6.6;

// A chart of lines, drawn by `update({ series: [{ name, points: [[x, y], …], dashed }], xLabel, yLabel, label, … })`.
export function lineChart({ height = HEIGHT } = {}) {
  const stage = h("div", { class: "stage" });
  const legend = h("ul", { class: "legend" });
  const readout = h("p", { class: "readout", "aria-hidden": "true" }, " ");
  const measure = h("p", { class: "measure", "aria-hidden": "true" });
  const node = h("figure", { class: "chart" }, legend, measure, stage, readout);
  let spec = null;
  let width = 0;
  const redraw = () => spec && width > 0 && draw(stage, readout, spec, width, height);
  new ResizeObserver(([entry]) => {
    const found = Math.floor(entry.contentRect.width);
    if (found !== width) {
      width = found;
      redraw();
    }
  }).observe(stage);
  return {
    node,
    update(next) {
      spec = next;
      legend.replaceChildren(
        ...next.series.map((one, at) =>
          h("li", {}, h("span", { class: `swatch tone-${at + 1}${one.dashed ? " dashed" : ""}` }), one.name)),
      );
      legend.hidden = next.series.length < 2;
      measure.textContent = next.yLabel;
      redraw();
    },
  };
}

function range(values, { zero }) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (zero) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
  if (!(high > low)) [low, high] = [low - (Math.abs(low) || 1) * (low > 0 || zero ? 0 : 0.5),
    high + (Math.abs(high) || 1)];
  return [low, high];
}

function draw(stage, readout, spec, width, height) {
  const xFormat = spec.xFormat ?? figure;
  const yFormat = spec.yFormat ?? figure;
  const [xLow, xHigh] = spec.xRange ?? range(spec.series.flatMap((one) => one.points.map(([x]) => x)), {});
  const [yLow, yHigh] = range(spec.series.flatMap((one) => one.points.map(([, y]) => y)), { zero: true });
  const yTicks = ticks(yLow, yHigh, 4);
  const left = Math.ceil(widest(yTicks.map(yFormat))) + 14;
  const inner = Math.max(40, width - left - ROOM.right);
  const deep = height - ROOM.top - ROOM.bottom;
  const xAt = (x) => left + (inner * (x - xLow)) / (xHigh - xLow);
  const yAt = (y) => ROOM.top + deep * (1 - (y - yLow) / (yHigh - yLow));
  const sample = ticks(xLow, xHigh, 8, spec.xWhole).map(xFormat);
  const xTicks = ticks(xLow, xHigh, Math.max(2, Math.min(8, Math.floor(inner / (widest(sample) + 26)))), spec.xWhole);
  const cursor = s("line", { class: "cursor", y1: ROOM.top, y2: ROOM.top + deep, visibility: "hidden" });
  const picture = s(
    "svg",
    { width, height, role: "img", "aria-label": spec.label },
    yTicks.map((tick) => [
      s("line", { class: tick === 0 ? "axis" : "grid", x1: left, x2: left + inner, y1: yAt(tick), y2: yAt(tick) }),
      s("text", { x: left - 8, y: yAt(tick) + 4, "text-anchor": "end" }, yFormat(tick)),
    ]),
    s("line", { class: "axis", x1: left, x2: left + inner, y1: ROOM.top + deep, y2: ROOM.top + deep }),
    xTicks.map((tick) => [
      s("line", { class: "axis", x1: xAt(tick), x2: xAt(tick), y1: ROOM.top + deep, y2: ROOM.top + deep + 4 }),
      s("text", { x: xAt(tick), y: ROOM.top + deep + 18, "text-anchor": anchor(tick, xLow, xHigh) }, xFormat(tick)),
    ]),
    s("text", { class: "name", x: left + inner / 2, y: height - 4, "text-anchor": "middle" }, spec.xLabel),
    spec.series.map((one, at) => [
      s("polyline", {
        class: `line tone-${at + 1}${one.dashed ? " dashed" : ""}${spec.loose ? " loose" : ""}`,
        points: one.points.map(([x, y]) => `${xAt(x).toFixed(1)},${yAt(y).toFixed(1)}`).join(" "),
      }),
      one.points.length <= (spec.loose ? 120 : 24)
        ? one.points.map(([x, y]) => s("circle", { class: `dot tone-${at + 1}`, cx: xAt(x), cy: yAt(y), r: 2.75 }))
        : null,
    ]),
    cursor,
  );
  picture.addEventListener("pointermove", (event) => {
    const x = xLow + ((event.offsetX - left) / inner) * (xHigh - xLow);
    const base = spec.series[0]?.points ?? [];
    if (!base.length) return;
    const at = nearest(base, x);
    cursor.setAttribute("x1", xAt(base[at][0]));
    cursor.setAttribute("x2", xAt(base[at][0]));
    cursor.setAttribute("visibility", "visible");
    const values = spec.series.map((one) =>
      `${one.name} ${yFormat(one.points[Math.min(at, one.points.length - 1)][1])}`);
    readout.textContent = `${spec.xName ?? spec.xLabel} ${xFormat(base[at][0])}: ${values.join(" · ")}`;
  });
  picture.addEventListener("pointerleave", () => {
    cursor.setAttribute("visibility", "hidden");
    readout.textContent = " ";
  });
  stage.replaceChildren(picture);
  // benchmarks/dashboard.py reads it
  if (performance.getEntriesByName("picture").length === 0) performance.mark("picture");
}

const anchor = (tick, low, high) =>
  (tick - low < 0.02 * (high - low) ? "start" : high - tick < 0.02 * (high - low) ? "end" : "middle");

function nearest(points, x) {
  let best = 0;
  points.forEach(([at], index) => {
    if (Math.abs(at - x) < Math.abs(points[best][0] - x)) best = index;
  });
  return best;
}

// Rows of intervals on one axis: [{ name, value, low, high, text }]; a row without a value is not known yet.
export function intervals(rows, label) {
  const known = rows.filter((row) => row.value !== null);
  const [low, high] = range(known.flatMap((row) => [row.low ?? row.value, row.high ?? row.value]), { zero: true });
  const pad = 0.04 * (high - low);
  const at = (value) => `${((100 * (value - low + pad)) / (high - low + 2 * pad)).toFixed(2)}%`;
  return h(
    "ul",
    { class: "intervals", "aria-label": label },
    rows.map((row) =>
      h(
        "li",
        {},
        h("span", { class: "who" }, row.name),
        row.value === null
          ? h("span", { class: "track none" }, "not known yet")
          : s(
              "svg",
              { class: "track", height: 22, "aria-hidden": "true" },
              s("line", { class: "grid", x1: "0%", x2: "100%", y1: 11, y2: 11 }),
              s("line", { class: "axis", x1: at(0), x2: at(0), y1: 2, y2: 20 }),
              s("line", { class: "whisker", x1: at(row.low), x2: at(row.high), y1: 11, y2: 11 }),
              s("circle", { class: "dot tone-1", cx: at(row.value), cy: 11, r: 4.5 }),
            ),
        h("span", { class: "value" }, row.text),
      ),
    ),
  );
}

// Bars with whiskers, all on the scale 0 to 1: [{ name, share, low, high }].
export function bars(columns, label) {
  const deep = 64;
  const step = 100 / columns.length;
  const y = (share) => deep - deep * Math.min(1, share);
  const named = columns.length <= 10;
  return s(
    "svg",
    { class: "bars", height: deep + (named ? 20 : 6), role: "img", "aria-label": label },
    s("line", { class: "grid", x1: "0%", x2: "100%", y1: 0.5, y2: 0.5 }),
    columns.map((one, at) => [
      s("rect", { class: "bar", x: `${at * step + 0.18 * step}%`, width: `${0.64 * step}%`, y: y(one.share),
        height: deep * Math.min(1, one.share) },
        s("title", {}, `${one.name}: ${one.text}`)),
      s("line", { class: "whisker thin", x1: `${(at + 0.5) * step}%`, x2: `${(at + 0.5) * step}%`, y1: y(one.low),
        y2: y(one.high) }),
      named ? s("text", { x: `${(at + 0.5) * step}%`, y: deep + 15, "text-anchor": "middle" }, one.short) : null,
    ]),
    s("line", { class: "axis", x1: "0%", x2: "100%", y1: deep, y2: deep }),
  );
}
