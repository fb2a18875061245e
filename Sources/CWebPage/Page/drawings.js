// The drawings: compass, values over time, satellites, track.
import { bearing, decimals, isKnown, turn180, turn360 } from "./figures.js";

const svgName = "http://www.w3.org/2000/svg";
export const svg = (name, attributes, text) => {
  const node = document.createElementNS(svgName, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
};
const radians = (degrees) => (degrees * Math.PI) / 180;
export const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

/** The theme's colours, for canvases. */
export const colours = {};
const readColours = () => {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["card", "text", "soft", "line", "faint", "accent", "wedge", "fill", "north", "good"]) {
    colours[name] = style.getPropertyValue("--" + name).trim();
  }
};
addEventListener("themechange", readColours);
readColours();

/** A canvas in CSS pixels: its context, width and height; undefined while it is not displayed. */
export const surface = (canvas) => {
  const width = canvas.clientWidth, height = canvas.clientHeight;
  if (width === 0 || height === 0) return undefined;
  const scale = Math.min(devicePixelRatio || 1, 3);
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
};
export const letters = (context, size, weight = 600) => {
  context.font = `${weight} ${size}px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`;
};

/** The compass rose: the card turns under a fixed mark, bow up. */
export class Rose {
  constructor() {
    this.card = document.getElementById("card");
    this.wedge = document.getElementById("wedge");
    this.mark = document.getElementById("courseMark");
    const card = this.card;
    card.append(svg("circle", { r: 192, class: "ring" }));
    for (let angle = 0; angle < 360; angle += 5) {
      const long = angle % 30 === 0;
      const inner = long ? 172 : angle % 10 === 0 ? 180 : 186;
      const [x, y] = [Math.sin(radians(angle)), -Math.cos(radians(angle))];
      card.append(svg("line", { x1: 192 * x, y1: 192 * y, x2: inner * x, y2: inner * y, class: long ? "tick long" : "tick" }));
      if (!long) continue;
      const isPoint = angle % 90 === 0;
      card.append(svg("text", { transform: `rotate(${angle}) translate(0 -152)`, class: angle === 0 ? "point north" : isPoint ? "point" : "" },
        isPoint ? "NESW"[angle / 90] : String(angle)));
    }
  }

  /** All in degrees; `course` relative to the same north as the heading. Unknown values are not drawn. */
  set(heading, accuracy, course) {
    this.wanted = heading;
    if (isKnown(heading) && !isKnown(this.shown)) this.turn(heading);
    if (!this.isMoving) this.move();
    const half = isKnown(heading) && isKnown(accuracy) ? Math.min(accuracy, 179.9) : 0;
    const [x, y] = [Math.sin(radians(half)), -Math.cos(radians(half))];
    const large = half > 90 ? 1 : 0;
    this.wedge.setAttribute("d", half === 0 ? "" :
      `M${-130 * x} ${130 * y}L${-192 * x} ${192 * y}A192 192 0 ${large} 1 ${192 * x} ${192 * y}L${130 * x} ${130 * y}A130 130 0 ${large} 0 ${-130 * x} ${130 * y}Z`);
    const isMarked = isKnown(heading) && isKnown(course);
    this.mark.setAttribute("visibility", isMarked ? "visible" : "hidden");
    if (isMarked) this.mark.setAttribute("transform", `rotate(${turn180(course - heading).toFixed(1)})`);
  }

  turn(heading) {
    this.shown = heading;
    this.card.setAttribute("transform", `rotate(${(-heading).toFixed(2)})`);
  }

  /** Follows the heading smoothly between two messages; without motion where the user wants none. */
  move() {
    if (!isKnown(this.wanted) || !isKnown(this.shown)) return;
    const rest = turn180(this.wanted - this.shown);
    if (isCalm.matches || Math.abs(rest) < 0.05) return this.turn(this.wanted);
    this.turn(turn360(this.shown + rest * 0.22));
    this.isMoving = true;
    requestAnimationFrame(() => {
      this.isMoving = false;
      this.move();
    });
  }
}

/** Values of the last minutes. Each entry has `at` in seconds, `value` and `error`, which may be undefined. */
export class History {
  constructor(seconds, interval) {
    Object.assign(this, { seconds, interval, entries: [] });
  }
  add(at, value, error) {
    const last = this.entries[this.entries.length - 1];
    if (last && at - last.at < this.interval) return;
    this.entries.push({ at, value, error });
    while (this.entries.length > 0 && at - this.entries[0].at > this.seconds) this.entries.shift();
  }
}

const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 45, 90, 180];
/** A line over time with its error as a band. `isAngle`: values continue over north. */
export const drawHistory = (canvas, history, now, { isAngle, least, unit }) => {
  const area = surface(canvas);
  if (!area) return undefined;
  const { context: c, width, height } = area;
  const left = isAngle ? 44 : 58, right = width - 6, top = 8, bottom = height - 24;
  letters(c, 13);
  const x = (at) => right - ((now - at) / history.seconds) * (right - left);
  c.fillStyle = colours.soft;
  c.strokeStyle = colours.faint;
  c.lineWidth = 1;
  c.textBaseline = "alphabetic";
  const isNarrow = right - left < 310;
  for (let minute = 0; minute <= history.seconds / 60; minute += 1) {
    const at = Math.round(x(now - minute * 60)) + 0.5;
    c.beginPath(); c.moveTo(at, top); c.lineTo(at, bottom); c.stroke();
    c.textAlign = minute === 0 ? "right" : "center";
    const isNamed = minute * 60 < history.seconds && (!isNarrow || minute % 2 === 0);
    if (isNamed) c.fillText(minute === 0 ? "now" : `−${minute} min`, minute === 0 ? right : at, height - 6);
  }
  // Runs of known values; an angle continues from the value before it.
  let runs = [];
  let run, before;
  for (const entry of history.entries) {
    if (!isKnown(entry.value) || (before && entry.at - before.at > 5)) run = undefined;
    if (!isKnown(entry.value)) { before = undefined; continue; }
    const base = runs.length > 0 ? runs[runs.length - 1].at(-1).value : entry.value;
    const value = isAngle ? base + turn180(entry.value - base) : entry.value;
    if (!run) runs.push((run = []));
    run.push({ at: entry.at, value, error: isKnown(entry.error) ? entry.error : 0 });
    before = entry;
  }
  if (runs.length === 0) {
    c.textAlign = "center"; c.fillStyle = colours.soft; letters(c, 15);
    c.fillText("no values yet", (left + right) / 2, (top + bottom) / 2);
    return undefined;
  }
  const values = runs.flat();
  let low = Math.min(...values.map((v) => v.value)), high = Math.max(...values.map((v) => v.value));
  const extremes = { low, high, isWhole: isAngle && high - low > 340 };
  // The band is shown as far as it does not make the line flat.
  const band = Math.min(Math.max(...values.map((v) => v.error)), Math.max(high - low, least));
  [low, high] = [low - band, high + band];
  if (high - low < least) [low, high] = [(low + high - least) / 2, (low + high + least) / 2];
  const margin = (high - low) * 0.04;
  [low, high] = [low - margin, high + margin];
  if (extremes.isWhole) {
    // Headings of several circles: each at its own place between north and north, with a new line at north.
    runs = runs.flatMap((one) => {
      const parts = [];
      let turn;
      for (const v of one) {
        const number = Math.floor(v.value / 360);
        if (number !== turn) parts.push([]);
        turn = number;
        parts.at(-1).push({ ...v, value: v.value - 360 * number });
      }
      return parts;
    });
    [low, high] = [0, 360];
  }
  const y = (value) => bottom - ((value - low) / (high - low)) * (bottom - top);
  const step = steps.find((s) => (high - low) / s <= 5) ?? Math.ceil((high - low) / 5 / 180) * 180;
  c.textAlign = "right";
  c.textBaseline = "middle";
  for (let n = Math.ceil(low / step); n * step <= high; n += 1) {
    const at = Math.round(y(n * step)) + 0.5;
    c.strokeStyle = colours.faint;
    c.beginPath(); c.moveTo(left, at); c.lineTo(right, at); c.stroke();
    c.fillStyle = colours.text;
    const text = isAngle ? bearing(n * step) + "°" : decimals(n * step, step < 1 ? 1 : 0) + unit;
    if (at > top + 4 && at < bottom - 4) c.fillText(text, left - 6, at);
  }
  c.save();
  c.beginPath(); c.rect(left, top, right - left, bottom - top); c.clip();
  c.lineJoin = "round";
  for (const one of runs) {
    c.beginPath();
    for (const v of one) c.lineTo(x(v.at), y(v.value + v.error));
    for (const v of one.slice().reverse()) c.lineTo(x(v.at), y(v.value - v.error));
    c.fillStyle = colours.wedge;
    c.globalAlpha = 0.75;
    c.fill();
    c.globalAlpha = 1;
    c.beginPath();
    for (const v of one) c.lineTo(x(v.at), y(v.value));
    c.strokeStyle = colours.text;
    c.lineWidth = 2.5;
    c.stroke();
  }
  c.restore();
  return extremes;
};

// Satellites

const prefixes = { GPS: "G", GLONASS: "R", Galileo: "E", BeiDou: "C", QZSS: "J", SBAS: "S", NavIC: "I", IRNSS: "I" };
const prefix = (satellite) => prefixes[satellite.system] ?? (satellite.system ?? "?").slice(0, 1);

/** The polar plot: north up, the zenith in the middle. */
export const drawSky = (plot, satellites) => {
  const parts = [];
  for (const elevation of [0, 30, 60]) {
    parts.push(svg("circle", { r: 90 - elevation, fill: "none", stroke: colours.line, "stroke-width": elevation === 0 ? 1.6 : 0.8 }));
  }
  parts.push(svg("path", { d: "M-90 0H90M0-90V90", stroke: colours.line, "stroke-width": 0.8 }));
  [["N", 0, -101], ["E", 102, 0], ["S", 0, 102], ["W", -102, 0]].forEach(([name, x, y]) => parts.push(
    svg("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central", "font-size": 14, "font-weight": 700, fill: name === "N" ? colours.north : colours.text }, name)));
  for (const elevation of [30, 60]) {
    parts.push(svg("text", { x: 3, y: elevation - 90 + 9, "font-size": 8.5, fill: colours.soft }, elevation + "°"));
  }
  // The weak ones first, so that the strong ones lie above.
  const placed = satellites.filter((s) => isKnown(s.elevation) && isKnown(s.azimuth) && s.elevation >= 0);
  placed.sort((a, b) => (a.used - b.used) || (a.signal ?? 0) - (b.signal ?? 0));
  for (const s of placed) {
    const r = 90 - s.elevation;
    const [x, y] = [r * Math.sin(radians(s.azimuth)), -r * Math.cos(radians(s.azimuth))];
    const size = 7.5 + 3 * Math.min(1, Math.max(0, ((s.signal ?? 20) - 20) / 28));
    const mark = svg("g", { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
    mark.append(
      svg("title", {}, `${s.system} ${s.number}: elevation ${Math.round(s.elevation)}°, azimuth ${Math.round(s.azimuth)}°, ` +
        `${isKnown(s.signal) ? Math.round(s.signal) + " dB-Hz" : "no signal strength"}, ${s.used ? "used" : "not used"}`),
      svg("circle", { r: size.toFixed(1), fill: s.used ? colours.accent : colours.card, stroke: s.used ? colours.card : colours.soft, "stroke-width": 1.4 }),
      svg("text", { "text-anchor": "middle", "dominant-baseline": "central", "font-size": 8, "font-weight": 700, fill: s.used ? colours.card : colours.text }, prefix(s) + s.number));
    parts.push(mark);
  }
  plot.replaceChildren(...parts);
};

/** A bar for each satellite, grouped by system. */
export const drawSignals = (canvas, satellites) => {
  const area = surface(canvas);
  if (!area) return;
  const { context: c, width, height } = area;
  const bottom = height - 18, most = 55;
  const shown = satellites.slice().sort((a, b) => prefix(a).localeCompare(prefix(b)) || a.number - b.number);
  const groups = new Set(shown.map(prefix)).size;
  const pitch = Math.min(26, (width - groups * 6) / Math.max(shown.length, 1));
  c.strokeStyle = colours.faint;
  for (const level of [20, 40]) {
    const y = Math.round(bottom - (level / most) * bottom) + 0.5;
    c.beginPath(); c.moveTo(0, y); c.lineTo(width, y); c.stroke();
  }
  letters(c, 12);
  c.textAlign = "center";
  c.textBaseline = "alphabetic";
  let x = Math.max(0, (width - shown.length * pitch - groups * 6) / 2), last;
  let begin = x;
  const name = (end) => { if (last) { c.fillStyle = colours.soft; c.fillText(last, (begin + end) / 2, height - 4); } };
  for (const s of shown) {
    const group = prefix(s);
    if (group !== last) { name(x); x += last ? 6 : 0; begin = x; last = group; }
    const bar = (Math.min(s.signal ?? 0, most) / most) * bottom;
    c.fillStyle = c.strokeStyle = s.used ? colours.accent : colours.soft;
    c.lineWidth = 1.5;
    const w = Math.max(3, pitch - 3);
    if (s.used) c.fillRect(x, bottom - bar, w, bar);
    else if (bar > 2) c.strokeRect(x + 0.75, bottom - bar + 0.75, w - 1.5, bar - 1.5);
    x += pitch;
  }
  name(x);
  c.strokeStyle = colours.line;
  c.beginPath(); c.moveTo(0, bottom + 0.5); c.lineTo(width, bottom + 0.5); c.stroke();
};

// Track

/** Metres of a degree of latitude, and of longitude at the equator. */
const degreeMetres = 111320;
const most = 2000;

/** The positions since the page was opened, on a local plane. */
export class Track {
  constructor() { this.points = []; }

  add(latitude, longitude, accuracy) {
    this.accuracy = accuracy;
    this.now = [latitude, longitude];
    const last = this.points[this.points.length - 1];
    if (last) {
      const [east, north] = this.plane(last);
      // Less than this is the receiver's noise.
      if (Math.hypot(east, north) < Math.min(3, Math.max(0.5, (accuracy ?? 3) / 4))) return;
      // A jump of more than 2 km between two positions begins another track.
      if (Math.hypot(east, north) > 2000) this.points = [];
    }
    this.points.push([latitude, longitude]);
    if (this.points.length > most) this.points = this.points.filter((_, n) => n % 2 === 0);
  }

  /** Metres east and north of the newest position. */
  plane([latitude, longitude]) {
    const [here, there] = this.now;
    return [turn180(longitude - there) * degreeMetres * Math.cos(radians(here)), (latitude - here) * degreeMetres];
  }

  /** The length of the track, metres. */
  get length() {
    let sum = 0, last;
    for (const point of this.points) {
      const place = this.plane(point);
      if (last) sum += Math.hypot(place[0] - last[0], place[1] - last[1]);
      last = place;
    }
    return sum;
  }

  draw(canvas, trueHeading) {
    const area = surface(canvas);
    if (!area) return;
    const { context: c, width, height } = area;
    if (!this.now) {
      letters(c, 15);
      c.textAlign = "center"; c.textBaseline = "middle"; c.fillStyle = colours.soft;
      c.fillText("no position yet", width / 2, height / 2);
      return;
    }
    const places = this.points.map((p) => this.plane(p));
    const around = Math.max(this.accuracy ?? 0, 5);
    let [left, right, low, high] = [-around, around, -around, around];
    for (const [east, north] of places) {
      left = Math.min(left, east); right = Math.max(right, east);
      low = Math.min(low, north); high = Math.max(high, north);
    }
    const scale = Math.min((width - 36) / (right - left), (height - 72) / (high - low));
    const x = (east) => width / 2 + (east - (left + right) / 2) * scale;
    const y = (north) => (height - 30) / 2 + 6 - (north - (low + high) / 2) * scale;
    if (isKnown(this.accuracy)) {
      c.beginPath(); c.arc(x(0), y(0), Math.max(this.accuracy * scale, 2), 0, 7);
      c.fillStyle = colours.wedge; c.globalAlpha = 0.55; c.fill(); c.globalAlpha = 1;
      c.strokeStyle = colours.accent; c.lineWidth = 1.5; c.stroke();
    }
    c.beginPath();
    for (const [east, north] of places) c.lineTo(x(east), y(north));
    c.lineTo(x(0), y(0));
    c.strokeStyle = colours.text; c.lineWidth = 3; c.lineJoin = "round"; c.lineCap = "round"; c.stroke();
    if (places.length > 0) {
      c.beginPath(); c.arc(x(places[0][0]), y(places[0][1]), 4, 0, 7); c.fillStyle = colours.text; c.fill();
    }
    // The boat, in the direction of its bow.
    c.save(); c.translate(x(0), y(0));
    c.beginPath();
    if (isKnown(trueHeading)) {
      c.rotate(radians(trueHeading));
      c.moveTo(0, -13); c.lineTo(8, 10); c.lineTo(0, 5); c.lineTo(-8, 10); c.closePath();
    } else {
      c.arc(0, 0, 7, 0, 7);
    }
    c.fillStyle = colours.north; c.strokeStyle = colours.card; c.lineWidth = 2; c.fill(); c.stroke();
    c.restore();
    // North and the scale.
    letters(c, 15, 700);
    c.fillStyle = colours.north; c.textAlign = "center"; c.textBaseline = "middle";
    c.fillText("N", width - 16, 28);
    c.beginPath(); c.moveTo(width - 16, 2); c.lineTo(width - 10, 16); c.lineTo(width - 22, 16); c.fill();
    const room = width * 0.4 / scale;
    const power = 10 ** Math.floor(Math.log10(room));
    const bar = power * (room >= 5 * power ? 5 : room >= 2 * power ? 2 : 1);
    const end = 8 + bar * scale;
    c.strokeStyle = c.fillStyle = colours.text; c.lineWidth = 2.5; c.lineCap = "butt"; c.lineJoin = "miter";
    c.beginPath(); c.moveTo(8, height - 16); c.lineTo(8, height - 9); c.lineTo(end, height - 9); c.lineTo(end, height - 16); c.stroke();
    letters(c, 14, 700);
    c.textAlign = "left";
    c.fillText(bar >= 1000 ? bar / 1000 + " km" : bar + " m", end + 8, height - 12);
  }
}
