import Quantities
import ReceiverProtocols

/// Bytes in, epochs out: whatever came in, an epoch is one that a receiver can have.
struct EpochBody: FuzzBody {
  private var stream = Stream()

  /// The framer's buffer, and a sky of as many groups and satellites as the collector takes.
  var mostHeldBytes: Int { 524_288 }

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    var stream = Stream()
    var reports: [ReceiverReport] = []
    var generator = InputGenerator(input)
    // Silence in the middle is a message to the assembler, too.
    let silence = Int.random(in: 0...input.count, using: &generator)
    stream.push(UnsafeRawBufferPointer(rebasing: input[..<silence])) { reports.append($0) }
    stream.fallSilent { reports.append($0) }
    stream.push(UnsafeRawBufferPointer(rebasing: input[silence...])) { reports.append($0) }
    stream.finish { reports.append($0) }
    var last: ReceiverEpoch?
    for report in reports {
      switch report {
      case .heading(let report): try report.check()
      case .alignment, .pulse: break
      case .epoch(let epoch):
        try epoch.check()
        try epoch.checkFollows(last)
        last = epoch
      }
    }
  }

  mutating func goOn(_ input: UnsafeRawBufferPointer) { stream.push(input) { _ in } }
}

extension HeadingReport {
  /// Checks that there is something to report, within its range.
  func check() throws(Violation) {
    try expect(
      hasHeading || rateOfTurn != nil || pitch != nil || roll != nil || heaveMetres != nil
        || printed != nil, "an empty heading report")
    try Bounds.direction(trueHeading?.angle, "true heading")
    try Bounds.direction(magneticHeading?.angle, "magnetic heading")
    try Bounds.numbers(
      rateOfTurn?.radiansPerSecond, pitch?.radians, roll?.radians, heaveMetres)
  }
}
