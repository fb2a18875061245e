import Quantities

/// A view of one block of Septentrio's SBF with a valid checksum; valid only inside the closure that
/// receives the bytes.
///
/// Septentrio marks values that it does not know: all bits of unsigned numbers are set, the lowest
/// value of signed ones, and -2e10 for the others. They are nil.
/// - Source: Septentrio mosaic-X5 reference guide 4.14, chapter 4; pysbf2 1.0.7 has the same fields;
///   the offset of 10 dB-Hz in MeasEpoch also RTKLIB's septentrio.c.
struct SBFBlock {
  private let fields: UBXFields
  /// The type.
  let kind: MessageKind

  /// - Parameter bytes: the block from `$@`, at least 16.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    fields = UBXFields(bytes)
    // The upper three bits are the revision.
    kind = MessageKind(.sbf, number: fields.u2(4) & 0x1FFF)
  }

  /// The block's values; nil where it is not decoded or too short.
  var record: SolutionRecord? {
    guard let shortest = Self.shortest(kind.number), fields.count >= shortest else { return nil }
    var record = SolutionRecord(kind)
    let (timeOfWeek, week) = (fields.u4(8), fields.u2(12))
    // A week has 604 800 s.
    if timeOfWeek < 604_800_000 { record.timeOfWeekMilliseconds = timeOfWeek }
    if week != .max { record.week = Int(week) }
    switch kind.number {
    case 4007: readPVT(&record)
    case 5906: readPositionCovariance(&record)
    case 5908: readVelocityCovariance(&record)
    case 4001: readDilutions(&record)
    case 5938: readAttitude(&record)
    case 5939: readAttitudeErrors(&record)
    case 5914:
      let leapSeconds = fields.i1(20)
      if leapSeconds != .min { record.leapSeconds = Int(leapSeconds) }
    case 5921: record.endsEpoch = true
    case 4014: readReceiver(&record)
    case 4092: readRadio(&record)
    case 4082: readQuality(&record)
    case 4013: readChannels(&record)
    case 4027: readMeasurements(&record)
    default: return nil
    }
    return record
  }

  /// True for a block that is decoded.
  var isKnown: Bool { Self.shortest(kind.number) != nil }

  /// The length of the block's first revision; nil for one that is not decoded.
  private static func shortest(_ number: UInt16) -> Int? {
    switch number {
    case 4007: 88
    case 5906, 5908: 56
    case 4001: 24
    case 5938: 32
    case 5939: 28
    case 5914: 22
    case 5921: 14
    case 4014: 28
    case 4092: 20
    case 4082: 16
    case 4013, 4027: 20
    default: nil
    }
  }

  // MARK: Blocks

  /// ReceiverStatus: the run time, and too much current of the antenna.
  private func readReceiver(_ record: inout SolutionRecord) {
    var trouble = SolutionRecord.Trouble()
    trouble.uptimeSeconds = Double(fields.u4(16))
    let antennaError = 5
    // Without this error the antenna may still be open.
    if fields.u1(24).bit(antennaError) { trouble.antenna = .short }
    record.trouble = trouble
  }

  /// RFStatus: bands with interference, and signals that are not authentic.
  ///
  /// Each band that is listed is disturbed: mode 1 is a notch filter that was set by hand, 2
  /// interference that is suppressed, 8 interference that is not; they are bits. The flags are
  /// misleading and inauthentic signals.
  /// - Source: the guide, RFStatus; Septentrio's ROS driver (communication/message_handler.cpp)
  ///   reads the same bits as mitigated and present interference.
  private func readRadio(_ record: inout SolutionRecord) {
    var trouble = SolutionRecord.Trouble()
    let (count, size, first, info) = (Int(fields.u1(14)), Int(fields.u1(15)), 20, 6)
    trouble.interference = SignalState.Interference.none
    for band in 0..<count {
      let start = first + band * size
      guard size > info, start + info < fields.count else { break }
      let (suppressed, present) = (1, 3)
      let mode = fields.u1(start + info)
      if mode.bit(suppressed) || mode.bit(present) { trouble.interference = .warning }
    }
    switch fields.u1(16) & 0x03 {
    case 0: trouble.spoofing = SignalState.Spoofing.none
    case 3: trouble.spoofing = .multiple
    default: trouble.spoofing = .indicated
    }
    record.trouble = trouble
  }

  /// QualityInd: estimates from 0 to 10, each with its type in the lower byte; 15 is unknown.
  private func readQuality(_ record: inout SolutionRecord) {
    var quality = ReceiverQuality()
    let (first, best) = (16, UInt8(10))
    for index in 0..<Int(fields.u1(14)) where first + 2 * index + 2 <= fields.count {
      let indicator = fields.u2(first + 2 * index)
      let value = indicator.bits(8, count: 4)
      guard value <= best else { continue }
      switch indicator & 0xFF {
      case 0: quality.overall = Int(value)
      case 1: quality.signals = Int(value)
      case 11: quality.antennaPower = Int(value)
      case 21: quality.processor = Int(value)
      default: break
      }
    }
    guard !quality.isEmpty else { return }
    var trouble = SolutionRecord.Trouble()
    trouble.quality = quality
    record.trouble = trouble
  }

  /// ChannelStatus: the satellites, of the main antenna.
  private func readChannels(_ record: inout SolutionRecord) {
    let (size, stateSize) = (Int(fields.u1(15)), Int(fields.u1(16)))
    let (shortest, shortestState) = (12, 8)
    guard size >= shortest, stateSize >= shortestState else { return }
    var satellites: [SkyView.Satellite] = []
    var start = 20
    for _ in 0..<Int(fields.u1(14)) {
      guard start + size <= fields.count else { break }
      let states = Int(fields.u1(start + 9))
      let end = start + size + states * stateSize
      if let satellite = satellite(start, states: start + size..<min(end, fields.count), stateSize)
      {
        satellites.append(satellite)
      }
      start = end
    }
    record.satellites = satellites
  }

  private func satellite(
    _ start: Int, states: Range<Int>, _ stateSize: Int
  ) -> SkyView.Satellite? {
    // Satellites above 255 have 0 here and their number in the next field.
    let short = fields.u1(start)
    guard let id = SatelliteID(sbf: short == 0 ? fields.u2(start + 2) : UInt16(short)) else {
      return nil
    }
    var isUsed = false
    for state in stride(from: states.lowerBound, to: states.upperBound, by: stateSize)
    where state + 8 <= states.upperBound && fields.u1(state) == 0 {
      // Two bits for each signal; 2: used.
      isUsed = isUsed || Self.pairs(fields.u2(state + 4)).contains(2)
    }
    let health = Self.pairs(fields.u2(start + 6))
    let (azimuth, elevation) = (Double(fields.u2(start + 4) & 0x1FF), fields.i1(start + 8))
    return SkyView.Satellite(
      id: id, elevationDegrees: Possible.number(Double(elevation), -90...90),
      azimuthDegrees: Possible.number(azimuth, 0...360), isUsed: isUsed,
      isHealthy: health.contains(3) ? false : health.contains(1) ? true : nil)
  }

  private static func pairs(_ bits: UInt16) -> [UInt8] {
    (0..<8).map { bits.bits(2 * $0, count: 2) }
  }

  /// MeasEpoch: the strongest signal of each satellite at the main antenna.
  private func readMeasurements(_ record: inout SolutionRecord) {
    let (size, otherSize) = (Int(fields.u1(15)), Int(fields.u1(16)))
    let (shortest, shortestOther) = (20, 12)
    guard size >= shortest, otherSize >= shortestOther else { return }
    var satellites: [SkyView.Satellite] = []
    var start = 20
    for _ in 0..<Int(fields.u1(14)) {
      guard start + size <= fields.count else { break }
      let others = Int(fields.u1(start + 19))
      var best = signal(type: fields.u1(start + 1), fields.u1(start + 15))
      for other in 0..<others {
        let at = start + size + other * otherSize
        guard at + otherSize <= fields.count else { break }
        best = [best, signal(type: fields.u1(at), fields.u1(at + 2))].compactMap { $0 }.max()
      }
      if let best, let id = SatelliteID(sbf: UInt16(fields.u1(start + 2))) {
        satellites.append(SkyView.Satellite(id: id, signalDecibelHertz: best))
      }
      start += size + others * otherSize
    }
    record.satelliteSignals = satellites
  }

  /// The carrier to noise density of a signal at the main antenna, dB-Hz, in quarters above 10;
  /// above 0 for GPS' P codes.
  private func signal(type: UInt8, _ quarters: UInt8) -> Double? {
    let (antenna, number) = (type >> 5, type & 0x1F)
    guard antenna == 0, quarters != .max else { return nil }
    return Double(quarters) / 4 + (number == 1 || number == 2 ? 0 : 10)
  }

  /// PVTGeodetic.
  private func readPVT(_ record: inout SolutionRecord) {
    record.solution = solution(mode: fields.u1(14), error: fields.u1(15))
    if let latitude = known(fields.r8(16)), let longitude = known(fields.r8(24)) {
      let degrees = 180 / Double.pi
      record.position = Possible.position(
        latitudeDegrees: latitude * degrees, longitudeDegrees: longitude * degrees)
    }
    record.ellipsoidalHeightMetres = known(fields.r8(32)).flatMap { Possible.height($0) }
    record.geoidSeparationMetres = known(fields.r4(40)).flatMap { Possible.height($0) }
    if let north = known(fields.r4(44)), let east = known(fields.r4(48)),
      let up = known(fields.r4(52))
    {
      record.velocity = Possible.velocity(north: north, east: east, up: up)
    }
    record.course = known(fields.r4(56)).flatMap { Possible.direction(degrees: $0) }
    let satellites = fields.u1(74)
    if satellites != .max { record.satellitesUsed = Int(satellites) }
    let age = fields.u2(78)
    if age != .max { record.correctionAgeSeconds = Double(age) / 100 }
    // Revision 2 adds the accuracies, both two sigma.
    let (horizontal, vertical) = (90, 92)
    guard fields.count >= vertical + 2 else { return }
    record.horizontalAccuracyMetres = accuracy(horizontal)
    record.verticalAccuracyMetres = accuracy(vertical)
  }

  private func accuracy(_ offset: Int) -> Double? {
    let hundredths = fields.u2(offset)
    return hundredths == .max || hundredths == 0 ? nil : Double(hundredths) / 200
  }

  private func solution(mode: UInt8, error: UInt8) -> SolutionRecord.Solution {
    let dimension: ReceiverEpoch.Dimension = mode.bit(7) ? .two : .three
    guard error == 0 else { return .noFix }
    switch mode & 0x0F {
    // Stand-alone, at a configured place, PPP.
    case 1, 3, 10: return SolutionRecord.Solution(.threeDimensional, dimension)
    case 2, 6: return SolutionRecord.Solution(.differential, dimension)
    case 4, 7: return SolutionRecord.Solution(.rtkFixed, dimension)
    case 5, 8: return SolutionRecord.Solution(.rtkFloat, dimension)
    default: return .noFix
    }
  }

  /// PosCovGeodetic.
  private func readPositionCovariance(_ record: inout SolutionRecord) {
    guard let covariance = covariance() else { return }
    record.positionCovarianceSquareMetres = covariance
    record.latitudeErrorMetres = Possible.sigma(variance: covariance.r0.x)
    record.longitudeErrorMetres = Possible.sigma(variance: covariance.r1.y)
    record.verticalAccuracyMetres = Possible.sigma(variance: covariance.r2.z)
  }

  /// VelCovGeodetic.
  private func readVelocityCovariance(_ record: inout SolutionRecord) {
    guard let covariance = covariance() else { return }
    record.velocityCovarianceSquareMetresPerSecondSquared = covariance
    // The mean of the two horizontal axes.
    record.speedAccuracyMetresPerSecond = Possible.sigma(
      variance: (covariance.r0.x + covariance.r1.y) / 2)
  }

  /// The variances of north, east, up and clock, then the covariances in the same order.
  private func covariance() -> Matrix3? {
    guard fields.u1(15) == 0, let north = known(fields.r4(16)), let east = known(fields.r4(20)),
      let up = known(fields.r4(24)), let northEast = known(fields.r4(32)),
      let northUp = known(fields.r4(36)), let eastUp = known(fields.r4(44))
    else { return nil }
    return Possible.covariance(
      north, east, up, northEast: northEast, northUp: northUp, eastUp: eastUp)
  }

  private func readDilutions(_ record: inout SolutionRecord) {
    func dilution(_ offset: Int) -> Double? {
      let hundredths = fields.u2(offset)
      return hundredths == .max ? nil : Possible.dilution(Double(hundredths) / 100)
    }
    (record.positionDilution, record.timeDilution) = (dilution(16), dilution(18))
    (record.horizontalDilution, record.verticalDilution) = (dilution(20), dilution(22))
  }

  /// AttEuler. Modes 2 and 4 have fixed ambiguities, 4 also the roll.
  private func readAttitude(_ record: inout SolutionRecord) {
    var attitude = SolutionRecord.Attitude()
    let (mode, error) = (fields.u2(16), fields.u1(15))
    // The lowest four bits are the errors of the two baselines.
    if mode == 2 || mode == 4, error & 0x0F == 0 {
      attitude.heading = known(fields.r4(20)).flatMap { Possible.direction(degrees: $0) }
        .map { TrueHeading($0) }
      attitude.pitch = known(fields.r4(24)).flatMap { Possible.angle(degrees: $0, within: 90) }
      if mode == 4 {
        attitude.roll = known(fields.r4(28)).flatMap { Possible.angle(degrees: $0, within: 180) }
      }
    }
    record.attitude = attitude
  }

  /// AttCovEuler: variances in square degrees.
  private func readAttitudeErrors(_ record: inout SolutionRecord) {
    func sigma(_ offset: Int) -> Angle? {
      known(fields.r4(offset)).flatMap { Possible.sigma(variance: $0) }
        .flatMap { Possible.sigma(degrees: $0) }
    }
    var attitude = SolutionRecord.Attitude()
    if fields.u1(15) & 0x0F == 0 {
      (attitude.headingAccuracy, attitude.pitchAccuracy) = (sigma(16), sigma(20))
      attitude.rollAccuracy = sigma(24)
    }
    record.attitude = attitude
  }

  // MARK: Values

  private static let unknown = -2e10

  private func known(_ value: Double) -> Double? {
    value.isFinite && value != Self.unknown ? value : nil
  }

  private func known(_ value: Float) -> Double? {
    value.isFinite && value != Float(Self.unknown) ? Double(value) : nil
  }
}

extension SatelliteID {
  /// Identifies a satellite of SBF.
  /// - Returns: nil for GLONASS of unknown slot (62) and satellites of the L band (107 to 119).
  /// - Source: Septentrio mosaic-X5 reference guide 4.14, section 4.1.9; RTKLIB's septentrio.c and
  ///   satpulse (gps/lib/sbfbin) have the same.
  fileprivate init?(sbf number: UInt16) {
    switch number {
    case 1...37: self.init(constellation: .gps, number: number)
    case 38...61: self.init(constellation: .glonass, number: number - 37)
    case 63...68: self.init(constellation: .glonass, number: number - 38)
    case 71...106: self.init(constellation: .galileo, number: number - 70)
    case 120...140: self.init(constellation: .sbas, number: number)
    case 141...180: self.init(constellation: .beidou, number: number - 140)
    case 181...190: self.init(constellation: .qzss, number: number - 180)
    case 191...197: self.init(constellation: .navic, number: number - 190)
    case 198...215: self.init(constellation: .sbas, number: number - 57)
    case 216...222: self.init(constellation: .navic, number: number - 208)
    case 223...245: self.init(constellation: .beidou, number: number - 182)
    default: return nil
    }
  }
}
