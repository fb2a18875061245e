import EarthModel
import Monitoring
import Quantities

/// A monitor with a simulated receiver on a line east of home.
struct Fixture {
  static let start = UTCTime(nanosecondsSince1970: 1_767_571_200_000_000_000)
  static let home = GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11)

  var monitor: ApplicationMonitor
  var now = start
  var accuracy = 5.0
  var received: [MonitoringEvent] = []

  init(_ configuration: MonitoringConfiguration = MonitoringConfiguration()) {
    monitor = ApplicationMonitor(configuration: configuration)
  }

  static func circle(
    _ identifier: String = "home", radius: Double = 100, east: Double = 0
  ) -> MonitoredRegion {
    MonitoredRegion(
      identifier: identifier, condition: .circle(center: place(east), radiusMetres: radius))
  }

  /// The place at a distance east of home, metres.
  static func place(_ east: Double) -> GeodeticPosition {
    Geodesic.direct(from: home, bearing: Angle(degrees: 90), distanceMetres: east).position
  }

  mutating func perform(_ command: MonitoringCommand) { monitor.perform(command, at: now) }

  /// Fixes at a place for some seconds, one every `interval`.
  mutating func stand(east: Double, for seconds: Int, every interval: Int = 1) {
    for _ in stride(from: 0, to: seconds, by: interval) { fix(east, after: Double(interval)) }
  }

  /// Moves in a straight line, one fix a second.
  mutating func go(from: Double, to: Double, speed: Double) {
    let count = max(1, Int(bounded: abs(to - from) / speed))
    for step in 1...count { fix(from + (to - from) * Double(step) / Double(count), after: 1) }
  }

  /// Drives east in a straight line with the receiver's speed and course, a fix every `interval`.
  mutating func drive(from: Double, to: Double, speed: Double, every interval: Double = 1) {
    for east in stride(from: from, through: to, by: speed * interval) {
      fix(east, after: interval, speed: speed)
    }
  }

  mutating func fix(
    _ east: Double, after seconds: Double, motion: MotionState? = nil, speed: Double? = nil
  ) {
    now = now.advanced(bySeconds: seconds)
    var fix = PlaceFix(
      position: Self.place(east), horizontalAccuracyMetres: accuracy, time: now)
    fix.motion = motion
    (fix.speedMetresPerSecond, fix.courseDegrees) = (speed, speed.map { _ in 90 })
    monitor.process(fix)
  }

  /// Acknowledges the pending events and returns them as words.
  mutating func receive() -> [String] {
    let words = monitor.pending.map(Self.word)
    for event in monitor.pending {
      received.append(event)
      perform(.acknowledge(sequence: event.sequence))
    }
    return words
  }

  static func word(_ event: MonitoringEvent) -> String {
    switch event.kind {
    case .regionStarted(let region): "started \(region.identifier)"
    case .regionFailed(let region, let fault):
      "failed \(region?.identifier ?? "-") \(fault.rawValue)"
    case .regionState(let region, let state): "\(region.identifier) \(state.rawValue)"
    case .entered(let region): "entered \(region.identifier)"
    case .exited(let region): "exited \(region.identifier)"
    case .visit(let visit):
      (visit.departure == nil ? "arrived" : "departed")
        + (visit.arrival == nil ? " from start" : "")
    case .significantChange: "changed"
    case .condition(let event):
      "\(event.monitor).\(event.identifier) \(event.state.rawValue)"
        + (event.fault.map { " " + $0.rawValue } ?? "")
    }
  }
}
