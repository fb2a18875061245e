import Quantities
import TerminalUI
import Glibc

func demo(_ t: Double) -> Estimate {
  var e = Estimate(timestamp: Timestamp(seconds: t) ?? Timestamp(nanoseconds: 0))
  let mode = getenv("DEMO").map { String(cString: $0) } ?? ""
  e.utc = UTCTime(secondsSince1970: 1_795_000_000 + t)
  if mode == "empty" { return e }
  let h = 123.4 + 40 * sin(t / 7) + (mode == "north" ? 230 : 0)
  e.magneticHeading = MagneticHeading(Angle(degrees: h))
  e.isLevelKnown = true
  e.attitude = Rotation(AttitudeAngles(heading: Angle(degrees: h), pitch: Angle(degrees: -1.2 + 4 * sin(t / 2)), roll: Angle(degrees: 9 * sin(t / 1.5 + 1))))
  e.rateOfTurn = AngularSpeed(radiansPerSecond: 40 / 7 * cos(t / 7) * .pi / 180)
  e.calibration = mode == "raw" ? .uncalibrated : .good
  e.disturbance = mode == "raw" ? .disturbed : .clean
  e.isSimulated = mode == "sim"
  if mode == "raw" { e.fixKind = FixKind.none; return e }
  e.headingAccuracy = Angle(degrees: 3.1)
  e.trueHeading = TrueHeading(Angle(degrees: h + 2.6))
  e.trueHeadingAccuracy = Angle(degrees: 3.2)
  e.fixKind = .threeDimensional
  e.position = GeodeticPosition(latitudeDegrees: 57.12345 + t * 1e-5, longitudeDegrees: 11.98765)
  e.horizontalAccuracyMetres = 3
  e.altitudeMetres = 12.3
  e.verticalAccuracyMetres = 4
  e.verticalSpeedMetresPerSecond = 0.3 * sin(t)
  e.speedMetresPerSecond = 3.2
  e.course = Angle(degrees: h + 12)
  e.satellitesUsed = 11
  return e
}
func now() -> Double { var ts = timespec(); clock_gettime(CLOCK_MONOTONIC, &ts); return Double(ts.tv_sec) + Double(ts.tv_nsec) * 1e-9 }
let start = now()
let frozen = getenv("FREEZE") != nil
if TerminalSession.isInteractive, TerminalCapability.current.addressesCursor {
  var display = CompassDisplay()
  try display.run { demo(frozen ? 0 : now() - start) }
} else {
  let line = PlainLine(isASCII: TerminalCapability.current.glyphs == .ascii)
  for i in 0..<5 { print(line.heading(demo(Double(i) * 3))) }
  for i in 0..<5 { print(line.location(demo(Double(i) * 3))) }
}
