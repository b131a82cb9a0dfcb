// What the page knows, and how it asks the server.

const studio = { state: null, listeners: [], parts: null };

// The answer of the server as JSON. A change that was made from an old state is refused: then the
// page takes the new state and says so. What is wrong is said, and the answer is null.
async function ask(method, path, body, { quiet = false, signal } = {}) {
  let response;
  try {
    response = await fetch(path, { method, signal, headers: body === undefined ? {} : { "content-type": "application/json" }, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch (error) {
    if (error.name !== "AbortError" && !quiet) say("The server does not answer. If it was ended, start ramify studio again: what you did is saved.", "loud");
    return null;
  }
  const answer = await response.json().catch(() => ({ error: "The server's answer cannot be read." }));
  if (response.ok) return answer;
  if (answer.stale) {
    take(answer.state);
    // What was only tried was overtaken by the edit itself.
    if (!quiet) say("Another window has changed this in the meantime. You see the new state now; do it again if you still want it.", "loud");
  } else if (!quiet) say(answer.error || "This did not work.", "loud");
  return null;
}

const get = (path, options) => ask("GET", `/api/${path}`, undefined, options);

// Change something; gives what came out of it, or null.
async function post(path, body = {}) {
  const answer = await ask("POST", `/api/${path}`, { ...body, version: studio.state.version });
  if (!answer) return null;
  take(answer.state);
  return answer;
}

// Take a state over, unless a newer one is there.
function take(state) {
  if (!state || (studio.state && state.version < studio.state.version)) return;
  const before = studio.state;
  studio.state = state;
  studio.listeners.forEach((listener) => listener(state, before));
}

const choose = (changes) => post("choose", { changes });
const setUp = (changes) => post("setup", { changes });
const query = (values) => new URLSearchParams(Object.entries(values).filter(([, value]) => value !== null && value !== undefined)).toString();

// Only the last of many calls counts: while one runs, those before the last are left out.
function lastOnly(run) {
  let running = false;
  let waiting = null;
  return async (argument) => {
    waiting = { argument };
    if (running) return;
    running = true;
    while (waiting) {
      const { argument: next } = waiting;
      waiting = null;
      await run(next);
    }
    running = false;
  };
}

// At most once per picture of the screen, with the last argument.
function perFrame(run) {
  let asked = false;
  let last;
  return (argument) => {
    last = argument;
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      run(last);
    });
  };
}

// --- what runs on the server ---

const QUICK = 150;
const SLOW = 2000;

async function watch() {
  const answer = await get("job", { quiet: true });
  if (answer && studio.state) {
    showJob(answer.job);
    // Reading and growing change the state when they are done; other windows do at any time.
    if (answer.version !== studio.state.version || (studio.state.job && answer.job && studio.state.job.state !== answer.job.state)) take(await get("state", { quiet: true }));
  }
  setTimeout(watch, answer && answer.job && answer.job.state === "running" ? QUICK : document.hidden ? 4 * SLOW : SLOW);
}

// Look at once, as something was started.
async function watchNow() {
  const answer = await get("job", { quiet: true });
  if (!answer) return;
  showJob(answer.job);
  if (answer.job && answer.job.state === "running") setTimeout(watchNow, QUICK);
  else take(await get("state", { quiet: true }));
}
