/** Keeps the screen on while something needs it. A browser ends that when the page is hidden: it is asked for again. */
export class ScreenHold {
  constructor() {
    this.isNeeded = false;
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.request(); });
  }

  set(isNeeded) {
    this.isNeeded = isNeeded;
    if (isNeeded) return void this.request();
    this.lock?.release().catch(() => {});
    this.lock = undefined;
  }

  async request() {
    if (!this.isNeeded || !navigator.wakeLock || (this.lock && !this.lock.released)) return;
    try {
      this.lock = await navigator.wakeLock.request("screen");
      if (!this.isNeeded) this.set(false);
    } catch { /* A low battery refuses it: the screen goes dark as usual. */ }
  }
}
