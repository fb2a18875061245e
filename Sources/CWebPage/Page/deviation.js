// The deviation card of the calibration in use: its curve over the heading, age, origin and trust.
import { get } from "./link.js";
import { colours, letters, surface } from "./drawings.js";
import { bearing, decimals, isKnown, turn180, turn360 } from "./figures.js";

const $ = (id) => document.getElementById(id);
/** Seconds between two questions: a curve changes once an hour. */
const interval = 60;

const age = (seconds) => (seconds < 7200 ? `${Math.floor(seconds / 60)} min` : seconds < 172800 ? `${Math.floor(seconds / 3600)} h`
  : `${Math.floor(seconds / 86400)} days`) + " old";

export class DeviationCard {
  constructor() {
    this.ask();
    setInterval(() => this.ask(), interval * 1000);
  }

  async ask() {
    if (document.hidden) return;
    const card = await get("/api/v1/deviation");
    // A server of an earlier version has none.
    $("deviationCard").hidden = !card;
    if (!card) return;
    this.card = card;
    this.words();
    this.draw();
  }

  words() {
    const { rows = [], origin, legs, sigma, coverage, reason } = this.card;
    const hasCurve = rows.length > 0;
    $("deviationPlot").hidden = !hasCurve;
    $("deviationSummary").textContent = !hasCurve ? "none" : origin === "swing" ? "by a compass swing" : "by course over ground";
    const parts = [];
    if (hasCurve) {
      if (isKnown(this.card.age)) parts.push(age(this.card.age));
      if (isKnown(legs)) parts.push(`straight legs on ${legs} of 24 headings`);
      if (isKnown(coverage) && origin !== "swing") parts.push(`covers ${coverage}° of the circle`);
      parts.push(isKnown(sigma) ? `trust ±${sigma.toFixed(1)}° (one sigma)` : "trust not known");
    }
    $("deviationNote").textContent = hasCurve ? parts.join(" · ") + "."
      : `${reason ? reason[0].toUpperCase() + reason.slice(1) : "No deviation is known"}. A vehicle's is learnt from its course while it drives; lodestar calibrate swing takes it from known headings.`;
  }

  /** `estimate` for the mark of the heading at present. */
  show(estimate) {
    this.estimate = estimate;
    this.draw();
  }

  draw() {
    const rows = this.card?.rows ?? [];
    const area = rows.length > 0 ? surface($("deviationPlot")) : undefined;
    if (!area) return;
    const { context: c, width, height } = area;
    const left = 52, right = width - 10, top = 8, bottom = height - 24;
    const sigma = (row) => (isKnown(row.sigma) ? row.sigma : isKnown(this.card.sigma) ? this.card.sigma : 0);
    const most = Math.max(2, ...rows.map((row) => Math.abs(row.deviation) + sigma(row)));
    const step = [1, 2, 5, 10, 20, 45, 90].find((s) => most / s <= 2.5) ?? 90;
    const reach = Math.ceil(most / step) * step;
    const x = (heading) => left + (heading / 360) * (right - left);
    const y = (value) => (top + bottom) / 2 - (value / reach) * ((bottom - top) / 2);
    letters(c, 13);
    c.lineWidth = 1;
    c.textBaseline = "middle"; c.textAlign = "right";
    for (let value = -reach; value <= reach; value += step) {
      c.strokeStyle = value === 0 ? colours.line : colours.faint;
      c.beginPath(); c.moveTo(left, y(value)); c.lineTo(right, y(value)); c.stroke();
      c.fillStyle = colours.text;
      c.fillText(value === 0 ? "0°" : `${decimals(Math.abs(value), 0)}° ${value < 0 ? "W" : "E"}`, left - 6, Math.min(bottom - 4, Math.max(top + 6, y(value))));
    }
    c.textBaseline = "alphabetic"; c.textAlign = "center"; c.fillStyle = colours.soft;
    const pitch = right - left < 420 ? 90 : 45;
    for (let heading = 0; heading <= 360; heading += pitch) {
      c.strokeStyle = colours.faint;
      c.beginPath(); c.moveTo(x(heading), top); c.lineTo(x(heading), bottom); c.stroke();
      c.textAlign = heading === 360 ? "right" : "center";
      c.fillText(bearing(heading), heading === 360 ? right + 6 : x(heading), height - 6);
    }
    // Beyond 345 degrees the curve returns to the first row.
    const all = [...rows, { ...rows[0], compass: 360 }];
    c.beginPath();
    for (const row of all) c.lineTo(x(row.compass), y(row.deviation + sigma(row)));
    for (const row of all.slice().reverse()) c.lineTo(x(row.compass), y(row.deviation - sigma(row)));
    c.fillStyle = colours.wedge; c.globalAlpha = 0.75; c.fill(); c.globalAlpha = 1;
    c.beginPath();
    for (const row of all) c.lineTo(x(row.compass), y(row.deviation));
    c.strokeStyle = colours.text; c.lineWidth = 2.5; c.lineJoin = "round"; c.stroke();
    const { magneticHeading, deviation } = this.estimate ?? {};
    if (!isKnown(magneticHeading) || !isKnown(deviation)) return;
    c.beginPath(); c.arc(x(turn360(magneticHeading - deviation)), y(turn180(deviation)), 6, 0, 7);
    c.fillStyle = colours.north; c.strokeStyle = colours.card; c.lineWidth = 2; c.fill(); c.stroke();
  }
}
