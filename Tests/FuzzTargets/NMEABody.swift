import Quantities
import ReceiverProtocols

/// The NMEA decoder: values are in range, and every piece of the stream is counted once.
struct NMEABody: FuzzBody {
  private var decoder = ReceiverDecoder()

  /// The same as for the framer.
  var mostHeldBytes: Int { 393_216 }

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    var decoder = ReceiverDecoder()
    var sentences: [DecodedSentence] = []
    var records: [SolutionRecord] = []
    func add(_ message: ReceiverMessage) {
      DecodedSentence(message).map { sentences.append($0) }
      if case .record(let record) = message { records.append(record) }
    }
    decoder.push(input, add)
    decoder.finish(add)
    for item in sentences { try item.sentence.check() }
    for record in records { try record.check() }
    let counts = decoder.counts
    let logs = records.count { $0.kind.format == .log }
    try expect(
      counts.accepted == Int64(sentences.count + logs),
      "\(counts) for \(sentences.count) sentences and \(logs) logs")
    try expect(
      counts.otherFrames - counts.unregisteredOther - counts.malformedOther
        == Int64(records.count - logs), "\(counts) for \(records.count) records")
    var framer = ReceiverFramer()
    let frames = Frame.all(in: input, &framer) + Frame.atEnd(&framer)
    let pieces = counts.accepted + counts.unregistered + counts.rejected + counts.binaryFrames
    try expect(pieces == Int64(frames.count), "\(counts) for \(frames.count) frames")
    try expect(counts.noiseBytes == framer.noiseBytes, "noise \(counts.noiseBytes)")
  }

  mutating func accumulate(_ input: UnsafeRawBufferPointer) { decoder.push(input) { _ in } }
}

extension SolutionRecord {
  /// Checks that every value is in range.
  func check() throws(Violation) {
    try Bounds.place(position)
    try Bounds.direction(course, "course")
    try Bounds.direction(attitude?.heading?.angle, "heading")
    try Bounds.numbers(
      ellipsoidalHeightMetres, altitudeMetres, geoidSeparationMetres, verticalSpeedMetresPerSecond,
      attitude?.pitch?.radians, attitude?.roll?.radians, velocity?.metresPerSecond.x,
      velocity?.metresPerSecond.y, velocity?.metresPerSecond.z)
    try Bounds.positive(
      horizontalAccuracyMetres, verticalAccuracyMetres, latitudeErrorMetres, longitudeErrorMetres,
      positionAccuracyMetres, speedMetresPerSecond, speedAccuracyMetresPerSecond,
      courseAccuracy?.radians, timeAccuracySeconds, correctionAgeSeconds, geometricDilution,
      positionDilution, horizontalDilution, verticalDilution, timeDilution,
      attitude?.headingAccuracy?.radians, attitude?.pitchAccuracy?.radians,
      attitude?.rollAccuracy?.radians)
  }
}

/// A decoded sentence and its talker.
struct DecodedSentence: Equatable {
  let talker: Talker
  let sentence: NMEASentence

  /// - Returns: nil for other messages.
  init?(_ message: ReceiverMessage) {
    guard case .sentence(let sentence, let talker) = message else { return nil }
    (self.talker, self.sentence) = (talker, sentence)
  }
}

extension NMEASentence {
  /// Checks that every value is in range.
  func check() throws(Violation) {
    if let time {
      // Second 60 of the day's last minute ends at 86 401 s.
      try expect((0..<86_401_000_000_000).contains(time.nanoseconds), "time \(time)")
    }
    switch self {
    case .gga(let s):
      try Bounds.place(s.position)
      try Bounds.numbers(s.altitudeMetres, s.geoidSeparationMetres)
      try Bounds.positive(s.horizontalDilution, s.satellitesUsed.map { Double($0) })
    case .gns(let s):
      try Bounds.place(s.position)
      try Bounds.numbers(s.altitudeMetres, s.geoidSeparationMetres)
      try Bounds.positive(s.horizontalDilution, s.satellitesUsed.map { Double($0) })
    case .gll(let s): try Bounds.place(s.position)
    case .rmc(let s):
      try Bounds.place(s.position)
      try Bounds.direction(s.course, "course")
      try Bounds.positive(s.speedMetresPerSecond)
      try Bounds.date(s.date)
    case .gsa(let s):
      try expect((0...s.numbers.scalarCount).contains(s.count), "\(s.count) satellites in GSA")
      try Bounds.positive(s.positionDilution, s.horizontalDilution, s.verticalDilution)
    case .gsv(let s):
      let parts = s.parts ?? s.part
      try expect(s.part >= 1 && s.part <= parts, "\(s.part) of \(parts)")
    case .vtg(let s):
      try Bounds.direction(s.course, "course")
      try Bounds.direction(s.magneticCourse, "magnetic course")
      try Bounds.positive(s.speedMetresPerSecond)
    case .zda(let s): try Bounds.date(s.date)
    case .gst(let s):
      try Bounds.positive(s.latitudeErrorMetres, s.longitudeErrorMetres, s.altitudeErrorMetres)
    case .hdg(let s):
      try Bounds.direction(s.magneticHeading?.angle, "magnetic heading")
      try Bounds.direction(s.trueHeading?.angle, "true heading")
    case .hdt(let s): try Bounds.direction(s.heading?.angle, "true heading")
    case .hdm(let s): try Bounds.direction(s.heading?.angle, "magnetic heading")
    case .rot(let s): try Bounds.numbers(s.rateOfTurn?.radiansPerSecond)
    case .pubx00(let s):
      try Bounds.place(s.position)
      try Bounds.direction(s.course, "course")
    case .pgrmf(let s):
      try Bounds.place(s.position)
      try Bounds.direction(s.course, "course")
    case .pashr(let s): try Bounds.direction(s.heading?.angle, "true heading")
    case .pashrpos(let s): try Bounds.place(s.position)
    case .ths(let s): try Bounds.direction(s.heading?.angle, "true heading")
    case .mwv(let s): try Bounds.direction(s.angle, "wind")
    default: break
    }
  }
}
