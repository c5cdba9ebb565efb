// Look again when something has happened: soon, but never more often than the service can answer.

const SHORTEST = 600;

export function refresher(look) {
  let waiting = null;
  let again = false;
  let took = 0;
  const run = async () => {
    again = false;
    const start = performance.now();
    try {
      await look();
    } finally {
      took = performance.now() - start;
      waiting = null;
      if (again) soon();
    }
  };
  const soon = () => {
    if (waiting !== null) {
      again = true;
      return;
    }
    waiting = setTimeout(run, Math.max(SHORTEST, 2 * took) * (took > 0 ? 1 : 0.1));
  };
  return soon;
}
