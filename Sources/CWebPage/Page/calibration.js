// The guided calibration: permission, introduction, measuring, end.
import { get, post } from "./link.js";
import { bound, duration, isKnown, turn360, unknown } from "./figures.js";
import { ScreenHold } from "./screen.js";
import { FieldSphere } from "./sphere.js";

const $ = (id) => document.getElementById(id);
/** The predicted heading error of a good calibration, degrees. */
const goal = 3;
/** The predicted heading error below which a calibration can be saved, degrees. */
const limit = 6;
const steps = ["stepToken", "stepIntro", "stepRun", "stepEnd"];

const qualities = { good: "good", fair: "fair", poor: "poor", assumed: "assumed by the configuration", uncalibrated: "none" };

export class Calibration {
  constructor() {
    Object.assign(this, { report: { state: "idle" }, mayCalibrate: false, isLive: true, step: undefined, isOpen: false, isBusy: false });
    this.sphere = new FieldSphere();
    // The screen of the phone stays on while the boat turns.
    this.screen = new ScreenHold();
    this.beginRun();
    $("calibrate").onclick = () => this.open();
    $("hide").onclick = () => $("calibration").close();
    $("done").onclick = () => $("calibration").close();
    $("start").onclick = () => this.command("begin", "introFault");
    $("repeat").onclick = () => this.show("stepIntro");
    $("again").onclick = () => this.startOver();
    $("cancel").onclick = () => this.cancel();
    $("save").onclick = () => this.save();
    $("calibration").addEventListener("close", () => { this.isOpen = false; this.screen.set(false); this.showLine(); });
    $("codeForm").onsubmit = (event) => {
      event.preventDefault();
      this.useCode($("code").value.trim());
    };
    addEventListener("hashchange", () => this.useLink());
    for (const one of document.querySelectorAll("input[name=carrier]")) one.onchange = () => this.render();
    this.sphere.turned = false;
    this.showLine();
  }

  // Permission

  /** Uses the code of a one-time link, and removes it from the address. */
  useLink() {
    const code = new URLSearchParams(location.hash.slice(1)).get("code");
    if (!code) return Promise.resolve();
    history.replaceState(null, "", location.pathname + location.search);
    return this.useCode(code, true);
  }

  async useCode(text, isLink = false) {
    // A pasted link contains the code.
    const answer = await post("/api/v1/token", { code: text.replace(/^.*code=/, "") });
    $("tokenFault").textContent = "";
    if (answer.error) {
      // A browser that has a token already loses nothing by an old link.
      await this.refresh();
      if (isLink && this.mayCalibrate) return;
      if (!this.isOpen) this.open("stepToken");
      $("tokenFault").textContent = answer.error;
      return;
    }
    $("code").value = "";
    await this.refresh();
    this.mayCalibrate = true;
    this.onToken?.();
    if (this.isOpen) this.show(this.currentStep());
  }

  /** What a browser without a token may do. */
  setPermission({ mayCalibrate, mayRead }) {
    this.mayCalibrate = mayCalibrate === true;
    const isHidden = mayRead === false;
    $("tokenTitle").textContent = isHidden ? "This browser needs a permission" : "This browser may look, but not calibrate";
    $("tokenReason").textContent = isHidden ? "The values are shown to browsers with a permission only. On the board, run"
      : "Whoever changes the calibration needs a permission. On the board, run";
    if (isHidden && !this.isOpen && !this.hasAsked) {
      this.hasAsked = true;
      this.open("stepToken");
    } else if (!isHidden && this.hasAsked) {
      this.hasAsked = false;
      if (this.step === "stepToken") $("calibration").close();
    }
  }

  async refresh() {
    const status = await get("/api/v1/status");
    if (status) this.onStatus?.(status);
  }

  // The dialog

  currentStep() {
    if (this.isRunning) return "stepRun";
    return this.mayCalibrate ? "stepIntro" : "stepToken";
  }

  get isRunning() { return this.report.state === "collecting" || this.report.state === "ready"; }

  open(step) {
    this.isOpen = true;
    this.show(step ?? this.currentStep());
    const dialog = $("calibration");
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
  }

  show(step) {
    this.step = step;
    for (const one of steps) $(one).classList.toggle("shown", one === step);
    for (const fault of ["introFault", "runFault"]) $(fault).textContent = "";
    $("hide").textContent = step === "stepRun" ? "Hide" : "Close";
    this.screen.set(step === "stepRun" && this.isOpen);
    this.render();
    // The control that had the focus may be hidden now.
    if ($("calibration").open) $("calibrationTitle").focus();
  }

  // Commands

  async command(name, fault) {
    if (this.isBusy) return false;
    this.isBusy = true;
    this.render();
    const answer = await post("/api/v1/calibration/" + name, name === "begin" ? { use: this.carrier } : undefined);
    this.isBusy = false;
    if (answer.status === 401) {
      this.mayCalibrate = false;
      this.show("stepToken");
      if (this.isRunning) $("tokenFault").textContent = "The calibration continues, but this browser has no permission to change it.";
    } else if (answer.error) {
      $(fault).textContent = answer.error;
      this.render();
    } else {
      if (name === "begin") {
        this.beginRun();
        this.isOurs = true;
        if (!this.isRunning) this.report = { ...this.report, state: "collecting", use: this.carrier, samples: 0, coverage: 0, predictedHeadingError: undefined };
        this.show("stepRun");
      }
      this.render();
      return true;
    }
    return false;
  }

  async cancel() {
    this.isCancelled = true;
    if (await this.command("cancel", "runFault")) {
      this.end("off", "Cancelled", "Nothing was saved. The earlier calibration is still in use.");
    } else {
      this.isCancelled = false;
    }
  }

  async save() {
    const { predictedHeadingError: error, use } = this.report;
    // The message of the end may arrive before the answer.
    if (await this.command("save", "runFault") && this.step !== "stepEnd") this.endSaved(error, use);
  }

  /** Ends the session without a result and begins another: the calibration in use stays in use. */
  async startOver() {
    this.isCancelled = true;
    const isEnded = await this.command("cancel", "runFault");
    if (isEnded) await this.command("begin", "runFault");
    this.isCancelled = false;
  }

  /** The chosen use: of a carrier that stays level, or of a board in a hand. */
  get carrier() { return document.querySelector("input[name=carrier]:checked").value; }

  get isLevel() { return this.report.use === "level"; }

  // Measuring

  beginRun() {
    this.parts = new Array(36).fill(false);
    Object.assign(this, { turned: 0, turnedAt: undefined, now: undefined, startedAt: performance.now(), tilt: 0, level: undefined, isCancelled: false });
    this.sphere.begin();
  }

  /** Follows the turn from the first heading on: by the gyroscope, which the compass's errors do not change. */
  estimate(estimate) {
    const t = estimate.t;
    if (this.report.state !== "collecting" && this.report.state !== "ready") { this.turnedAt = undefined; return; }
    if (isKnown(estimate.rateOfTurn) && isKnown(t)) {
      if (isKnown(this.turnedAt) && t > this.turnedAt && t - this.turnedAt < 2) this.turned += estimate.rateOfTurn * (t - this.turnedAt);
      this.turnedAt = t;
    } else if (isKnown(estimate.magneticHeading)) {
      this.firstHeading ??= estimate.magneticHeading;
      this.turned = estimate.magneticHeading - this.firstHeading;
    } else {
      return;
    }
    this.rate = estimate.rateOfTurn;
    this.now = Math.min(35, Math.floor(turn360(this.turned) / 10));
    this.parts[this.now] = true;
    if (isKnown(estimate.roll) && isKnown(estimate.pitch)) this.tilt = Math.max(this.tilt, Math.hypot(estimate.roll, estimate.pitch));
  }

  field(points) {
    if (this.isRunning) this.sphere.add(points);
  }

  get missing() { return 10 * this.parts.filter((isSeen) => !isSeen).length; }

  receive(report) {
    const before = this.report;
    const wasRunning = this.isRunning;
    this.report = report;
    if (this.isRunning && !wasRunning) {
      // A session that another program began is displayed as well, from here on.
      if (!this.isOurs) this.beginRun();
      if (this.isOpen && this.step === "stepIntro") this.show("stepRun");
    }
    if (report.state === "failed" && before.state !== "failed" && wasRunning) {
      this.end("bad", "Not calibrated", (report.message ?? "The measurements give no calibration.") + " The earlier calibration is still in use.");
    } else if (report.state === "saved" && before.state !== "saved" && wasRunning) {
      this.endSaved(report.predictedHeadingError ?? before.predictedHeadingError, report.use ?? before.use, report.message);
    } else if (report.state === "idle" && wasRunning && this.step === "stepRun" && !this.isCancelled && !this.isBusy) {
      // The daemon saves a good calibration by itself.
      const error = report.predictedHeadingError ?? before.predictedHeadingError;
      if (report.quality === "good" && before.quality !== "poor" && error <= goal) this.endSaved(error, report.use);
      else this.end("off", "Ended", "The calibration was ended by another program. Nothing was saved here.");
    }
    if (report.state === "ready" && before.state === "collecting" && this.isOpen) navigator.vibrate?.(200);
    if (!this.isRunning) this.isOurs = false;
    this.render();
    this.showLine();
  }

  /** `notice` is why the calibration could not be stored. */
  endSaved(error, use, notice) {
    // A simulation and a recording store nothing.
    const since = notice ? `Attention: ${notice}.` : this.isLive ? "The new calibration is in use now and after each start." : "The new calibration is in use now.";
    const where = use === "level" ? " while level" : "";
    const text = isKnown(error) ? `Predicted heading error${where} ${bound(error).slice(1)} (one sigma). ${since}` : since;
    if (this.isOpen) navigator.vibrate?.([150, 100, 150]);
    this.end("good", "Saved", text);
  }

  end(state, title, text) {
    $("endMark").textContent = { good: "✓", bad: "✕", off: "–" }[state];
    $("endMark").dataset.state = state;
    $("endTitle").textContent = title;
    $("endText").textContent = text;
    if (this.step === "stepRun" || this.isOpen) this.show("stepEnd");
    if (this.isOpen) $("done").focus();
  }

  // Words

  get instruction() {
    if (Math.abs(this.rate ?? 0) > 60) return "Turn more slowly.";
    if (this.missing > 0) {
      if (this.parts.filter(Boolean).length < 3) return "Turn level in a slow circle, to either side.";
      const side = this.turned < 0 ? "left" : "right";
      return `Continue the circle to the ${side}: ${this.missing}° still missing.`;
    }
    const isReady = this.report.state === "ready";
    if (this.isLevel) {
      if (isReady) return Math.abs(this.turned) < 710 ? "Once around: save now, or go round a second time." : "Save now: more circles hardly help.";
      return Math.abs(this.turned) < 710 ? "Once around. Go round a second time." : "Turn in slow level circles until it can be saved.";
    }
    if (isReady) return "It can be saved now. Continue to turn and tilt for a better one.";
    if (this.tilt < 12) return "Now tilt it nose down and turn it round, then to each side.";
    return "Continue to turn and tilt, also upside down, until the bar is full.";
  }

  render() {
    const { report } = this;
    const text = (id, value) => { if ($(id).textContent !== value) $(id).textContent = value; };
    const error = report.predictedHeadingError;
    text("introNow", report.quality ? `In use now: ${qualities[report.quality] ?? report.quality}${isKnown(error) && !this.isRunning ? `, predicted error ${bound(error).slice(1)}${this.isLevel ? " while level" : ""}` : ""}.` : "");
    for (const list of document.querySelectorAll(".todo")) list.hidden = list.dataset.carrier !== this.carrier;
    text("carrierNote", this.carrier === "level" ? "Tilted, the heading is less certain: its stated accuracy grows with the tilt."
      : "A board that is fixed to something that stays level: choose the other one.");
    $("start").disabled = this.isBusy;
    if (this.step !== "stepRun") return;
    text("instruction", this.instruction);
    text("predicted", isKnown(error) ? (error > 25 ? "over 25°" : error.toFixed(1) + "°") : unknown);
    text("predictedName", this.isLevel ? "Level error" : "Predicted error");
    text("measured", `${36 - this.missing / 10} of 36 headings`);
    const part = isKnown(error) ? Math.min(1, goal / error) : Math.min(0.3, (report.coverage ?? 0) * 0.3);
    $("meterFill").style.transform = `scaleX(${Math.max(0, part).toFixed(3)})`;
    text("runNote", report.message ? report.message :
      `${duration((performance.now() - this.startedAt) / 1000)} · tilt up to ${Math.round(this.tilt)}° · it can be saved below ${limit}°; at ${goal}° the bar is full and it is saved by itself` +
      (isKnown(report.samples) && report.samples > 0 ? ` · ${report.samples} samples` : "") + ".");
    $("save").disabled = report.state !== "ready" || this.isBusy;
    text("save", report.state === "ready" ? "Save" : `Can be saved below ${limit}°`);
    $("again").disabled = $("cancel").disabled = this.isBusy;
  }

  /** The line on the page itself. */
  showLine() {
    const { quality, predictedHeadingError: error } = this.report;
    $("calibrationLine").textContent = this.isRunning ? "A calibration is running."
      : quality ? `Calibration: ${qualities[quality] ?? quality}${isKnown(error) ? `, predicted error ${error.toFixed(1)}°${this.isLevel ? " while level" : ""}` : ""}.` : "";
    $("calibrate").textContent = this.isRunning ? "Show the calibration" : "Calibrate the compass";
  }

  draw() {
    if (this.step === "stepRun" && this.isOpen) this.sphere.draw($("coverage"), { parts: this.parts, now: this.now });
  }
}
