// What the principal's and the agent's pages share: who is signed in, the state of the line, and what happens when it
// ends.

import { Api } from "./api.js";
import { byId, h } from "./dom.js";
import { leave, take } from "./token.js";

// Return the API for this role's token, or go to where one signs in.
export function signedIn(role) {
  const token = take(role);
  if (token === null) {
    leave();
    return null;
  }
  byId("leave").addEventListener("click", () => leave());
  window.addEventListener("hashchange", () => {
    if (new URLSearchParams(location.hash.slice(1)).has("token")) location.reload(); // another link, opened in this tab
  });
  return new Api(token, (problem) => leave(`${problem.detail} Sign in again, or ask for a new link.`));
}

// The state of the event stream, in words.
export function showLine(state) {
  const place = byId("line");
  const words = { live: "Live", lost: "Connection lost; trying again …" };
  const text = state === null ? "" : words[state] ?? state.detail;
  if (place.textContent !== text) place.textContent = text;
  place.dataset.state = typeof state === "string" ? state : state === null ? "" : "over";
}

export function show(title, ...children) {
  document.title = `${title} · scorewright`;
  const main = byId("main");
  main.replaceChildren(...children);
  return main;
}

export const failure = (problem) =>
  h("section", { class: "card" }, h("h1", {}, problem.status === 404 ? "Not here" : "This did not work"),
    h("p", { class: "wrong", role: "alert" }, problem.detail ?? problem.message));

// Where one is: in the list of sessions, or in one of them.
export const crumbs = (session) =>
  h("nav", { "aria-label": "You are here", class: "crumbs" }, h("a", { href: "#/" }, "Sessions"),
    session ? [" / ", h("a", { href: `#/sessions/${session.id}` }, session.name || session.id)] : null);
