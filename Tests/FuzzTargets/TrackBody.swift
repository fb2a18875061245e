import Formats
import Quantities

/// Tracks as GPX and KML of any names and points: well-formed XML with finite numbers.
struct TrackBody: FuzzBody {
  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    var reader = InputReader(input)
    let name = String(decoding: reader.some(reader.choice(40)), as: UTF8.self)
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: reader.word()))
    if reader.bool() {
      estimate.utc = UTCTime(nanosecondsSince1970: Int64(bitPattern: reader.word()))
    }
    estimate.position = GeodeticPosition(
      latitudeDegrees: reader.anyDouble(), longitudeDegrees: reader.anyDouble())
    if reader.bool() { estimate.altitudeMetres = reader.anyDouble() }
    if reader.bool() { estimate.ellipsoidalAltitudeMetres = reader.anyDouble() }
    if reader.bool() { estimate.speedMetresPerSecond = reader.anyDouble() }
    if reader.bool() { estimate.course = Angle(degrees: reader.anyDouble()) }
    if reader.bool() { estimate.trueHeading = TrueHeading(Angle(degrees: reader.anyDouble())) }
    if reader.bool() {
      estimate.magneticHeading = MagneticHeading(Angle(degrees: reader.anyDouble()))
    }
    guard let point = TrackPoint(estimate) else { throw Violation("a position without a point") }
    try Self.check(
      GPX.head(creator: name, name: name) + GPX.line(point) + GPX.gap + GPX.line(point) + GPX.tail)
  }

  /// Checks that elements are closed in their order, and that no mark or number breaks a program
  /// that reads them.
  private static func check(_ text: String) throws(Violation) {
    // By bytes: a mark may be followed by a combining character, with which Swift makes one of
    // them.
    var open: [String] = []
    var rest = Array(text.utf8)[...]
    func word(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
    func isInfinite(_ bytes: ArraySlice<UInt8>) -> Bool {
      word(bytes).contains("nan") || word(bytes).contains("inf")
    }
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      let before = rest[..<start]
      try expect(!before.contains(UInt8(ascii: ">")), "a '>' in a text: \(word(before))")
      try expect(open.last == "name" || !isInfinite(before), "\(open): \(word(before))")
      guard let end = rest[start...].firstIndex(of: UInt8(ascii: ">")) else {
        throw Violation("an open mark: \(word(rest))")
      }
      let mark = rest[(start + 1)..<end]
      rest = rest[(end + 1)...]
      if mark.first == UInt8(ascii: "?") { continue }
      if mark.first == UInt8(ascii: "/") {
        try expect(open.popLast() == word(mark.dropFirst()), "\(word(mark)) does not close \(open)")
        continue
      }
      let name = word(mark.prefix { $0 != UInt8(ascii: " ") })
      try expect(
        mark.count { $0 == UInt8(ascii: "\"") } % 2 == 0 && !mark.contains(UInt8(ascii: "<")),
        "quotes of \(word(mark))")
      try expect(name != "trkpt" || !isInfinite(mark), "\(word(mark))")
      open.append(name)
    }
    try expect(open.isEmpty, "\(open) are not closed")
    try expect(
      text.utf8.allSatisfy { $0 >= 0x20 || $0 == 9 || $0 == 10 || $0 == 13 }, "a control character")
  }
}
