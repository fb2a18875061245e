import Quantities

/// A view of one Allystar frame with a valid checksum, as of the TAU1201 and TAU1302; valid only
/// inside the closure that receives the bytes.
///
/// The frame is that of UBX with other synchronisation bytes. No message but NAV-AUTO states whether
/// there is a fix; sentences of the same instant do.
/// - Source: Allystar GNSS receiver protocol specification 2.3, as in satpulse (gps/lib/asbin), which
///   has frames of a TAU1201, and gpsd's driver_allystar.c. The two agree on the fields below.
///   NAV-PVERR has its fields from gpsd's table alone. NAV-PVT is not decoded: gpsd, its only source,
///   has two meanings of its fix type.
struct AllystarFrame {
  /// Bytes before the payload and after it.
  private static let (header, trailer) = (6, 2)
  /// The type.
  let kind: MessageKind
  private let fields: UBXFields

  /// Nil where the bytes are fewer than header and checksum.
  /// - Parameter bytes: the frame from its first synchronisation byte to its checksum.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= Self.header + Self.trailer else { return nil }
    kind = MessageKind(.allystar, number: UInt16(bytes[2]) << 8 | UInt16(bytes[3]))
    fields = UBXFields(
      UnsafeBufferPointer(rebasing: bytes[Self.header..<bytes.count - Self.trailer]))
  }

  private var shortest: Int? {
    switch kind.number {
    case 0x0101, 0x0111, 0x0121: 20
    case 0x0102, 0x0126: 28
    case 0x0104: 18
    case 0x0105: 16
    case 0x0112: 36
    case 0x0130: 8
    case 0x01C0: 32
    default: nil
    }
  }

  /// True for a message that is decoded.
  var isKnown: Bool { shortest != nil }

  /// The message's values; nil where it is not decoded or too short.
  var record: SolutionRecord? {
    guard let shortest, fields.count >= shortest else { return nil }
    var record = SolutionRecord(kind)
    switch kind.number {
    case 0x0105: readTime(&record)
    case 0x01C0: readSummary(&record)
    case 0x0121: readUTC(&record)
    default:
      record.timeOfWeekMilliseconds = Self.known(fields.u4(0))
      readSolution(&record)
    }
    return record
  }

  private func readSolution(_ record: inout SolutionRecord) {
    switch kind.number {
    case 0x0101:
      record.earthCentredPosition = EarthCentredPosition(
        hundredths(4), hundredths(8), hundredths(12))
      record.positionAccuracyMetres = sigma(16, per: 100)
    case 0x0102:
      record.position = Possible.position(
        latitudeDegrees: fields.i4(8, per: 1e7), longitudeDegrees: fields.i4(4, per: 1e7))
      record.ellipsoidalHeightMetres = Possible.height(fields.i4(12, per: 1000))
      record.altitudeMetres = Possible.height(fields.i4(16, per: 1000))
      record.horizontalAccuracyMetres = sigma(20, per: 1000)
      record.verticalAccuracyMetres = sigma(24, per: 1000)
    case 0x0104:
      (record.geometricDilution, record.positionDilution) = (dilution(4), dilution(6))
      (record.timeDilution, record.verticalDilution) = (dilution(8), dilution(10))
      record.horizontalDilution = dilution(12)
    case 0x0111:
      guard let x = Possible.speed(hundredths(4)), let y = Possible.speed(hundredths(8)),
        let z = Possible.speed(hundredths(12))
      else { break }
      record.earthCentredVelocity = EarthCentredVelocity(x, y, z)
      record.speedAccuracyMetresPerSecond = sigma(16, per: 100)
    case 0x0112:
      record.velocity = Possible.velocity(
        north: hundredths(4), east: hundredths(8), up: -hundredths(12))
      record.speedMetresPerSecond = Possible.number(Double(fields.u4(20)) / 100, 0...100_000)
      record.course = Possible.direction(degrees: fields.i4(24, per: 1e5))
      record.speedAccuracyMetresPerSecond = sigma(28, per: 100)
      record.courseAccuracy = sigma(32, per: 1e5).flatMap { Possible.sigma(degrees: $0) }
    case 0x0126:
      record.latitudeErrorMetres = sigma(4, per: 1000)
      record.longitudeErrorMetres = sigma(8, per: 1000)
      record.verticalAccuracyMetres = sigma(12, per: 1000)
    default: readSatellites(&record)
    }
  }

  /// NAV-TIME: the leap seconds. Its week is modulo 1024, as the specification's example shows, so
  /// that it gives no date.
  ///
  /// Frames of a TAU1201 have an undocumented system (21, 24), with GPS time.
  private func readTime(_ record: inout SolutionRecord) {
    let (system, beidou, glonass) = (fields.u1(0), UInt8(1), UInt8(2))
    guard fields.u1(1).bit(2), system != beidou, system != glonass else { return }
    let leapSeconds = Int(fields.i2(10))
    if (0...60).contains(leapSeconds) { record.leapSeconds = leapSeconds }
  }

  /// NAV-TIMEUTC.
  private func readUTC(_ record: inout SolutionRecord) {
    record.timeOfWeekMilliseconds = Self.known(fields.u4(0)).map(Self.rounded)
    let valid = fields.u1(19)
    // Time of week and week; the third bit: the leap seconds.
    guard valid & 0x03 == 0x03 else { return }
    let time = UBXTime(fields, at: 12, valid: valid & 0x07, nanoseconds: fields.i4(8))
    record.utc = time.utc
    record.isUTCResolved = time.isFullyResolved
    record.timeAccuracySeconds = sigma(4, per: 1e9)
  }

  /// NAV-AUTO: solution and UTC in whole seconds. gpsd takes the speed as one in three dimensions,
  /// satpulse as one over ground.
  private func readSummary(_ record: inout SolutionRecord) {
    record.isSummary = true
    let solution: SolutionRecord.Solution =
      switch fields.u1(0) {
      case 3: SolutionRecord.Solution(.threeDimensional, .two)
      case 4: SolutionRecord.Solution(.threeDimensional)
      case 5: SolutionRecord.Solution(.differential)
      case 6: SolutionRecord.Solution(.rtkFloat)
      case 7: SolutionRecord.Solution(.rtkFixed)
      // 1 is an entered position, 2 the clock alone.
      default: .noFix
      }
    record.solution = solution
    record.satellitesUsed = Int(fields.u1(30))
    guard solution.dimension != .none else { return }
    record.utc = UBXTime(fields, at: 1, valid: 0x03, nanoseconds: 0).utc
    record.position = Possible.position(
      latitudeDegrees: fields.i4(12, per: 1e7), longitudeDegrees: fields.i4(8, per: 1e7))
    record.ellipsoidalHeightMetres = Possible.height(fields.i4(16, per: 1000))
    record.speedMetresPerSecond = fields.u2(20, per: 100)
    record.course = Possible.direction(degrees: Double(fields.i2(22)) / 100)
    (record.positionDilution, record.horizontalDilution) = (dilution(24), dilution(26))
    record.verticalDilution = dilution(28)
  }

  /// NAV-SVINFO: the satellites.
  private func readSatellites(_ record: inout SolutionRecord) {
    let (first, size, most) = (8, 24, 128)
    var satellites: [SkyView.Satellite] = []
    let count = min(Int(clamping: fields.u4(4)), (fields.count - first) / size, most)
    satellites.reserveCapacity(count)
    for index in 0..<count {
      let start = first + index * size
      guard let id = SatelliteID(allystar: fields.u2(start)) else { continue }
      let (flags, quality) = (fields.u1(start + 2), fields.u1(start + 3))
      let (signal, elevation) = (fields.u1(start + 4), Double(fields.i1(start + 5)))
      let azimuth = Possible.direction(degrees: Double(fields.i2(start + 6)))
      let (unhealthy, used, codeLocked) = (0, 3, UInt8(5))
      satellites.append(
        SkyView.Satellite(
          id: id, elevationDegrees: Possible.number(elevation, -90...90),
          azimuthDegrees: azimuth?.degrees,
          signalDecibelHertz: quality >= codeLocked && signal > 0 ? Double(signal) : nil,
          isUsed: flags.bit(used), isHealthy: flags.bit(unhealthy) ? false : nil))
    }
    record.satellites = satellites
  }

  // MARK: Values

  /// A time of week, milliseconds.
  private static func known(_ milliseconds: UInt32) -> UInt32? {
    milliseconds < 604_800_000 ? milliseconds : nil
  }

  /// The time of week of the solution: a TAU1201 sends 999 ms with the time of the next second.
  private static func rounded(_ milliseconds: UInt32) -> UInt32 {
    (milliseconds + 5) / 10 * 10 % 604_800_000
  }

  private func hundredths(_ offset: Int) -> Double { fields.i4(offset, per: 100) }

  private func sigma(_ offset: Int, per scale: Double) -> Double? {
    fields.accuracy4(offset, per: scale).flatMap { Possible.sigma($0) }
  }

  private func dilution(_ offset: Int) -> Double? {
    Possible.dilution(fields.u2(offset, per: 100))
  }
}

extension SatelliteID {
  /// Identifies a satellite of NAV-SVINFO.
  /// - Returns: nil for numbers above those of Galileo, which no source is sure of.
  /// - Source: satpulse, gps/internal/as/assats.go, which compared recorded frames with GSV.
  fileprivate init?(allystar number: UInt16) {
    switch number {
    case 1...32: self.init(constellation: .gps, number: number)
    case 33...64: self.init(constellation: .sbas, number: number + 87)
    case 65...96: self.init(constellation: .glonass, number: number - 64)
    case 120...158: self.init(constellation: .sbas, number: number)
    case 193...199: self.init(constellation: .qzss, number: number - 192)
    case 201...263: self.init(constellation: .beidou, number: number - 200)
    case 301...336: self.init(constellation: .galileo, number: number - 300)
    default: return nil
    }
  }
}
