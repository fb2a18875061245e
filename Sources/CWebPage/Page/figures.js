// Numbers and states in words. Angles in degrees; an unknown value is undefined and becomes dashes.
export const unknown = "---";
export const isKnown = (value) => typeof value === "number" && Number.isFinite(value);
export const turn360 = (degrees) => ((degrees % 360) + 360) % 360;
/** The same angle from -180 up to 180. */
export const turn180 = (degrees) => turn360(degrees + 180) - 180;
/** Fixed decimals with a true minus sign, and no minus before zero. */
export const decimals = (value, count) => {
  const text = Math.abs(value).toFixed(count);
  return (value < 0 && Number(text) !== 0 ? "−" : "") + text;
};
/** A bearing in three digits, without the degree sign: "007". */
export const bearing = (degrees) =>
  isKnown(degrees) ? String(Math.round(turn360(degrees)) % 360).padStart(3, "0") : unknown;
export const bound = (degrees) =>
  isKnown(degrees) ? "±" + (degrees < 9.95 ? degrees.toFixed(1) : degrees.toFixed(0)) + "°" : unknown;
const points = ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"];
export const point = (degrees) => (isKnown(degrees) ? points[Math.round(turn360(degrees) / 22.5) % 16] : "\u00a0");
/** An angle with the name of its side: "4.1° E". */
export const sided = (degrees, positive, negative) =>
  isKnown(degrees) ? Math.abs(degrees).toFixed(1) + "° " + (degrees < 0 ? negative : positive) : unknown;

/** The angle from magnetic to true north, east positive. */
export const declination = (estimate) =>
  isKnown(estimate.trueHeading) && isKnown(estimate.magneticHeading)
    ? turn180(estimate.trueHeading - estimate.magneticHeading) : undefined;

const minutes = (degrees, width, positive, negative) => {
  if (!isKnown(degrees)) return unknown;
  // Thousandths of a minute as one integer, so that 59.9996 does not become 60.000.
  const count = Math.round(Math.abs(degrees) * 60000);
  const whole = String(Math.floor(count / 60000)).padStart(width, "0");
  const rest = ((count % 60000) / 1000).toFixed(3).padStart(6, "0");
  return `${whole}° ${rest}′ ${degrees < 0 ? negative : positive}`;
};
export const latitude = (degrees) => minutes(degrees, 2, "N", "S");
export const longitude = (degrees) => minutes(degrees, 3, "E", "W");
export const metres = (value) =>
  value < 9.95 ? value.toFixed(1) + "\u00a0m" : value < 1000 ? value.toFixed(0) + "\u00a0m" : (value / 1000).toFixed(1) + "\u00a0km";
export const clockTime = (date) => date.toTimeString().slice(0, 8);
export const duration = (seconds) => {
  const s = Math.max(0, Math.floor(seconds));
  if (s < 3600) return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
  const hours = Math.floor(s / 3600);
  return hours < 48 ? `${hours} h ${Math.floor((s % 3600) / 60)} min` : `${Math.floor(hours / 24)} days`;
};

/** How the field compares with the model: "12 % stronger than the model"; undefined without a model. */
export const strength = (estimate) => {
  if (!isKnown(estimate.fieldStrength) || !(estimate.modelFieldStrength > 0)) return undefined;
  const percent = Math.round((estimate.fieldStrength / estimate.modelFieldStrength - 1) * 100);
  if (percent === 0) return "as strong as the model";
  return `${Math.abs(percent)}\u00a0% ${percent > 0 ? "stronger" : "weaker"} than the model`;
};

/** Seconds since an instant of the estimate's own clock, in words; empty where it is not known. */
const since = (estimate, begin) => {
  const seconds = isKnown(estimate.t) && isKnown(begin) ? estimate.t - begin : 0;
  return seconds < 1 ? "" : ` for ${seconds < 120 ? Math.floor(seconds) + " s" : duration(seconds)}`;
};

/** Why there is no heading, or why it is carried on: a state, what it is, and what to do. */
const lostHeading = (estimate) => {
  const doctor = "Check its cable and power; on the board, 'lodestar doctor' says why.";
  switch (estimate.headingState) {
    case "lost": return { state: "bad", text: `silent${since(estimate, estimate.headingStateSince)}.`, act: doctor };
    case "late": return { state: "warn", text: "late: the heading is carried on without it.", act: doctor };
    case "ended": return { state: "off", text: "the recording is over." };
    default:
      return isKnown(estimate.magneticHeading) || isKnown(estimate.trueHeading) ? undefined
        : { state: "bad", text: "no heading yet.", act: "Let the board rest for some seconds." };
  }
};

/** What is missing, for the strip; undefined while heading and position are there. */
export const missing = (estimate) => {
  const { headingState, positionState } = estimate ?? {};
  if (headingState === "ended" || positionState === "ended") return "The recording is over";
  const heading = headingState === "lost" ? "heading" : undefined;
  // A receiver that still searches matters beside a lost heading too.
  const isLost = positionState === "lost" || (heading && positionState === "awaited");
  // For some minutes the position is carried on.
  const position = isLost ? (isKnown(estimate.latitude) ? "fix" : "position") : undefined;
  if (heading && position) return `No heading and no ${position}`;
  return heading || position ? `No ${heading ?? position}` : undefined;
};

/** Accuracy (95 %) from which a heading is inaccurate, degrees. */
const inaccurate = 20;

/** The state of the heading alone: `state` (live, simulated, warn, lost), `word` for the helm, `text`, and whether there is a
    heading to be shown. */
export const headingCondition = (estimate, north, isSimulated) => {
  const { headingState } = estimate;
  const hasHeading = [estimate.magneticHeading, estimate.trueHeading].some(isKnown)
    && headingState !== "lost" && headingState !== "ended";
  const found = (state, word, text) => ({ state, word, text, hasHeading, isSimulated });
  if (!hasHeading) {
    const why = lostHeading(estimate);
    const isAwaited = headingState === "awaited";
    return { ...found(isAwaited ? "warn" : "lost", "NO HEADING", isAwaited ? "No heading yet" : "No heading"),
      reason: why && `${headingState === "ended" ? "" : "Compass: "}${why.text}` };
  }
  if (headingState === "contradicted" || isKnown(estimate.tiltContradiction)) {
    return found("lost", "CONTRADICTED", `Do not steer by this heading${estimate.inputFault ? ": " + estimate.inputFault : ""}`);
  }
  if (headingState === "late") return found("warn", "LATE", "The compass is late: the heading is carried on");
  const accuracy = north === "true" ? estimate.trueHeadingAccuracy ?? estimate.headingAccuracy : estimate.headingAccuracy;
  if (!(accuracy <= inaccurate)) {
    return found("warn", "INACCURATE", isKnown(accuracy) ? "The heading is inaccurate" : "The heading's accuracy is not known");
  }
  return isSimulated ? found("simulated", "SIMULATED", "Not from sensors") : found("live", "", "");
};

/** The most severe state of heading and position. A board without a compass is judged by its position. */
export const condition = (estimate, north, isSimulated) => {
  const heading = headingCondition(estimate, north, isSimulated);
  const { headingState, positionState } = estimate;
  const found = (state, text) => ({ ...heading, state, text });
  if (heading.word === "CONTRADICTED") return heading;
  const lost = missing(estimate);
  if (lost) return found("lost", lost);
  const hasCompass = headingState !== undefined || heading.hasHeading;
  if (hasCompass && (heading.state === "lost" || heading.state === "warn")) return heading;
  if (positionState === "awaited") return found("warn", "No position yet: the receiver searches");
  if (positionState === "contradicted") return found("warn", "The position contradicts the motion");
  if (positionState === "late") return found("warn", "No fix: the position is carried on");
  return isSimulated ? found("simulated", "Not from sensors") : found("live", "");
};

const compass = (estimate, source) => {
  const name = "Compass";
  if (source && source.isOpen && !source.hasMagnetometer && !source.hasCompass) {
    return { name, state: "off", text: "no magnetometer.", act: "Attach one; lodestar probe shows what answers." };
  }
  const lost = lostHeading(estimate);
  if (lost) return { name, ...lost };
  if (estimate.inputFault) {
    return { name, state: "bad", text: `cannot be trusted: ${estimate.inputFault}.`, act: "Run lodestar check." };
  }
  if (isKnown(estimate.compassContradiction)) {
    return { name, state: "bad", text: `differs from the course by ${Math.abs(Math.round(estimate.compassContradiction))}°.`,
      act: "Do not steer by it. Look for iron or current near the sensor, then calibrate again." };
  }
  if (isKnown(estimate.tiltContradiction)) {
    return { name, state: "bad", text: `roll and pitch contradict gravity by ${Math.abs(Math.round(estimate.tiltContradiction))}°.`, act: "Run lodestar check." };
  }
  if (estimate.headingState === "contradicted") {
    return { name, state: "bad", text: `is contradicted${since(estimate, estimate.headingStateSince)}.`, act: "Do not steer by it. Run lodestar check." };
  }
  const accuracy = isKnown(estimate.headingAccuracy) ? `±${Math.max(1, Math.round(estimate.headingAccuracy))}° (95\u00a0%)` : "accuracy not known";
  const wide = estimate.headingAccuracy > inaccurate;
  switch (estimate.calibration) {
    case "good":
    case "fair":
      return wide
        ? { name, state: "warn", text: `${accuracy}, calibration ${estimate.calibration}.`, act: "The accuracy improves when the board has turned." }
        : { name, state: "good", text: `${accuracy}, calibration ${estimate.calibration}.` };
    case "poor":
      return { name, state: "warn", text: `${accuracy}, calibration poor.`, act: "Calibrate the compass again, with more tilt." };
    case "assumed":
      return { name, state: "good", text: `${accuracy}, calibration assumed by the configuration.` };
    case "uncalibrated":
      return { name, state: "bad", text: `${accuracy}, not calibrated.`, act: "Calibrate the compass: it takes some minutes." };
    default:
      return { name, state: wide ? "warn" : "good", text: `${accuracy}.` };
  }
};

const field = (estimate) => {
  const than = strength(estimate);
  const away = "Move phones, loudspeakers, tools and cables with current away from the sensor.";
  switch (estimate.disturbance) {
    case "disturbed":
      return { name: "Magnetic disturbance", state: "warn", act: away,
        text: (than && !than.startsWith("as") ? `the field is ${than}.` : "the field does not match the earth’s.") + " The heading relies on the gyroscope." };
    case "magnet nearby":
      return { name: "Magnet nearby", state: "bad", act: away,
        text: than && !than.startsWith("as") ? `the field is ${than}.` : "the field is far from the earth’s." };
    case "recovering":
      return { name: "Magnetic field", state: "warn", text: "matches the earth’s again; the heading returns to it.", act: "Wait some seconds." };
    case "clean":
      return { name: "Magnetic field", state: "good",
        text: isKnown(estimate.fieldStrength) ? `${estimate.fieldStrength.toFixed(0)}\u00a0µT${than ? ", " + than : ""}.` : "undisturbed." };
    default:
      return { name: "Magnetic field", state: "off", text: "not known yet." };
  }
};

const motion = (estimate) => {
  const name = "Motion sensors";
  switch (estimate.attitudeMode) {
    case "9-axis": return { name, state: "good", text: "all in use." };
    case "gyroscope and accelerometer":
      return { name, state: "warn", text: "the magnetometer is not in use; the heading drifts.", act: "See Compass and Magnetic field." };
    case "accelerometer and magnetometer":
      return { name, state: "warn", text: "no gyroscope: the heading is unsteady in waves.", act: "An inertial unit with a gyroscope removes this." };
    case "magnetometer":
      return { name, state: "warn", text: "magnetometer alone: tilt makes the heading wrong.", act: "Keep the board level, or attach an inertial unit." };
    case "accelerometer": return { name, state: "warn", text: "accelerometer alone: roll and pitch, no heading." };
    default: return { name, state: "off", text: "none reports." };
  }
};

const fixWords = {
  "2D": "2D fix", "3D": "3D fix", simulated: "simulated fix", network: "position from radio networks",
  differential: "differential fix", "dead reckoning": "dead reckoning",
};
const position = (estimate, source) => {
  const name = "Position";
  if (source && source.isOpen && !source.hasReceiver && !isKnown(estimate.latitude)) {
    return { name, state: "off", text: "no receiver.", act: "Attach a GNSS receiver; true north and the track need one." };
  }
  if (estimate.positionState === "lost" && !isKnown(estimate.latitude)) {
    return { name: "No fix", state: "bad", text: `no position${since(estimate, estimate.positionStateSince)}.`,
      act: "Check antenna, sky and the receiver's cable; on the board, 'lodestar doctor' says why." };
  }
  if (estimate.positionState === "ended") return { name, state: "off", text: "the recording is over." };
  if (!isKnown(estimate.latitude) || estimate.fix === "none") {
    return { name: "No fix", state: "bad", text: "the receiver has no position.",
      act: "Give the antenna a free view of the sky. The first fix takes from 30 s to several minutes." };
  }
  const accuracy = isKnown(estimate.horizontalAccuracy) ? `, ±${metres(estimate.horizontalAccuracy)} (68\u00a0%)` : "";
  const text = (fixWords[estimate.fix] ?? (estimate.fix ? estimate.fix + " fix" : "known")) + accuracy + ".";
  if (estimate.fix === "dead reckoning") {
    return { name, state: "warn", text, act: "No satellites: the position drifts. Check antenna and sky." };
  }
  if (estimate.horizontalAccuracy > 50) return { name, state: "warn", text, act: "Give the antenna a free view of the sky." };
  if (estimate.fix === "2D") return { name, state: "warn", text, act: "No altitude: too few satellites." };
  return { name, state: "good", text };
};

/** The rows of several sources of positions: whether each is used, and the cells of the table. */
export const sources = (source) => (source?.receivers ?? []).map((r) => ({
  isUsed: r.isUsed === true,
  cells: [
    r.name, r.fix === "none" ? "no fix" : r.fix,
    !isKnown(r.accuracy) ? unknown : "±" + (r.accuracy < 1 ? `${Math.round(r.accuracy * 100)} cm` : metres(r.accuracy)),
    isKnown(r.age) ? `${r.age} s` : "now",
    r.isUsed ? "–" : isKnown(r.distance) ? metres(r.distance) : unknown,
    r.isUsed ? "used" + (r.reason ? `, but ${r.reason}` : "") : r.reason ?? "not used",
  ],
}));

/** The rows of the sensor health: a name, a state (good, warn, bad, off), what it is, and what to do. */
export const health = (estimate, source) => {
  const rows = [];
  if (source && source.fault) rows.push({ name: "Sensors", state: "bad", text: source.fault });
  for (const text of (source && source.troubles) || []) {
    rows.push({ name: "Sensors", state: "warn", text: text + ".", act: "On the board, 'lodestar doctor' says why and what to do." });
  }
  if (!estimate) {
    for (const name of ["Compass", "Magnetic field", "Motion sensors", "Position"]) rows.push({ name, state: "off", text: "no values yet." });
    return rows;
  }
  rows.push(compass(estimate, source), field(estimate), motion(estimate), position(estimate, source));
  return rows;
};
