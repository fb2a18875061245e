import Board
import Configuration
import Quantities
import ReceiverProtocols

/// A connection to any gpsd: rows with possible values, requests at their times, and messages of
/// one line.
struct GPSDSessionBody: FuzzBody {
  /// Steps of the time between two reads, seconds: also those after which silence is reported and
  /// the session is dead.
  private static let steps = [0, 0.001, 0.2, 1, 4.9, 5, 10, 30]
  private static let start = Timestamp(nanoseconds: 100_000_000_000)
  /// Limit of a message, scalars: eight devices of the greatest length of a peer's text with its
  /// escapes.
  private static let longestMessage = 4000

  private var session = GPSDSession(address: GPSDAddress(), startedAt: start)

  /// A line of 10 KiB, and sixteen devices with a path and a sky each.
  var mostHeldBytes: Int { 393_216 }

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    var generator = InputGenerator(input)
    // The first byte chooses the configuration.
    let choices = input.first ?? 0
    var compass: Board.Compass?
    if choices & 2 != 0 { compass = Board.Compass(port: choices & 8 != 0 ? "/dev/b" : nil) }
    var reports = 0
    var session = GPSDSession(
      address: GPSDAddress(device: choices & 1 != 0 ? "/dev/ttyACM0" : nil),
      startedAt: Self.start,
      headings: LineHeadings(
        ofReceiverBeside: compass.map { [$0] } ?? [],
        baseline: choices & 4 != 0
          ? Board.Baseline(direction: Angle(degrees: 90)) : Board.Baseline())
    ) {
      reports += 1
      return $0
    }
    var (now, rest) = (Self.start, input.dropFirst())
    var (rows, watches, lastAccepted, lastProbe) = (0, 0, Self.start, Self.start)
    while true {
      let piece = rest.prefix(Int.random(in: 0...max(1, rest.count), using: &generator))
      rest = rest.dropFirst(piece.count)
      let accepted = session.counts.accepted
      var received: [SensorSamples] = []
      session.push(UnsafeRawBufferPointer(rebasing: piece), at: now) { received.append($0) }
      for row in received { try Self.check(row, at: now) }
      if compass?.port != nil {
        try expect(received.allSatisfy { $0.heading == nil }, "a heading beside the compass's line")
      }
      rows += received.count
      try expect(rows <= reports, "\(rows) rows of \(reports) reports")
      try expect(session.hasReported == (reports > 0), "\(reports) reports, not noticed")
      if session.counts.accepted > accepted { lastAccepted = now }
      let notices = session.removeNotices()
      try expect(notices.count <= 2, "\(notices.count) notices of one read")
      for notice in notices { try Self.check(message: notice) }
      if let fault = session.fault(at: now) { try Self.check(message: fault.description) }
      if let source = session.source { try Self.check(message: source) }
      if let request = session.request(at: now) {
        if "\(request)".hasPrefix("?WATCH") {
          watches += 1
        } else {
          try expect(
            now.seconds(since: max(lastProbe, lastAccepted)) >= 4.99, "a probe too early")
          lastProbe = now
        }
      }
      try expect(watches <= 1, "reports are requested twice")
      try expect(
        !session.isDead(at: now) || now.seconds(since: lastAccepted) >= 29.99, "dead too early")
      if rest.isEmpty { break }
      now = now.advanced(bySeconds: Self.steps.randomElement(using: &generator) ?? 0)
    }
    try expect(
      session.counts.rejected >= 0 && session.counts.unreadableFields >= 0, "\(session.counts)")
  }

  mutating func accumulate(_ input: UnsafeRawBufferPointer) {
    session.push(UnsafeRawBufferPointer(rebasing: input.dropFirst()), at: Self.start) { _ in }
    _ = session.removeNotices()
  }

  /// Checks one row: a fix or a heading, at the time of its arrival.
  private static func check(_ row: SensorSamples, at now: Timestamp) throws(Violation) {
    try expect(row.timestamp == now, "a row of \(row.timestamp) at \(now)")
    try expect((row.fix == nil) != (row.heading == nil), "\(row)")
    if let fix = row.fix {
      try expect(fix.timestamp <= now, "a fix of \(fix.timestamp) at \(now)")
      try Bounds.place(fix.position)
      try Bounds.positive(
        fix.horizontalAccuracyMetres, fix.verticalAccuracyMetres, fix.speedMetresPerSecond,
        fix.speedAccuracyMetresPerSecond, fix.horizontalDilution, fix.verticalDilution)
      try Bounds.numbers(
        fix.altitudeMetres, fix.ellipsoidalAltitudeMetres, fix.verticalSpeedMetresPerSecond)
      try Bounds.direction(fix.course, "course")
    }
    if let heading = row.heading {
      try expect(heading.magnetic != nil || heading.true != nil, "an empty heading")
      try Bounds.direction(heading.magnetic?.angle, "magnetic heading")
      try Bounds.direction(heading.true?.angle, "true heading")
      try Bounds.positive(heading.accuracy?.radians)
    }
  }

  /// Checks that a message is one line for a person.
  private static func check(message: String) throws(Violation) {
    let scalars = message.unicodeScalars
    try expect(
      !scalars.isEmpty && scalars.count <= longestMessage, "a message of \(scalars.count) scalars")
    try expect(
      scalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) },
      "a control character in \(message.debugDescription)")
  }
}
