import Quantities
import ReceiverProtocols

/// The epochs of any bytes: their values are possible and consistent.
struct EpochBody: FuzzBody {
  private var stream = Stream()

  /// The framer's buffer, and a sky with the largest number of groups and satellites.
  var mostHeldBytes: Int { 524_288 }

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    var stream = Stream()
    var reports: [ReceiverReport] = []
    var generator = InputGenerator(input)
    // Silence on the line also changes the assembler's state.
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

  mutating func accumulate(_ input: UnsafeRawBufferPointer) { stream.push(input) { _ in } }
}

extension HeadingReport {
  /// Checks that it contains a value and that all values are in range.
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
