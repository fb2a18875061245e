// The measured field on the sphere: dots, and the sectors that have been measured.
import { colours, isCalm, letters, surface } from "./drawings.js";

/** Sectors in each of nine bands of 20 degrees from the board's downward axis: about equal in area. */
const sectors = [3, 9, 14, 17, 18, 17, 14, 9, 3];
const first = sectors.map((_, band) => sectors.slice(0, band).reduce((a, b) => a + b, 0));
const total = first[8] + sectors[8];
/** Dots stored for each sector. */
const depth = 14;

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => { const l = length(a) || 1; return a.map((v) => v / l); };

/** Solves a symmetric 4x4 system by elimination; undefined where it is singular. */
const solve = (rows) => {
  const m = rows.map((row) => row.slice());
  for (let n = 0; n < 4; n += 1) {
    let pivot = n;
    for (let k = n + 1; k < 4; k += 1) if (Math.abs(m[k][n]) > Math.abs(m[pivot][n])) pivot = k;
    if (Math.abs(m[pivot][n]) < 1e-12) return undefined;
    [m[n], m[pivot]] = [m[pivot], m[n]];
    for (let k = 0; k < 4; k += 1) {
      if (k === n) continue;
      const share = m[k][n] / m[n][n];
      for (let j = n; j < 5; j += 1) m[k][j] -= share * m[n][j];
    }
  }
  return m.map((row, n) => row[4] / row[n]);
};

export class FieldSphere {
  constructor() {
    this.begin();
    // Towards the viewer: the board's down axis, seen a little from the side.
    this.view = unit([0.45, 0.35, 0.82]);
    this.turned = false;
  }

  /** Removes all dots. */
  begin() {
    Object.assign(this, { points: [], cells: Array.from({ length: total }, () => []), centre: [0, 0, 0], radius: 50, fresh: 0, newest: undefined });
  }

  get seen() { return this.cells.reduce((sum, cell) => sum + (cell.length > 0 ? 1 : 0), 0); }
  get total() { return total; }
  get count() { return this.points.length; }

  add(points) {
    for (const p of points) {
      if (!Array.isArray(p) || p.length !== 3 || !p.every(Number.isFinite)) continue;
      this.newest = p;
      const cell = this.cells[this.cell(p)];
      // A dot near an earlier one adds nothing to the picture.
      if (cell.some((q) => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) < this.radius * 0.012)) continue;
      cell.push(p);
      if (cell.length > depth) cell.shift();
      this.fresh += 1;
    }
    if (this.fresh > 0) {
      this.points = this.cells.flat();
      if (this.fresh >= 8 || this.points.length < 40) this.fit();
    }
  }

  /** The centre and radius of the sphere through the dots. The centre is drawn to zero, weakly: an arc alone has none. */
  fit() {
    this.fresh = 0;
    const n = this.points.length;
    if (n < 4) return;
    // |p|² = 2 c·p + k, with c² in k. Scaled by 50 µT, so that all numbers are near one.
    const rows = Array.from({ length: 4 }, () => [0, 0, 0, 0, 0]);
    for (const p of this.points) {
      const [x, y, z] = p.map((v) => v / 50);
      const row = [2 * x, 2 * y, 2 * z, 1];
      const right = x * x + y * y + z * z;
      for (let i = 0; i < 4; i += 1) {
        for (let j = 0; j < 4; j += 1) rows[i][j] += row[i] * row[j];
        rows[i][4] += row[i] * right;
      }
    }
    for (let i = 0; i < 3; i += 1) rows[i][i] += 0.02 * n;
    const s = solve(rows);
    if (!s) return;
    const square = s[3] + s[0] ** 2 + s[1] ** 2 + s[2] ** 2;
    if (!(square > 0.04 && square < 9)) return;
    this.centre = [50 * s[0], 50 * s[1], 50 * s[2]];
    this.radius = 50 * Math.sqrt(square);
    this.cells = Array.from({ length: total }, () => []);
    for (const p of this.points) {
      const cell = this.cells[this.cell(p)];
      if (cell.length < depth) cell.push(p);
    }
    this.points = this.cells.flat();
  }

  cell(p) {
    const d = unit([p[0] - this.centre[0], p[1] - this.centre[1], p[2] - this.centre[2]]);
    const band = Math.min(8, Math.floor(Math.acos(Math.max(-1, Math.min(1, d[2]))) / (Math.PI / 9)));
    const turn = Math.atan2(d[1], d[0]) / (2 * Math.PI);
    return first[band] + Math.min(sectors[band] - 1, Math.floor((turn - Math.floor(turn)) * sectors[band]));
  }

  // The view

  /** Turns the sphere by pixels. */
  turn(right, down, size) {
    this.turned = true;
    const { across, up } = this.axes();
    const a = (-2 * right) / size, b = (2 * down) / size;
    this.view = unit([0, 1, 2].map((n) => this.view[n] + a * across[n] + b * up[n]));
  }

  axes() {
    // Up on the screen is the bow, as far as it is not along the line of sight.
    const front = this.view;
    const bow = Math.abs(front[0]) > 0.98 ? [0, 0, -1] : [1, 0, 0];
    const up = unit(bow.map((v, n) => v - dot(bow, front) * front[n]));
    return { up, across: cross(up, front) };
  }

  /** Unless the user has turned the sphere, its side with the dots is in front. */
  follow() {
    if (this.turned || this.points.length < 8) return;
    let mean = [0, 0, 0];
    for (const cell of this.cells) {
      if (cell.length === 0) continue;
      const p = cell[0];
      const d = unit([p[0] - this.centre[0], p[1] - this.centre[1], p[2] - this.centre[2]]);
      mean = mean.map((v, n) => v + d[n]);
    }
    if (length(mean) < 1) return;
    const wanted = unit(unit(mean).map((v, n) => v + [0.35, 0.3, 0.1][n]));
    const share = isCalm.matches ? 1 : 0.08;
    this.view = unit(this.view.map((v, n) => v + share * (wanted[n] - v)));
  }

  draw(canvas, ring) {
    const area = surface(canvas);
    if (!area) return;
    this.follow();
    const { context: c, width, height } = area;
    const edge = ring ? 30 : 6;
    const [x0, y0, r] = [width / 2, height / 2, Math.min(width, height) / 2 - edge];
    const { up, across } = this.axes();
    const front = this.view;
    const place = (d) => [x0 + r * dot(d, across), y0 - r * dot(d, up), dot(d, front)];

    c.beginPath(); c.arc(x0, y0, r, 0, 7); c.fillStyle = colours.card; c.fill();
    // The far side first.
    for (const isNear of [false, true]) {
      this.cells.forEach((cell, number) => this.drawCell(c, place, number, cell.length, isNear));
      for (const p of this.points) {
        const d = [0, 1, 2].map((n) => (p[n] - this.centre[n]) / this.radius);
        const [x, y, depthOf] = place(d);
        if (depthOf >= 0 !== isNear) continue;
        c.beginPath(); c.arc(x, y, isNear ? 2.6 : 1.6, 0, 7);
        c.fillStyle = isNear ? colours.text : colours.line;
        c.fill();
      }
    }
    c.beginPath(); c.arc(x0, y0, r, 0, 7); c.strokeStyle = colours.text; c.lineWidth = 2; c.stroke();
    this.drawAxes(c, place);
    if (this.newest) {
      const d = [0, 1, 2].map((n) => (this.newest[n] - this.centre[n]) / this.radius);
      const [x, y, depthOf] = place(d);
      c.beginPath(); c.arc(x, y, 7, 0, 7);
      c.strokeStyle = colours.card; c.lineWidth = 5; c.stroke();
      c.strokeStyle = depthOf >= 0 ? colours.north : colours.line; c.lineWidth = 3; c.stroke();
    }
    if (ring) this.drawRing(c, x0, y0, r + 10, r + 28, ring);
  }

  drawCell(c, place, number, count, isNear) {
    const band = first.findLastIndex((begin) => begin <= number);
    const span = (2 * Math.PI) / sectors[band];
    const begin = (number - first[band]) * span;
    const [low, high] = [(band * Math.PI) / 9, ((band + 1) * Math.PI) / 9];
    const at = (polar, turn) => place([Math.sin(polar) * Math.cos(turn), Math.sin(polar) * Math.sin(turn), Math.cos(polar)]);
    if (at((low + high) / 2, begin + span / 2)[2] >= 0 !== isNear) return;
    const parts = 5;
    c.beginPath();
    for (let n = 0; n <= parts; n += 1) c.lineTo(...at(low, begin + (span * n) / parts).slice(0, 2));
    for (let n = parts; n >= 0; n -= 1) c.lineTo(...at(high, begin + (span * n) / parts).slice(0, 2));
    c.closePath();
    if (count > 0) {
      c.fillStyle = isNear ? colours.wedge : colours.faint;
      c.fill();
    }
    if (!isNear && count === 0) return;
    c.strokeStyle = isNear ? colours.line : colours.faint;
    c.lineWidth = 1;
    c.stroke();
  }

  drawAxes(c, place) {
    letters(c, 13, 700);
    c.textAlign = "center"; c.textBaseline = "middle";
    for (const [name, d] of [["bow", [1, 0, 0]], ["right", [0, 1, 0]], ["down", [0, 0, 1]]]) {
      const [x, y, depthOf] = place(d.map((v) => v * 0.86));
      if (depthOf < 0.05) continue;
      const half = c.measureText(name).width / 2 + 4;
      c.globalAlpha = 0.85; c.fillStyle = colours.card; c.fillRect(x - half, y - 9, 2 * half, 18); c.globalAlpha = 1;
      c.fillStyle = colours.soft; c.fillText(name, x, y);
    }
  }

  /** The headings that have been measured, 36 parts from the first one on; `now` is the part of this moment. */
  drawRing(c, x, y, inner, outer, { parts, now }) {
    parts.forEach((isSeen, n) => {
      const gap = 0.012;
      const [a, b] = [(n / 36) * 2 * Math.PI - Math.PI / 2 + gap, ((n + 1) / 36) * 2 * Math.PI - Math.PI / 2 - gap];
      c.beginPath(); c.arc(x, y, outer, a, b); c.arc(x, y, inner, b, a, true); c.closePath();
      c.fillStyle = isSeen ? colours.fill : colours.faint;
      c.fill();
      if (n === now) { c.strokeStyle = colours.north; c.lineWidth = 3; c.stroke(); }
    });
  }
}
