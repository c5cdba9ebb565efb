// The principal's pages: which one the address asks for.

import { byId } from "./dom.js";
import { newSession } from "./new-session.js";
import { round } from "./round.js";
import { session } from "./session.js";
import { sessions } from "./sessions.js";
import { failure, show, showLine, signedIn } from "./shell.js";
import { whatIf } from "./what-if.js";

const ROUTES = [
  [/^\/?$/, sessions],
  [/^\/new$/, newSession],
  [/^\/sessions\/([0-9a-f]{16})$/, session],
  [/^\/sessions\/([0-9a-f]{16})\/rounds\/(\d{1,15})$/, round],
  [/^\/sessions\/([0-9a-f]{16})\/what-if$/, whatIf],
];

const api = signedIn("principal");
let close = null;
let turn = 0;

async function go(first = false) {
  if (location.hash === "#main") {
    byId("main").focus();
    return;
  }
  const address = location.hash.slice(1);
  const found = ROUTES.map(([pattern, view]) => [pattern.exec(address), view]).find(([match]) => match);
  const mine = ++turn;
  close?.();
  close = null;
  showLine(null);
  if (!found) {
    location.replace("#/");
    return;
  }
  try {
    const ended = await found[1]({ api, current: () => mine === turn }, ...found[0].slice(1));
    if (mine === turn) close = ended ?? null;
    else ended?.();
  } catch (problem) {
    if (mine === turn && problem.status !== 401) show("Not here", failure(problem));
    if (problem.status === undefined) throw problem;
  }
  if (mine === turn && !first) {
    window.scrollTo(0, 0);
    byId("main").focus({ preventScroll: true });
  }
}

if (api) {
  window.addEventListener("hashchange", () => go());
  go(true);
}
