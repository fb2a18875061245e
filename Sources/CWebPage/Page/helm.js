// The helm view: the heading over the whole screen, its state as plainly, and the turn to a course.
import { ScreenHold } from "./screen.js";
import { bearing, decimals, isKnown, turn180, turn360, unknown } from "./figures.js";

const $ = (id) => document.getElementById(id);
const put = (id, value) => { const node = $(id); if (node.textContent !== value) node.textContent = value; };
/** The turn at the ends of the bar, degrees. */
const reach = 30;

export class Helm {
  /** `page` has `north()`, `switchNorth()`, and `changed()`, which is called when the view opens or its course changes. */
  constructor(page) {
    Object.assign(this, { page, course: undefined, typed: "", isOpen: false, screen: new ScreenHold() });
    $("openHelm").onclick = () => this.open();
    $("closeHelm").onclick = () => this.close();
    $("helmNorth").onclick = () => this.press("t");
    $("helmTheme").onclick = () => window.switchTheme();
    for (const one of document.querySelectorAll("[data-steer]")) one.onclick = () => this.press(one.dataset.steer);
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=radio]), dialog")) return;
      if (this.press(event.key)) event.preventDefault();
    });
    addEventListener("hashchange", () => this.follow());
    this.follow();
  }

  /** Opens and closes by the address: #helm, #helm=270 or #helm=270T. */
  follow() {
    const [, value] = location.hash.match(/^#helm(?:=(.*))?$/) ?? [];
    const isWanted = /^#helm(=|$)/.test(location.hash);
    if (value !== undefined) {
      const found = value.match(/^(\d+(?:\.\d+)?)([MT]?)$/i);
      if (found && Number(found[1]) <= 360) {
        this.course = { degrees: turn360(Number(found[1])), north: found[2].toUpperCase() === "T" ? "true" : "magnetic" };
        if (this.course.north !== this.page.north()) this.page.switchNorth();
      }
    }
    if (isWanted === this.isOpen) return;
    this.isOpen = isWanted;
    $("helm").hidden = !isWanted;
    document.body.classList.toggle("atHelm", isWanted);
    this.typed = "";
    this.screen.set(isWanted);
    this.page.changed();
  }

  open() { location.hash = this.hash; }
  close() { history.pushState(null, "", location.pathname + location.search); this.follow(); }
  get hash() { return "helm" + (this.course ? `=${Math.round(this.course.degrees * 10) / 10}${this.course.north === "true" ? "T" : ""}` : ""); }

  /** Whether a key has a meaning: h on the page, the others in the view. */
  press(key) {
    if (key === "h") { if (this.isOpen) this.close(); else this.open(); return true; }
    if (!this.isOpen) return false;
    const typed = this.typed;
    this.typed = "";
    const north = this.page.north();
    const turn = (degrees) => { if (this.course) this.course.degrees = turn360(this.course.degrees + degrees); };
    if (key === "Escape") this.close();
    else if (key === "t") this.page.switchNorth();
    else if (key === "n") window.switchTheme();
    else if (key === "s") { if (isKnown(this.heading)) this.course = { degrees: Math.round(this.heading) % 360, north }; }
    else if (key === "+" || key === "=") turn(1);
    else if (key === "-") turn(-1);
    else if (key === "+10") turn(10);
    else if (key === "-10") turn(-10);
    else if (key === "x") { if (typed === "") this.course = undefined; }
    else if (/^[0-9]$/.test(key)) {
      this.typed = typed + key;
      if (this.typed.length === 3) {
        if (Number(this.typed) <= 360) this.course = { degrees: Number(this.typed) % 360, north };
        this.typed = "";
      }
    } else return false;
    if (this.isOpen) history.replaceState(null, "", "#" + this.hash);
    this.page.changed();
    return true;
  }

  /** `condition` as in figures.js; `headings` by the name of their north. */
  show(condition, headings, accuracy) {
    if (!this.isOpen) return;
    const north = this.page.north();
    this.heading = condition.hasHeading ? headings[north] : undefined;
    const hasNumber = isKnown(this.heading);
    // Tenths of a circle, so that 359.97 becomes 000.0.
    const tenths = hasNumber ? Math.round(turn360(this.heading) * 10) % 3600 : 0;
    put("helmNumber", hasNumber ? String(Math.floor(tenths / 10)).padStart(3, "0") + "." + (tenths % 10) : "");
    $("helm").dataset.state = hasNumber ? condition.state : "lost";
    put("helmWord", hasNumber ? condition.word : "NO HEADING");
    put("helmText", hasNumber || !condition.hasHeading ? condition.reason ?? condition.text : "True north needs a position and a date.");
    put("helmSimulated", condition.isSimulated && condition.word !== "SIMULATED" ? "SIMULATED" : "");
    put("helmWords", hasNumber ? `${north} · ${accuracy}` : north);
    put("helmNorth", north === "true" ? "Magnetic" : "True");
    this.showCourse(headings, north, hasNumber);
  }

  showCourse(headings, north, hasNumber) {
    const { course, typed } = this;
    $("steering").hidden = !course && typed === "";
    if (typed !== "") put("steerCourse", typed.padEnd(3, "_"));
    if (!course) { put("steerTurn", ""); put("steerSide", ""); $("steerFill").style.transform = "scaleX(0)"; return; }
    const own = hasNumber ? headings[course.north] : undefined;
    const turn = isKnown(own) ? turn180(course.degrees - own) : undefined;
    // A course keeps its direction where the other north is shown.
    const isShown = course.north === north || (isKnown(turn) && isKnown(headings[north]));
    if (typed === "") put("steerCourse", bearing(isShown && course.north !== north ? headings[north] + turn : course.degrees) + "°");
    put("steerName", isShown ? "Steer" : `Steer ${course.north}`);
    const isOn = isKnown(turn) && Math.abs(turn) < 0.05;
    put("steerTurn", !isKnown(turn) ? unknown : `${turn < 0 && !isOn ? "◀\u00a0" : ""}${decimals(Math.abs(turn), Math.abs(turn) < 100 ? 1 : 0)}°${turn > 0 && !isOn ? "\u00a0▶" : ""}`);
    put("steerSide", !isKnown(turn) ? "No heading" : isOn ? "On course" : turn < 0 ? "Turn left" : "Turn right");
    $("steerFill").style.transform = `scaleX(${isKnown(turn) && !isOn ? Math.max(-1, Math.min(1, turn / reach)).toFixed(3) : 0})`;
  }
}
