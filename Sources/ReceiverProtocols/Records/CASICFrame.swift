import Quantities

/// A view of one CASIC frame with a valid checksum, as of the AT6558 and AT6668; valid only inside
/// the closure that receives the bytes.
///
/// The messages of one instant share the time since the receiver's start.
/// - Source: CASIC multimode receiver protocol specification 4.2.0.3, section 2.7, as translated by
///   casictool (spec/casic2.md); its frames of an AT6558. Accuracies are variances.
struct CASICFrame {
  /// Bytes before the payload and after it.
  static let (header, trailer) = (6, 4)
  /// The type.
  let kind: MessageKind
  private let fields: UBXFields

  /// Nil where the bytes are fewer than header and checksum.
  /// - Parameter bytes: the frame from its first synchronisation byte to its checksum.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= Self.header + Self.trailer else { return nil }
    kind = MessageKind(.casic, number: UInt16(bytes[4]) << 8 | UInt16(bytes[5]))
    fields = UBXFields(
      UnsafeBufferPointer(rebasing: bytes[Self.header..<bytes.count - Self.trailer]))
  }

  private var shortest: Int? {
    switch kind.number {
    case 0x0101: 28
    case 0x0102: 72
    case 0x0103: 80
    case 0x0110: 24
    default: nil
    }
  }

  /// True for a message that is decoded.
  var isKnown: Bool { shortest != nil }

  /// The message's values; nil where it is not decoded or too short.
  var record: SolutionRecord? {
    guard let shortest, fields.count >= shortest else { return nil }
    var record = SolutionRecord(kind)
    record.runTimeMilliseconds = fields.u4(0)
    switch kind.number {
    case 0x0101:
      (record.positionDilution, record.horizontalDilution) = (dilution(4), dilution(8))
      (record.verticalDilution, record.timeDilution) = (dilution(12), dilution(24))
    case 0x0102: readSolution(&record)
    case 0x0103: readPosition(&record)
    default: readUTC(&record)
    }
    return record
  }

  /// NAV-SOL: the earth-centred solution.
  private func readSolution(_ record: inout SolutionRecord) {
    record.solution = solution(fields.u1(4))
    record.satellitesUsed = Int(fields.u1(8))
    // Other sources of the time than GPS count weeks differently.
    let week = fields.u2(14)
    if fields.u1(6) == 0, week > 0, let seconds = Possible.number(fields.r8(16), 0...604_799.999) {
      (record.week, record.timeOfWeekMilliseconds) = (
        Int(week), UInt32(bounded: (seconds * 1000).rounded())
      )
    }
    let (x, y, z) = (fields.r8(24), fields.r8(32), fields.r8(40))
    let farthest = 1e8
    if abs(x) <= farthest, abs(y) <= farthest, abs(z) <= farthest {
      record.earthCentredPosition = EarthCentredPosition(x, y, z)
      record.positionAccuracyMetres = Possible.sigma(variance: Double(fields.r4(48)))
    }
    let velocity = (Double(fields.r4(52)), Double(fields.r4(56)), Double(fields.r4(60)))
    if solution(fields.u1(5)).dimension != .none, let x = Possible.speed(velocity.0),
      let y = Possible.speed(velocity.1), let z = Possible.speed(velocity.2)
    {
      record.earthCentredVelocity = EarthCentredVelocity(x, y, z)
      record.speedAccuracyMetresPerSecond = Possible.sigma(variance: Double(fields.r4(64)))
    }
    record.positionDilution = dilution(68)
  }

  /// NAV-PV: position and velocity.
  private func readPosition(_ record: inout SolutionRecord) {
    record.solution = solution(fields.u1(4))
    record.satellitesUsed = Int(fields.u1(7))
    record.positionDilution = dilution(12)
    record.position = Possible.position(
      latitudeDegrees: fields.r8(24), longitudeDegrees: fields.r8(16))
    record.ellipsoidalHeightMetres = Possible.height(Double(fields.r4(32)))
    // Receivers without a geoid send zero.
    let separation = Double(fields.r4(36))
    record.geoidSeparationMetres = separation == 0 ? nil : Possible.height(separation)
    record.horizontalAccuracyMetres = Possible.sigma(variance: Double(fields.r4(40)))
    record.verticalAccuracyMetres = Possible.sigma(variance: Double(fields.r4(44)))
    guard solution(fields.u1(5)).dimension != .none else { return }
    record.velocity = Possible.velocity(
      north: Double(fields.r4(48)), east: Double(fields.r4(52)), up: Double(fields.r4(56)))
    record.speedMetresPerSecond = Possible.number(Double(fields.r4(64)), 0...100_000)
    record.course = Possible.direction(degrees: Double(fields.r4(68)))
    record.speedAccuracyMetresPerSecond = Possible.sigma(variance: Double(fields.r4(72)))
    record.courseAccuracy = Possible.sigma(variance: Double(fields.r4(76)))
      .flatMap { Possible.sigma(degrees: $0) }
  }

  /// NAV-TIMEUTC: milliseconds, then the fields of u-blox' message. The specification omits the
  /// milliseconds, which frames of the AT6558 have.
  private func readUTC(_ record: inout SolutionRecord) {
    let (valid, dateValid, fromSatellites) = (fields.u1(21), fields.u1(23), 2)
    guard valid.bit(0), dateValid >= fromSatellites else { return }
    let milliseconds = min(Int32(fields.u2(12)), 999)
    // The third bit: the leap seconds are known.
    let time = UBXTime(
      fields, at: 14, valid: valid.bit(2) ? 0x07 : 0x03, nanoseconds: milliseconds * 1_000_000)
    record.utc = time.utc
    record.isUTCResolved = time.isFullyResolved
    // A variance in square metres, on the way of light.
    let speedOfLight = 299_792_458.0
    record.timeAccuracySeconds = Possible.sigma(variance: Double(fields.r4(4)))
      .map { $0 / speedOfLight }
  }

  /// The solution of a flag; those below 4 are entered, estimated or old positions.
  private func solution(_ flag: UInt8) -> SolutionRecord.Solution {
    switch flag {
    case 4: SolutionRecord.Solution(.deadReckoning)
    case 5, 7, 8: SolutionRecord.Solution(.threeDimensional)
    case 6: SolutionRecord.Solution(.threeDimensional, .two)
    default: .noFix
    }
  }

  private func dilution(_ offset: Int) -> Double? { Possible.dilution(Double(fields.r4(offset))) }
}

extension EarthCentredPosition {
  init(_ x: Double, _ y: Double, _ z: Double) { (xMetres, yMetres, zMetres) = (x, y, z) }
}

extension EarthCentredVelocity {
  init(_ x: Double, _ y: Double, _ z: Double) {
    (xMetresPerSecond, yMetresPerSecond, zMetresPerSecond) = (x, y, z)
  }
}
