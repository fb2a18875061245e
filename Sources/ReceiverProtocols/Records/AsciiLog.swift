import Quantities
import RealModule

/// A log in ASCII of NovAtel and Unicore: `#NAME,` nine fields of header`;` the fields of its body.
/// - Source: NovAtel OEM7 commands and logs, "ASCII"; Unicore N4 command reference, "ASCII message
///   format"; pyunigps 1.0.1 has the same fields.
enum AsciiLog {
  /// Fields of the header after the name.
  static let headerFields = 9

  private enum Body {
    case bestPosition, bestNavigation, bestVelocity, heading, solution

    /// Number of fields after the header that are needed.
    var least: Int {
      switch self {
      case .bestPosition: 15
      case .bestNavigation: 28
      case .bestVelocity: 7
      case .heading: 8
      case .solution: 24
      }
    }
  }

  private static let names: [(StaticString, Body)] = [
    ("BESTPOSA", .bestPosition), ("BESTNAVA", .bestNavigation), ("BESTVELA", .bestVelocity),
    ("UNIHEADINGA", .heading), ("HEADINGA", .heading), ("HEADING2A", .heading),
    ("PVTSLNA", .solution),
  ]

  private static func body(_ name: ShortText) -> Body? {
    for (known, body) in names where name.matches(known) { return body }
    return nil
  }

  /// The log's values.
  /// - Returns: nil for a log that is not decoded.
  /// - Throws: `.malformed` with fewer fields than it needs.
  static func record(
    _ fields: inout SentenceFields
  ) throws(SentenceRejection) -> SolutionRecord? {
    let text = ShortText(fields.address)
    guard let body = body(text) else { return nil }
    guard fields.remaining >= headerFields + body.least else { throw .malformed }
    var record = SolutionRecord(MessageKind(.log, name: text))
    readHeader(&fields, &record)
    switch body {
    case .bestPosition: readPosition(&fields, &record)
    case .bestNavigation:
      readPosition(&fields, &record)
      // Numbers of satellites and masks of signals.
      fields.skip(6)
      readVelocity(&fields, &record)
      // The sigma of the vertical speed.
      fields.skip()
      record.speedAccuracyMetresPerSecond = fields.number().flatMap { Possible.sigma($0) }
    case .bestVelocity: readVelocity(&fields, &record)
    case .heading:
      let values = status(&fields)
      let length = fields.number()
      let (heading, pitch) = (fields.number(), fields.number())
      fields.skip()
      let headingSigma = fields.number()
      record.attitude = values.attitude(
        lengthMetres: length, headingDegrees: heading, pitchDegrees: pitch, headingSigma,
        fields.number())
    case .solution: readSolution(&fields, &record)
    }
    return record
  }

  /// Unicore: idle time, GPS or BDS, status, week, milliseconds, two fields, leap seconds, delay.
  /// NovAtel: port, sequence, idle time, status, week, seconds, three fields.
  private static func readHeader(
    _ fields: inout SentenceFields, _ record: inout SolutionRecord
  ) {
    fields.skip()
    let reference = fields.text().map { ShortText($0) }
    let isBeiDou = reference?.matches("BDS") ?? false
    let isUnicore = isBeiDou || reference?.matches("GPS") ?? false
    if !isUnicore { fields.skip() }
    let status = fields.text().map { ShortText($0) }
    let week = fields.integer(in: 0...9999)
    let time = fields.number(in: 0...(isUnicore ? 604_800_000 : 604_800))
    fields.skip(isUnicore ? 2 : 3)
    if isUnicore {
      let leapSeconds = fields.integer(in: 0...99)
      // Zero before it is known.
      if let leapSeconds, leapSeconds > 0 { record.leapSeconds = leapSeconds }
      fields.skip()
    }
    // Before that, the time may be wrong by whole seconds.
    let isKnown = status?.starts(with: "FINE") ?? false || status?.matches("FREEWHEELING") ?? false
    guard isKnown, let week, let time else { return }
    record.setTime(
      week: week, milliseconds: UInt32(bounded: (isUnicore ? time : time * 1000).rounded()),
      isBeiDou: isBeiDou)
  }

  /// The status and type of a solution.
  private static func status(_ fields: inout SentenceFields) -> LogValues {
    let status = fields.text().map { ShortText($0) }
    let type = fields.text().map { ShortText($0) }
    return LogValues(
      isComputed: status?.matches("SOL_COMPUTED") ?? false,
      type: LogSolution.number(type))
  }

  private static func readPosition(
    _ fields: inout SentenceFields, _ record: inout SolutionRecord
  ) {
    record.solution = status(&fields).solution
    let (latitude, longitude) = (fields.number(), fields.number())
    let (altitude, separation) = (fields.number(), fields.number())
    fields.skip()
    let sigmas = (fields.number(), fields.number(), fields.number())
    fields.skip()
    let age = fields.number()
    fields.skip(2)
    record.place(
      latitude, longitude, altitude: altitude, separation: separation, sigmas: sigmas, age: age,
      satellitesUsed: fields.integer(in: 0...999))
  }

  /// Status, type, latency, age, speed, course, vertical speed.
  private static func readVelocity(
    _ fields: inout SentenceFields, _ record: inout SolutionRecord
  ) {
    let status = status(&fields)
    fields.skip(2)
    let (speed, course, up) = (fields.number(), fields.number(), fields.number())
    guard status.isComputed, status.type != 0 else { return }
    record.move(speed, courseDegrees: course, up: up, sigma: nil)
  }

  /// PVTSLN: the best position, one by codes alone, velocity, heading, dilutions.
  private static func readSolution(
    _ fields: inout SentenceFields, _ record: inout SolutionRecord
  ) {
    let type = LogSolution.number(fields.text().map { ShortText($0) })
    record.solution = LogSolution.solution(type) ?? .noFix
    let (altitude, latitude, longitude) = (fields.number(), fields.number(), fields.number())
    let (height, north, east) = (fields.number(), fields.number(), fields.number())
    let age = fields.number()
    fields.skip(4)
    let separation = fields.number()
    fields.skip()
    let used = fields.integer(in: 0...999)
    fields.skip(2)
    record.place(
      latitude, longitude, altitude: altitude, separation: separation,
      sigmas: (north, east, height), age: age, satellitesUsed: used)
    let speeds = (
      north: fields.number(in: PrintedRange.speed), east: fields.number(in: PrintedRange.speed)
    )
    // No source has the sign of the vertical speed.
    fields.skip()
    if let north = speeds.north, let east = speeds.east {
      record.speedMetresPerSecond = (north * north + east * east).squareRoot()
      record.course = Angle(radians: .atan2(y: east, x: north)).wrappedToTurn
    }
    let headingType = LogSolution.number(fields.text().map { ShortText($0) })
    let length = fields.number()
    let (heading, pitch) = (fields.number(), fields.number())
    record.attitude = LogValues(isComputed: true, type: headingType).attitude(
      lengthMetres: length, headingDegrees: heading, pitchDegrees: pitch, nil, nil)
    fields.skip(4)
    record.geometricDilution = dilution(&fields)
    record.positionDilution = dilution(&fields)
    record.horizontalDilution = dilution(&fields)
    fields.skip()
    record.timeDilution = dilution(&fields)
  }

  private static func dilution(_ fields: inout SentenceFields) -> Double? {
    fields.number().flatMap { Possible.dilution($0) }
  }
}
