// Building the page. Text only ever becomes text: there is no markup in strings anywhere, and the policy forbids it.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export const h = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);

export const s = (tag, properties, ...children) => fill(document.createElementNS(SVG, tag), properties, children);

export const byId = (id) => document.getElementById(id);

// Let a container show these items: nodes of items that stay are kept, with whatever is being typed into them.
export function keyed(container, items, key, make) {
  const before = new Map([...container.children].map((node) => [node.dataset.key, node]));
  let at = container.firstElementChild;
  for (const item of items) {
    const name = String(key(item));
    let node = before.get(name);
    before.delete(name);
    if (node === undefined) {
      node = make(item);
      node.dataset.key = name;
      container.insertBefore(node, at);
    } else if (node === at) {
      at = at.nextElementSibling;
    } else {
      container.insertBefore(node, at);
    }
  }
  for (const node of before.values()) node.remove();
}

// A table of things that becomes a list of cards on a narrow screen: columns are [name, class].
export function listing(label, columns, body, properties) {
  const head = columns.map(([name, kind]) => h("th", { scope: "col", class: kind }, name));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label, ...properties },
    h("table", { class: "listing" }, h("thead", {}, h("tr", {}, head)), body));
}

export function listed(columns, cells) {
  return h("tr", {}, cells.map((cell, at) => {
    const node = h(at === 0 ? "th" : "td",
      { scope: at === 0 ? "row" : null, class: columns[at][1], "data-name": columns[at][0],
      "data-none": cell === "–" });
    node.append(...[cell].flat());
    return node;
  }));
}

// A labelled field; the input may be an input, a select or a textarea.
let fields = 0;
export function field(label, input, hint) {
  input.id ||= `field-${++fields}`;
  const about = hint ? h("span", { class: "hint", id: `${input.id}-hint` }, hint) : null;
  if (about) input.setAttribute("aria-describedby", about.id);
  return h("div", { class: "field" }, h("label", { for: input.id }, label), input, about);
}

export const choice = (options, properties) =>
  h("select", properties, options.map(([value, text]) => h("option", { value }, text)));

// A form whose button is busy while it works, and that says what went wrong beside it.
export function form({ label, submit, quiet = false, name, secondary = [] }, ...children) {
  const button = h("button", { type: "submit", class: quiet ? "quiet" : "main" }, label);
  const said = h("p", { class: "wrong", role: "alert", hidden: true });
  return h(
    "form",
    {
      "aria-label": name,
      novalidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        await busy(button, said, () => submit(event.target));
      },
    },
    ...children,
    h("div", { class: "actions" }, button, secondary),
    said,
  );
}

export async function busy(button, said, work) {
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  said.hidden = true;
  try {
    await work();
  } catch (problem) {
    said.textContent = problem.detail ?? problem.message;
    said.hidden = false;
  } finally {
    button.removeAttribute("aria-disabled");
  }
}

export const card = (title, properties, ...children) => {
  const id = `card-${++fields}`;
  return h("section", { class: "card", "aria-labelledby": id, ...properties }, h("h2", { id }, title), ...children);
};

// Say something that comes and goes, to the eye and to a screen reader.
export function note(text) {
  const place = byId("notes");
  const line = h("p", {}, text);
  place.append(line);
  setTimeout(() => line.remove(), 6000);
}
