import Formats
import Quantities
import ReceiverProtocols

/// An estimate printed as NMEA 0183: each sentence is valid and decodes to the printed values.
struct PrintedBody: FuzzBody {
  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    var reader = InputReader(input)
    let isWild = reader.bool()
    let estimate = isWild ? Self.wild(&reader) : Self.plausible(&reader)
    let printed = NMEAReport.sentences(estimate)
    var decoder = ReceiverDecoder()
    var sentences: [NMEASentence] = []
    func collect(_ message: ReceiverMessage) {
      if case .sentence(let sentence, _) = message { sentences.append(sentence) }
    }
    printed.withUnsafeBytes { decoder.push($0, collect) }
    decoder.finish(collect)
    let counts = decoder.counts
    let lines = printed.count { $0 == UInt8(ascii: "\n") }
    try expect(
      counts.accepted == Int64(lines) && counts.rejected == 0 && counts.noiseBytes == 0,
      "\(lines) lines, \(counts)")
    for sentence in sentences { try sentence.check() }
    guard !isWild else { return }
    try expect(counts.unreadableFields == 0, "\(counts)")
    for sentence in sentences { try Self.check(sentence, means: estimate) }
  }

  /// An estimate with numbers of any bits, including infinities.
  private static func wild(_ reader: inout InputReader) -> Estimate {
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: reader.word()))
    estimate.utc = UTCTime(nanosecondsSince1970: Int64(bitPattern: reader.word()))
    estimate.fixKind = FixKind.allCases[reader.choice(FixKind.allCases.count)]
    estimate.magneticHeading = MagneticHeading(Angle(degrees: reader.anyDouble()))
    estimate.trueHeading = TrueHeading(Angle(degrees: reader.anyDouble()))
    estimate.position = GeodeticPosition(
      latitudeDegrees: reader.anyDouble(), longitudeDegrees: reader.anyDouble())
    estimate.altitudeMetres = reader.anyDouble()
    estimate.ellipsoidalAltitudeMetres = reader.anyDouble()
    estimate.speedMetresPerSecond = reader.anyDouble()
    estimate.course = Angle(degrees: reader.anyDouble())
    estimate.satellitesUsed = Int(truncatingIfNeeded: reader.word())
    estimate.isSimulated = reader.bool()
    return estimate
  }

  /// An estimate with possible numbers, each present or not.
  private static func plausible(_ reader: inout InputReader) -> Estimate {
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: 0))
    let known = UInt16(reader.byte()) << 8 | UInt16(reader.byte())
    func isKnown(_ bit: Int) -> Bool { known >> bit & 1 == 1 }
    // 1980 to 2079: the range of two-digit years.
    let seconds = 315_964_800 + reader.fraction() * 3.1e9
    if isKnown(0) { estimate.utc = UTCTime(secondsSince1970: seconds) }
    if isKnown(1) {
      estimate.magneticHeading = MagneticHeading(Angle(degrees: reader.fraction() * 360))
    }
    if isKnown(2) { estimate.trueHeading = TrueHeading(Angle(degrees: reader.fraction() * 360)) }
    if isKnown(3) { estimate.fixKind = FixKind.allCases[reader.choice(FixKind.allCases.count)] }
    if isKnown(4) {
      estimate.position = GeodeticPosition(
        latitudeDegrees: (reader.fraction() - 0.5) * 180,
        longitudeDegrees: (reader.fraction() - 0.5) * 360)
    }
    if isKnown(5) { estimate.altitudeMetres = (reader.fraction() - 0.1) * 50_000 }
    if isKnown(6) { estimate.ellipsoidalAltitudeMetres = (reader.fraction() - 0.1) * 50_000 }
    if isKnown(7) { estimate.speedMetresPerSecond = reader.fraction() * 1000 }
    if isKnown(8) { estimate.course = Angle(degrees: reader.fraction() * 360).wrappedToTurn }
    if isKnown(9) { estimate.satellitesUsed = reader.choice(100) }
    estimate.isSimulated = isKnown(10)
    return estimate
  }

  /// Compares the decoded with the printed values, within half a unit of the last printed digit.
  private static func check(
    _ sentence: NMEASentence, means estimate: Estimate
  ) throws(Violation) {
    switch sentence {
    case .gga(let s):
      try same(s.position, estimate.fixKind == FixKind.none ? nil : estimate.position)
      if s.position != nil { try same(s.altitudeMetres, estimate.altitudeMetres, within: 0.006) }
    case .rmc(let s):
      try same(s.position, estimate.fixKind == FixKind.none ? nil : estimate.position)
      try same(s.speedMetresPerSecond, estimate.speedMetresPerSecond, within: 0.003)
      try same(s.course, estimate.course)
      // The time is printed to the hundredth, and carries into the date.
      try expect((s.date == nil) == (estimate.utc == nil), "date \(s.date as Any)")
    case .vtg(let s):
      try same(s.course, estimate.course)
      try same(s.speedMetresPerSecond, estimate.speedMetresPerSecond, within: 0.003)
    case .hdt(let s): try same(s.heading?.angle, estimate.trueHeading?.angle)
    case .hdm(let s): try same(s.heading?.angle, estimate.magneticHeading?.angle)
    case .hdg(let s): try same(s.magneticHeading?.angle, estimate.magneticHeading?.angle)
    default: throw Violation("a sentence of an unexpected type: \(sentence)")
    }
  }

  private static func same(
    _ read: Double?, _ meant: Double?, within tolerance: Double
  ) throws(Violation) {
    guard let read, let meant else {
      return try expect(
        read == nil && meant == nil, "\(read as Any) instead of \(meant as Any)")
    }
    try expect(abs(read - meant) <= tolerance, "\(read) instead of \(meant)")
  }

  /// Directions are printed to a tenth of a degree.
  private static func same(_ read: Angle?, _ meant: Angle?) throws(Violation) {
    guard let read, let meant else {
      return try expect(
        read == nil && meant == nil, "\(read as Any) instead of \(meant as Any)")
    }
    let apart = abs((read - meant).wrappedToHalfTurn.degrees)
    try expect(apart < 0.0501, "\(read.degrees) instead of \(meant.degrees)")
  }

  private static func same(
    _ read: GeodeticPosition?, _ meant: GeodeticPosition?
  ) throws(Violation) {
    try same(read?.latitude.degrees, meant?.latitude.degrees, within: 1e-7)
    try same(read?.longitude.degrees, meant?.longitude.degrees, within: 1e-7)
  }
}
