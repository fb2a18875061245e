// The connection to the server: a WebSocket that reconnects, and requests.

/** Seconds without a message after which the server is asked whether it still answers. */
const silence = 8;
/** Seconds between two attempts, the last one repeated. */
const pauses = [0.3, 1, 2, 4, 5];

const timeout = (seconds) => (AbortSignal.timeout ? AbortSignal.timeout(seconds * 1000) : undefined);

/** The answer to a GET as an object; undefined where there is none. */
export const get = async (path) => {
  try {
    const answer = await fetch(path, { cache: "no-store", signal: timeout(5) });
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
};

/** Sends a command. Returns its status, 0 without a connection, and the reason of a refusal. */
export const post = async (path, body) => {
  try {
    const answer = await fetch(path, {
      method: "POST", credentials: "same-origin", signal: timeout(20), body: body ? JSON.stringify(body) : undefined,
      headers: body ? { "X-Lodestar": "1", "Content-Type": "application/json" } : { "X-Lodestar": "1" },
    });
    if (answer.ok) return { status: answer.status };
    let error;
    try { error = (await answer.json()).error; } catch { /* A proxy's answer is no JSON. */ }
    return { status: answer.status, error: error ?? `The server answered ${answer.status}.` };
  } catch {
    return { status: 0, error: "No connection to the server. Check the network and try again." };
  }
};

export class Link {
  /** `receive` is called with each message, `change` after each change of `isOpen`. */
  constructor(receive, change) {
    Object.assign(this, { receive, change, isOpen: false, lostAt: undefined, attempts: 0, receivedAt: 0 });
    this.open();
    setInterval(() => this.check(), 1000);
    // A phone that wakes up, or is in reach of its network again, does not wait for the next attempt.
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.hurry(); });
  }

  open() {
    clearTimeout(this.timer);
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/v1/stream`);
    this.socket = socket;
    this.receivedAt = performance.now();
    socket.onopen = () => {
      if (socket !== this.socket) return;
      Object.assign(this, { isOpen: true, lostAt: undefined, attempts: 0, receivedAt: performance.now() });
      this.change();
    };
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      this.receivedAt = performance.now();
      let message;
      try { message = JSON.parse(event.data); } catch { return; }
      this.receive(message);
    };
    socket.onclose = () => { if (socket === this.socket) this.lose(); };
  }

  lose() {
    const old = this.socket;
    this.socket = undefined;
    if (old) old.close();
    this.isOpen = false;
    this.lostAt ??= new Date();
    this.timer = setTimeout(() => this.open(), 1000 * pauses[Math.min(this.attempts, pauses.length - 1)]);
    this.attempts += 1;
    this.change();
  }

  /** Opens the connection again, with the permission that the browser has received meanwhile. */
  renew() {
    const old = this.socket;
    this.open();
    if (old) old.close();
  }

  hurry() {
    if (!this.isOpen && !this.socket) this.open();
  }

  /** A network that disappears closes no socket: after some silence a request decides. */
  async check() {
    const socket = this.socket;
    if (!socket || this.isChecking || performance.now() - this.receivedAt < silence * 1000) return;
    this.isChecking = true;
    const answer = this.isOpen ? await get("/api/v1/status") : undefined;
    this.isChecking = false;
    if (socket !== this.socket || performance.now() - this.receivedAt < silence * 1000) return;
    if (answer) {
      this.receivedAt = performance.now();
      this.receive({ type: "status", status: answer });
    } else {
      this.lose();
    }
  }
}
