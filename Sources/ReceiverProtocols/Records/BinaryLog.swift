import Quantities
import RealModule

/// A view of a binary log of NovAtel or Unicore with a valid CRC; valid only inside the closure that
/// receives the bytes.
/// - Source: NovAtel OEM7 commands and logs, "Binary"; Unicore N4 command reference, "Binary message
///   format"; pyunigps 1.0.1 has the same fields.
struct BinaryLog {
  /// The type, of NovAtel or Unicore.
  let kind: MessageKind
  private let header: UBXFields
  private let body: UBXFields

  /// Nil where the bytes are fewer than a header and a CRC.
  /// - Parameter bytes: the log from its first synchronisation byte to its CRC.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count > 4 else { return nil }
    let (long, short, unicore): (UInt8, UInt8, UInt8) = (0x12, 0x13, 0xB5)
    let headerLength: Int
    switch bytes[2] {
    case long: headerLength = Int(bytes[3])
    case short: headerLength = 12
    case unicore: headerLength = 24
    default: return nil
    }
    guard bytes.count >= headerLength + 4 else { return nil }
    header = UBXFields(UnsafeBufferPointer(rebasing: bytes[..<headerLength]))
    body = UBXFields(UnsafeBufferPointer(rebasing: bytes[headerLength..<bytes.count - 4]))
    kind = MessageKind(bytes[2] == unicore ? .unicore : .novatel, number: header.u2(4))
  }

  private enum Body {
    case bestPosition, bestNavigation, bestVelocity, heading, solution

    var least: Int {
      switch self {
      case .bestPosition: 66
      case .bestNavigation: 120
      case .bestVelocity: 40
      case .heading: 32
      case .solution: 112
      }
    }
  }

  /// False for a log of the second antenna (measurement source 1) and for a response; only the long
  /// header says it. Older receivers have other numbers there.
  /// - Source: NovAtel OEM7 commands and logs, binary message header, field 5.
  private var isOfFirstAntenna: Bool {
    guard kind.format == .novatel, header.count >= 24 else { return true }
    let type = header.u1(6)
    return type & 0x1F != 1 && !type.bit(7)
  }

  private var type: Body? {
    guard isOfFirstAntenna else { return nil }
    return switch (kind.format, kind.number) {
    case (.novatel, 42): .bestPosition
    case (.novatel, 99): .bestVelocity
    // HEADING and HEADING2.
    case (.novatel, 971), (.novatel, 1335): .heading
    case (.unicore, 2118): .bestNavigation
    case (.unicore, 972): .heading
    case (.unicore, 1021): .solution
    default: nil
    }
  }

  /// True for a log that is decoded.
  var isKnown: Bool { type != nil }

  /// The log's values; nil where it is not decoded or too short.
  var record: SolutionRecord? {
    guard let type, body.count >= type.least else { return nil }
    var record = SolutionRecord(kind)
    readHeader(&record)
    switch type {
    case .bestPosition: readPosition(&record)
    case .bestNavigation:
      readPosition(&record)
      readVelocity(&record, at: 72, sigma: Double(body.r4(116)))
    case .bestVelocity: readVelocity(&record, at: 0, sigma: nil)
    case .heading:
      record.attitude = status(at: 0).attitude(
        lengthMetres: Double(body.r4(8)), headingDegrees: Double(body.r4(12)),
        pitchDegrees: Double(body.r4(16)), Double(body.r4(24)), Double(body.r4(28)))
    case .solution: readSolution(&record)
    }
    return record
  }

  private func readHeader(_ record: inout SolutionRecord) {
    let isUnicore = kind.format == .unicore
    guard header.count >= 24 else { return }
    if isUnicore {
      let leapSeconds = header.u1(21)
      // Zero before it is known.
      if leapSeconds > 0, leapSeconds < 100 { record.leapSeconds = Int(leapSeconds) }
    }
    // FREEWHEELING, and FINEADJUSTING to FINESTEERING. Before that, the time may be wrong by whole
    // seconds.
    let (freewheeling, fine): (UInt8, ClosedRange<UInt8>) = (130, 140...180)
    let status = header.u1(isUnicore ? 9 : 13)
    guard status == freewheeling || fine.contains(status) else { return }
    record.setTime(
      week: Int(header.u2(isUnicore ? 10 : 14)), milliseconds: header.u4(isUnicore ? 12 : 16),
      isBeiDou: isUnicore && header.u1(8) == 1)
  }

  private func status(at offset: Int) -> LogValues {
    LogValues(isComputed: body.u4(offset) == 0, type: body.u4(offset + 4))
  }

  private func readPosition(_ record: inout SolutionRecord) {
    record.solution = status(at: 0).solution
    record.place(
      body.r8(8), body.r8(16), altitude: body.r8(24), separation: Double(body.r4(32)),
      sigmas: (Double(body.r4(40)), Double(body.r4(44)), Double(body.r4(48))),
      age: Double(body.r4(56)), satellitesUsed: Int(body.u1(65)))
  }

  private func readVelocity(_ record: inout SolutionRecord, at offset: Int, sigma: Double?) {
    let status = status(at: offset)
    guard status.isComputed, status.type != 0 else { return }
    record.move(
      body.r8(offset + 16), courseDegrees: body.r8(offset + 24), up: body.r8(offset + 32),
      sigma: sigma)
  }

  /// PVTSLN, in the order of its form in ASCII.
  private func readSolution(_ record: inout SolutionRecord) {
    record.solution = LogSolution.solution(body.u4(0)) ?? .noFix
    record.place(
      body.r8(8), body.r8(16), altitude: Double(body.r4(4)), separation: Double(body.r4(64)),
      sigmas: (Double(body.r4(28)), Double(body.r4(32)), Double(body.r4(24))),
      age: Double(body.r4(36)), satellitesUsed: Int(body.u1(69)))
    if let north = Possible.speed(body.r8(72)), let east = Possible.speed(body.r8(80)) {
      record.speedMetresPerSecond = (north * north + east * east).squareRoot()
      record.course = Angle(radians: .atan2(y: east, x: north)).wrappedToTurn
    }
    record.attitude = LogValues(isComputed: true, type: body.u4(96)).attitude(
      lengthMetres: Double(body.r4(100)), headingDegrees: Double(body.r4(104)),
      pitchDegrees: Double(body.r4(108)), nil, nil)
  }
}
