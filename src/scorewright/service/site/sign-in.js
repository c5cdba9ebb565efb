// Signing in: with a token, by hand. A link that carries one leads straight to its role's page.

import { byId, field, form, h } from "./dom.js";
import { keep, kept, roleOf, why } from "./token.js";

const given = new URLSearchParams(location.hash.slice(1)).get("token");
history.replaceState(null, "", location.pathname);

function enter(token) {
  const role = roleOf(token);
  if (role === null) throw new Error("This is not a token: one begins with sw_principal_ or sw_agent_.");
  if (role === "meter" || role === "monitor") {
    throw new Error(`This is the token of a ${role}, which is a program's: there is no page for it. It is for the ` +
        `API.`);
  }
  keep(token);
  location.replace(`/${role}`);
}

const box = h("input",
  { type: "password", autocomplete: "off", spellcheck: "false", required: true, placeholder: "sw_…" });
const said = why();
byId("main").replaceChildren(
  h("section", { class: "card sign-in" },
    h("h1", {}, "Sign in"),
    said ? h("p", { class: "wrong", role: "alert" }, said) : null,
    h("p", {}, "Open the link that you were sent, or paste the token that you were given. It is kept in this tab " +
        "only, until you close it or sign out."),
    form({ label: "Sign in", name: "Sign in", submit: () => enter(box.value.trim()) }, field("Token", box)),
  ),
);

const token = given?.trim() ?? kept(); // a link's, or this tab's own
if (token !== null) {
  try {
    enter(token);
  } catch (problem) {
    byId("main").querySelector("p").before(h("p", { class: "wrong", role: "alert" }, problem.message));
  }
}
