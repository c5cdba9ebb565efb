// The API, with the token of whoever signed in. Writes carry a key of their own, so that they can be sent again.

const AGAIN = [429, 502, 503, 504];
const SILENCE = 45000; // the service says something every fifteen seconds

export class Problem extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
    this.detail = detail;
  }
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export class Api {
  // refused: called when the token opens nothing any more.
  constructor(token, refused) {
    this.token = token;
    this.refused = refused;
  }

  get(path, query) {
    return this.#send("GET", path + asked(query));
  }

  post(path, body) {
    return this.#send("POST", path, body ?? {}, crypto.randomUUID?.() ?? String(Math.random()).slice(2));
  }

  remove(path) {
    return this.#send("DELETE", path);
  }

  async #send(method, path, body, key) {
    const headers = { Authorization: `Bearer ${this.token}` };
    if (key) headers["Idempotency-Key"] = key;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    for (const wait of [300, 900, 2700, 0]) {
      let answer;
      try {
        answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
      } catch {
        if (wait === 0) throw new Problem(0, "The service can't be reached. Nothing is lost: try again in a moment.");
      }
      if (answer?.ok) return answer.json();
      if (answer && (wait === 0 || !AGAIN.includes(answer.status))) throw await this.#problem(answer);
      await pause(wait);
    }
  }

  async #problem(answer) {
    let detail = `The service answered ${answer.status}.`;
    try {
      detail = (await answer.json()).detail ?? detail;
    } catch { /* not ours: a proxy's page, say */ }
    const problem = new Problem(answer.status, detail);
    if (answer.status === 401) this.refused(problem);
    return problem;
  }

  // Follow a stream of events: `heard(kind, data)` for each, `state("live" | "lost" | problem)` as the line comes and
  // goes.
  // Returns a function that stops. It comes back where it was when the line breaks, and rests while nobody looks.
  watch(path, after, heard, state) {
    let stopped = false;
    let line = null;
    let last = after;
    const follow = async () => {
      let wait = 500;
      while (!stopped) {
        if (document.hidden) await new Promise((seen) =>
          document.addEventListener("visibilitychange", seen, { once: true }));
        if (stopped) return;
        line = new AbortController();
        try {
          const headers = { Authorization: `Bearer ${this.token}` };
          const answer = await fetch(path + asked({ after: last }), { headers, signal: line.signal });
          if (!answer.ok) throw await this.#problem(answer);
          state("live");
          wait = 500;
          await read(answer.body, line, ({ id, event, data }) => {
            last = id;
            heard(event, data);
          });
        } catch (problem) {
          if (stopped) return;
          if (problem instanceof Problem && [401, 403, 404, 422].includes(problem.status)) {
            state(problem);
            return;
          }
        }
        if (stopped) return;
        if (!document.hidden) state("lost");
        await pause(wait);
        wait = Math.min(2 * wait, 15000);
      }
    };
    const rest = () => document.hidden && line?.abort();
    document.addEventListener("visibilitychange", rest);
    follow();
    return () => {
      stopped = true;
      document.removeEventListener("visibilitychange", rest);
      line?.abort();
    };
  }
}

async function read(body, line, heard) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const late = setTimeout(() => line.abort(), SILENCE);
    const { done, value } = await reader.read().finally(() => clearTimeout(late));
    if (done) return;
    text += value;
    const parts = text.split("\n\n");
    text = parts.pop();
    for (const part of parts) {
      const entries = Object.fromEntries(part.split("\n").map((one) =>
        [one.slice(0, one.indexOf(":")), one.slice(one.indexOf(":") + 2)]));
      if (entries.data) heard({ id: Number(entries.id), event: entries.event, data: JSON.parse(entries.data) });
    }
  }
}

function asked(query) {
  const entries = Object.entries(query ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return entries.length ? `?${new URLSearchParams(entries)}` : "";
}
