// The token: it comes in the address's fragment or from the sign-in form, and is kept for this tab only.

const KEY = "scorewright.token";

export const ROLES = ["principal", "agent", "meter", "monitor"];

export const roleOf = (token) => ROLES.find((role) => token.startsWith(`sw_${role}_`)) ?? null;

export const keep = (token) => sessionStorage.setItem(KEY, token);

export const kept = () => sessionStorage.getItem(KEY);

export const forget = () => sessionStorage.removeItem(KEY);

// Take a token out of the address, where it would be seen and kept; return the one that this tab has, if it is the
// role's.
export function take(role) {
  const said = new URLSearchParams(location.hash.slice(1));
  const given = said.get("token");
  if (given !== null) {
    keep(given.trim());
    history.replaceState(null, "", location.pathname + (said.get("at") ? `#${said.get("at")}` : ""));
  }
  const token = kept();
  return token !== null && roleOf(token) === role ? token : null;
}

// Go to where one signs in, saying why.
export function leave(why) {
  forget();
  if (why) sessionStorage.setItem("scorewright.why", why);
  location.assign("/");
}

export function why() {
  const said = sessionStorage.getItem("scorewright.why");
  sessionStorage.removeItem("scorewright.why");
  return said;
}
