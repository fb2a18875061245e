// Receives the messages and fills in the page.
import * as figures from "./figures.js";
import { Link, get } from "./link.js";
import { History, Rose, Track, drawHistory, drawSignals, drawSky } from "./drawings.js";
import { FieldSphere } from "./sphere.js";
import { DeviationCard } from "./deviation.js";
import { Helm } from "./helm.js";
import { Calibration } from "./calibration.js";

const { isKnown, unknown } = figures;
const $ = (id) => document.getElementById(id);
/** An unchanged text is not written, so that screen readers and layout have no work. */
const put = (id, value) => { const node = $(id); if (node.textContent !== value) node.textContent = value; };

/** Seconds after which values are stale. */
const freshness = 2;
/** Seconds of the drawings over time, and between two of their values. */
const span = 300, interval = 0.5;
/** Seconds between two headings for a screen reader. */
const spokenPause = 15;

const rose = new Rose();
const headings = new History(span, interval);
const altitudes = new History(span, interval);
const track = new Track();
const sphere = new FieldSphere();
const calibration = new Calibration();
const deviation = new DeviationCard();

let estimate, source, satellites, helm;
let mayRead = true;
let arrivedAt = -Infinity, arrivedOn;
let isDirty = false, isSkyDirty = true;
const openedAt = new Date();

// North, remembered

let north = "magnetic";
try { north = localStorage.getItem("north") === "true" ? "true" : "magnetic"; } catch { /* Private browsing. */ }
const northInputs = [...document.querySelectorAll("input[name=north]")];
const setNorth = (value) => {
  north = value;
  for (const input of northInputs) input.checked = input.value === north;
  try { localStorage.setItem("north", north); } catch { /* Private browsing. */ }
  // A line of headings from two norths would show a turn that was none.
  headings.entries = [];
  if (estimate) { remember(estimate); showHeading(); }
  draw();
};
for (const input of northInputs) {
  input.checked = input.value === north;
  input.onchange = () => setNorth(input.value);
}
const heading = (e) => (north === "true" ? e.trueHeading : e.magneticHeading);

// Theme

const showTheme = () => {
  const isNight = document.documentElement.dataset.theme === "night";
  put("themeName", isNight ? "Day" : "Night");
  put("themeIcon", isNight ? "☀" : "☾");
  $("theme").setAttribute("aria-label", isNight ? "Change to the day theme" : "Change to the night theme");
  isSkyDirty = true;
};
$("theme").onclick = () => window.switchTheme();
addEventListener("themechange", () => { showTheme(); draw(); });

// Messages

const receive = (message) => {
  switch (message.type) {
    case "estimate": return take(message.estimate ?? {});
    case "field":
      sphere.add(message.points ?? []);
      calibration.field(message.points ?? []);
      return undefined;
    case "sky":
      satellites = message.satellites ?? [];
      isSkyDirty = true;
      return undefined;
    case "source":
      takeSource(message.source);
      return undefined;
    case "calibration": return calibration.receive(message);
    case "status": return takeStatus(message.status);
    case "permission": return takeStatus(message);
    default: return undefined;
  }
};

const take = (newest) => {
  estimate = newest;
  arrivedAt = performance.now() / 1000;
  arrivedOn = new Date();
  isDirty = true;
  remember(newest);
  calibration.estimate(newest);
};

const remember = (e) => {
  headings.add(arrivedAt, heading(e), e.headingAccuracy);
  altitudes.add(arrivedAt, e.altitude, e.verticalAccuracy);
  if (isKnown(e.latitude) && isKnown(e.longitude)) track.add(e.latitude, e.longitude, e.horizontalAccuracy);
};

const takeSource = (newest) => {
  source = newest;
  calibration.isLive = source?.isLive !== false && source?.isSimulated !== true;
  isDirty = true;
  isSkyDirty = true;
};

const takeStatus = (status) => {
  if (status.source) takeSource(status.source);
  // A server without permissions cannot calibrate.
  $("calibrate").hidden = !status.permission;
  if (status.permission) {
    mayRead = status.permission.mayRead !== false;
    calibration.setPermission(status.permission);
  }
  if (status.version) put("version", "Lodestar " + status.version);
  if (isKnown(status.uptime)) put("uptime", "running for " + figures.duration(status.uptime));
  isDirty = true;
};
calibration.onStatus = takeStatus;

// Words and figures

const showHeading = () => {
  const e = estimate;
  const value = heading(e);
  const declination = figures.declination(e);
  put("heading", figures.bearing(value));
  $("rose").classList.toggle("unknown", !isKnown(value));
  put("cardinal", figures.point(value));
  put("northName", north);
  put("accuracy", isKnown(e.headingAccuracy) ? figures.bound(e.headingAccuracy) + " (95\u00a0%)" : unknown);
  put("declination", figures.sided(declination, "E", "W"));
  put("deviation", figures.sided(e.deviation, "E", "W"));
  put("turn", isKnown(e.rateOfTurn)
    ? Math.abs(e.rateOfTurn).toFixed(1) + "°/s" + (Math.abs(e.rateOfTurn) < 0.05 ? "" : e.rateOfTurn < 0 ? " left" : " right") : unknown);
  put("headingNote", north === "true" && !isKnown(value) && isKnown(e.magneticHeading)
    ? "True north needs a position and a date: see Sensor health." : "");
  // The course is relative to true north.
  const isMoving = isKnown(e.course) && e.speed > 0.3;
  const course = !isMoving ? undefined : north === "true" ? e.course : isKnown(declination) ? e.course - declination : undefined;
  rose.set(value, e.headingAccuracy, course);
};

const showMotion = () => {
  const e = estimate;
  put("speed", isKnown(e.speed) ? (e.speed * 3600 / 1852).toFixed(1) + " kn" : unknown);
  put("speedSI", isKnown(e.speed) ? e.speed.toFixed(1) + " m/s" : "\u00a0");
  put("course", isKnown(e.course) ? figures.bearing(e.course) + "°" : unknown);
  const tilt = (id, value, positive, negative) => {
    put(id, isKnown(value) ? Math.abs(value).toFixed(0) + "°" : unknown);
    put(id + "Side", !isKnown(value) ? "\u00a0" : Math.abs(value) < 0.5 ? "level" : value > 0 ? positive : negative);
  };
  tilt("roll", e.roll, "right side down", "left side down");
  tilt("pitch", e.pitch, "bow up", "bow down");
  put("latitude", figures.latitude(e.latitude));
  put("longitude", figures.longitude(e.longitude));
  put("positionAccuracy", isKnown(e.horizontalAccuracy) ? `±${figures.metres(e.horizontalAccuracy)} (68 %)` : "\u00a0");
};

const showAltitude = () => {
  const e = estimate;
  put("altitude", isKnown(e.altitude) ? figures.decimals(e.altitude, Math.abs(e.altitude) < 100 ? 1 : 0) + " m" : unknown);
  const parts = [];
  if (isKnown(e.verticalAccuracy)) parts.push(`±${figures.metres(e.verticalAccuracy)}`);
  if (isKnown(e.verticalSpeed)) parts.push(`${Math.abs(e.verticalSpeed).toFixed(1)} m/s ${e.verticalSpeed < -0.05 ? "down" : e.verticalSpeed > 0.05 ? "up" : ""}`.trim());
  if (isKnown(e.heave)) parts.push(`heave ${figures.decimals(e.heave, 1)} m`);
  if (isKnown(e.waveHeight)) {
    const period = isKnown(e.wavePeakPeriod) ? `, ${e.wavePeakPeriod.toFixed(0)} s` : "";
    const from = isKnown(e.waveDirection) ? ` from ${figures.bearing(e.waveDirection)}°` : "";
    parts.push(`waves ${figures.decimals(e.waveHeight, 1)} m${period}${from}`);
  }
  if (isKnown(e.pressureTendency)) parts.push(`${e.pressureTendency > 0 ? "+" : ""}${figures.decimals(e.pressureTendency, 1)} hPa in 3 h`);
  put("altitudeMore", parts.join(" · ") || "\u00a0");
};

const signs = { good: "✓", warn: "!", bad: "✕", off: "–" };
const words = { good: "good", warn: "attention", bad: "fault", off: "absent" };
let healthText;
const showHealth = () => {
  const rows = figures.health(estimate, source);
  const text = JSON.stringify(rows);
  if (text === healthText) return;
  healthText = text;
  $("healthList").replaceChildren(...rows.map((row) => {
    const item = document.createElement("li");
    item.dataset.state = row.state;
    const sign = document.createElement("span");
    sign.className = "sign";
    sign.textContent = signs[row.state];
    sign.setAttribute("role", "img");
    sign.setAttribute("aria-label", words[row.state]);
    const body = document.createElement("div");
    const name = document.createElement("strong");
    name.textContent = row.name + ": ";
    body.append(name, row.text);
    if (row.act) {
      const act = document.createElement("span");
      act.className = "act";
      act.textContent = row.act;
      body.append(act);
    }
    item.append(sign, body);
    return item;
  }));
  const open = rows.filter((row) => row.state === "warn" || row.state === "bad").length;
  put("healthSummary", open === 0 ? "all good" : open === 1 ? "1 needs attention" : `${open} need attention`);
};

let sourcesText;
/** The table of several sources of positions; hidden for one alone. */
const showSources = () => {
  const rows = figures.sources(source);
  const text = JSON.stringify(rows);
  if (text === sourcesText) return;
  sourcesText = text;
  $("sources").hidden = rows.length === 0;
  const titles = [...document.querySelectorAll("#sources thead th")].map((title) => title.textContent);
  $("sourceRows").replaceChildren(...rows.map((row) => {
    const line = document.createElement("tr");
    line.classList.toggle("used", row.isUsed);
    line.replaceChildren(...row.cells.map((cell, column) => {
      const node = document.createElement(column === 0 ? "th" : "td");
      if (column === 0) node.scope = "row";
      else node.dataset.label = titles[column];
      node.textContent = cell;
      return node;
    }));
    return line;
  }));
};

const showField = () => {
  const e = estimate;
  put("fieldSummary", isKnown(e.fieldStrength)
    ? e.fieldStrength.toFixed(1) + " µT" + (isKnown(e.dip) ? `, dip ${figures.decimals(e.dip, 0)}°` : "") : unknown);
};

const showSky = () => {
  isSkyDirty = false;
  const list = satellites ?? [];
  drawSky($("skyPlot"), list);
  drawSignals($("signals"), list);
  const used = list.filter((s) => s.used).length;
  put("skySummary", list.length === 0 ? "" : `${used} of ${list.length} used`);
  put("skyNote", list.length > 0 ? "Filled: used for the fix. The bars are the signal strength, dB-Hz."
    : source && source.isOpen && !source.hasReceiver ? "No receiver is attached, so there are no satellites."
      : "The receiver reports no satellites. Some report them only with a free view of the sky; some never do.");
};

// Connection

const showStrip = () => {
  const seconds = performance.now() / 1000 - arrivedAt;
  const isStale = seconds > freshness;
  document.body.classList.toggle("stale", isStale);
  const isSimulated = estimate?.simulated === true || source?.isSimulated === true;
  let condition, atHelm;
  if (!link.isOpen) {
    condition = { state: link.lostAt ? "lost" : "wait",
      text: !mayRead ? "This browser needs a permission to show the values"
        : link.lostAt ? `No connection since ${figures.clockTime(arrivedOn ?? openedAt)}` : "Connecting …" };
  } else if (isStale) {
    // A source that is closed sends nothing to a page that was opened afterwards.
    const isClosed = source?.isOpen === false && source.fault;
    condition = { state: estimate || isClosed ? "lost" : "wait",
      text: isClosed ? source.fault[0].toUpperCase() + source.fault.slice(1)
        : estimate ? `No values since ${figures.clockTime(arrivedOn)}` + (source?.fault ? ": see Sensor health" : "") : "Waiting for values …" };
  } else {
    condition = figures.condition(estimate, north, isSimulated);
    atHelm = figures.headingCondition(estimate, north, isSimulated);
  }
  condition.isSimulated = isSimulated;
  const e = estimate ?? {};
  const accuracy = north === "true" ? e.trueHeadingAccuracy ?? e.headingAccuracy : e.headingAccuracy;
  helm?.show(atHelm ?? condition, { magnetic: e.magneticHeading, true: e.trueHeading },
    isKnown(accuracy) ? figures.bound(accuracy) + " (95\u00a0%)" : "accuracy not known");
  const { state } = condition;
  const isSevere = state === "lost" && condition.hasHeading !== undefined;
  const text = state === "live" ? "Live" : state === "simulated" ? "SIMULATED · not from sensors"
    : (isSimulated ? "SIMULATED · " : "") + condition.text + (isSevere ? ": see Sensor health" : "");
  put("strip", text);
  $("strip").dataset.state = state;
  $("dialogStrip").hidden = state === "live" || state === "wait";
  put("dialogStrip", text);
  $("dialogStrip").dataset.state = state;
};

let spokenAt = -Infinity;
const speak = () => {
  const now = performance.now() / 1000;
  if (!estimate || now - arrivedAt > freshness || now - spokenAt < spokenPause) return;
  spokenAt = now;
  const value = heading(estimate);
  put("spoken", isKnown(value)
    ? `Heading ${Math.round(value) % 360} degrees ${north}` + (isKnown(estimate.headingAccuracy) ? `, accuracy ${Math.round(estimate.headingAccuracy)} degrees` : "")
    : "No heading");
};

// The loop: figures at most five times a second, drawings over time twice a second.

const draw = () => {
  if (document.hidden) return;
  const now = performance.now() / 1000;
  const extremes = drawHistory($("historyPlot"), headings, now, { isAngle: true, least: 20, unit: "°" });
  put("historySummary", !extremes ? "" : extremes.isWhole ? "all headings"
    : `${figures.bearing(extremes.low)}° to ${figures.bearing(extremes.high)}° ${north}`);
  drawHistory($("altitudePlot"), altitudes, now, { isAngle: false, least: 4, unit: " m" });
  deviation.show(estimate);
  track.draw($("trackPlot"), estimate && estimate.trueHeading);
  const length = track.length;
  put("trackSummary", track.now ? `${figures.metres(length)} travelled` : "");
  if (isSkyDirty) showSky();
};

const tick = () => {
  showStrip();
  put("clock", estimate && estimate.time ? estimate.time.slice(11, 19) + " UTC" : "");
  if (document.hidden) return;
  if (isDirty) {
    isDirty = false;
    if (estimate) { showHeading(); showMotion(); showAltitude(); showField(); }
    showHealth();
    showSources();
  }
  sphere.draw($("sphere"));
  put("sphereNote", sphere.count === 0 ? "Each dot is a measurement of the field in the axes of the board."
    : `Each dot is a measurement in the axes of the board; ${sphere.seen} of ${sphere.total} sectors measured since the page was opened.`);
  calibration.render();
  calibration.draw();
  speak();
};

// The sphere turns by dragging and by the arrow keys.
for (const [id, one] of [["sphere", sphere], ["coverage", calibration.sphere]]) {
  const canvas = $(id);
  let last;
  canvas.addEventListener("pointerdown", (event) => { last = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => {
    if (!last) return;
    one.turn(event.clientX - last[0], event.clientY - last[1], canvas.clientWidth);
    last = [event.clientX, event.clientY];
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => { last = undefined; });
  canvas.addEventListener("keydown", (event) => {
    const move = { ArrowLeft: [-20, 0], ArrowRight: [20, 0], ArrowUp: [0, -20], ArrowDown: [0, 20] }[event.key];
    if (!move) return;
    event.preventDefault();
    one.turn(move[0], move[1], 200);
  });
}

const link = new Link(receive, () => {
  // The first failure may be a missing permission to read.
  if (link?.isOpen || link?.attempts === 1) get("/api/v1/status").then((status) => { if (status) takeStatus(status); });
  if (link) showStrip();
});
calibration.onToken = () => link.renew();
helm = new Helm({
  north: () => north, switchNorth: () => setNorth(north === "true" ? "magnetic" : "true"), changed: () => showStrip(),
});

showTheme();
showHealth();
draw();
calibration.useLink();
setInterval(tick, 200);
setInterval(draw, 500);
addEventListener("resize", () => { isSkyDirty = true; draw(); });
