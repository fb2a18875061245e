import Board
import HostProtocol
import Quantities
import ReceiverProtocols
import Servers

/// The requests of gpsd's clients: equal answers for every split of the bytes, in lines that gpsd's
/// clients accept; a WATCH that reads back unchanged, and reports only for those who watch.
struct GPSDRequestBody: FuzzBody {
  /// As the first byte of an input: a request of almost the greatest length comes before it.
  private static let mark: UInt8 = 0xFF
  private static let filler = [UInt8](repeating: UInt8(ascii: "x"), count: 4090)
  private static let pieces = [1, 2, 7, 1000]
  /// The greatest answer to one request, bytes, beside what it quotes.
  private static let longestAnswer = 2048

  private static let device = "/dev/a"
  private static let instant = Timestamp(nanoseconds: 5_000_000_000)
  private static let source = SourceDescription(
    isOpen: true, hasReceiver: true, position: .receiver(device))
  private static let estimate: Estimate = {
    var estimate = Estimate(timestamp: instant)
    estimate.magneticHeading = MagneticHeading(Angle(degrees: 90))
    estimate.fixTimestamp = instant
    estimate.fixKind = .threeDimensional
    estimate.position = GeodeticPosition(latitudeDegrees: 54.5, longitudeDegrees: -10.25)
    return estimate
  }()
  private static let state = StreamState(
    source: source, latest: estimate, sky: nil, now: instant)

  private var session = GPSDClientSession()

  /// A request of the greatest length, the frames of raw watches, and what the first requests
  /// allocate.
  var mostHeldBytes: Int { 65_536 }

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    let bytes = Array(input)
    var talk = Talk(bytes, piece: bytes.count + 1)
    for piece in Self.pieces {
      try expect(
        Talk(bytes, piece: piece).answers == talk.answers, "other answers in pieces of \(piece)")
    }
    try Self.checkLines(talk.answers)
    let requests = 1 + bytes.count { $0 == UInt8(ascii: ";") || $0 == 10 || $0 == 13 }
    try expect(
      talk.answers.count <= Self.longestAnswer * requests + 4 * (bytes.count + Self.filler.count),
      "\(talk.answers.count) bytes for \(requests) requests")
    guard !talk.isRefused else { return }
    let watch = try Self.checkWatch(talk.answers)
    try Self.checkReports(talk.reports(of: bytes), watch)
  }

  mutating func accumulate(_ input: UnsafeRawBufferPointer) {
    do throws(StreamRefusal) {
      _ = try session.receive(Array(input)[...], Self.state)
    } catch {
      session = GPSDClientSession()
    }
    _ = session.output(
      for: StreamUpdate(.receiver(.bytes(Array(input))), source: Self.source, sky: nil))
  }

  /// A conversation with a session of its own.
  private struct Talk {
    private var session = GPSDClientSession()
    private(set) var answers: [UInt8] = []
    private(set) var isRefused = false

    init(_ bytes: [UInt8], piece: Int) {
      let filler = bytes.first == GPSDRequestBody.mark ? GPSDRequestBody.filler : []
      answers = session.begin()
      do throws(StreamRefusal) {
        answers += try session.receive(filler[...], GPSDRequestBody.state)
        var rest = bytes[...]
        while !rest.isEmpty {
          answers += try session.receive(rest.prefix(piece), GPSDRequestBody.state)
          rest = rest.dropFirst(piece)
        }
      } catch {
        answers += error.output
        isRefused = true
      }
      answers = GPSDRequestBody.withoutClock(answers)
    }

    /// What the session sends of an estimate, and of a receiver's bytes.
    mutating func reports(of bytes: [UInt8]) -> [UInt8] {
      let updates: [HostUpdate] = [
        .estimate(GPSDRequestBody.estimate), .receiver(.bytes(bytes)),
        .source(GPSDRequestBody.source),
      ]
      return updates.flatMap {
        session.output(for: StreamUpdate($0, source: GPSDRequestBody.source, sky: nil))
      }
    }
  }

  /// Empties the times of the machine's clock.
  private static func withoutClock(_ bytes: [UInt8]) -> [UInt8] {
    var (output, isTime) = ([UInt8](), false)
    let keys = ["\"time\":\"", "\"activated\":\""].map { Array($0.utf8) }
    for byte in bytes {
      if isTime, byte != UInt8(ascii: "\"") { continue }
      output.append(byte)
      isTime =
        byte == UInt8(ascii: "\"")
        && keys.contains { output.suffix($0.count).elementsEqual($0) }
    }
    return output
  }

  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(separator: 10, omittingEmptySubsequences: false)
  }

  /// Checks that this program's client accepts every line.
  private static func checkLines(_ answers: [UInt8]) throws(Violation) {
    try expect(answers.suffix(2) == [13, 10], "the last line has no end")
    let answered = lines(answers).dropLast()
    for line in answered {
      try expect(
        line.starts(with: Array("{\"class\":\"".utf8)) && line.last == 13
          && line.dropLast().allSatisfy { $0 >= 32 },
        "a line without a class: \(String(decoding: line, as: UTF8.self))")
    }
    var decoder = GPSDDecoder()
    answers.withUnsafeBytes { decoder.push($0, at: instant) { _ in } }
    try expect(
      decoder.counts.rejected == 0 && decoder.counts.accepted == answered.count,
      "\(decoder.counts) of \(answered.count) lines: \(String(decoding: answers, as: UTF8.self))")
  }

  /// Checks that the last WATCH, sent as a request, is answered unchanged.
  /// - Returns: Its line; empty before the first.
  private static func checkWatch(_ answers: [UInt8]) throws(Violation) -> [UInt8] {
    let begin = Array("{\"class\":\"WATCH\"".utf8)
    guard let line = lines(answers).last(where: { $0.starts(with: begin) }) else { return [] }
    let watch = Array(line.dropLast())
    let again = Talk(Array("?WATCH=".utf8) + watch + [UInt8(ascii: ";")], piece: 5000)
    try expect(
      lines(again.answers).contains { $0.dropLast().elementsEqual(watch) },
      "\(String(decoding: watch, as: UTF8.self)) is answered by "
        + String(decoding: again.answers, as: UTF8.self))
    return watch
  }

  /// Checks that reports are for those who watch, in the formats that they have requested.
  private static func checkReports(_ reports: [UInt8], _ watch: [UInt8]) throws(Violation) {
    func has(_ text: String) -> Bool { watch.contains(Array(text.utf8)) }
    guard has("\"enable\":true") else {
      return try expect(reports.isEmpty, "\(reports.count) bytes without a watch")
    }
    // Else the bytes of a receiver come too, as they are.
    guard has("\"raw\":0") else { return }
    try expect(
      reports.contains(Array("\"TPV\"".utf8)) == has("\"json\":true"),
      "\(String(decoding: watch, as: UTF8.self)) and TPV")
    for line in lines(reports) where !line.isEmpty {
      try expect(
        line.first == UInt8(ascii: "{") && has("\"json\":true")
          || line.first == UInt8(ascii: "$") && has("\"nmea\":true"),
        "\(String(decoding: watch, as: UTF8.self)) and \(String(decoding: line, as: UTF8.self))")
    }
  }
}
