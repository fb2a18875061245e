import Foundation

/// One way of calibrating.
struct CalibrationReport: Encodable {
  let name: String
  /// Observations of a fit, or samples of the online work.
  let count: Int
  /// For a fit, or for a sample of the online work.
  let millisecondsFastest: Double
  let millisecondsMedian: Double
  /// Heap blocks, the same.
  let allocations: Double
  /// The online work's share of one core; nil of a fit.
  let corePercent: Double?

  /// Makes a line; hertz are samples a second of the online work, nil of a fit.
  init(_ name: String, _ measurement: Measurement, count: Int, hertz: Double? = nil) {
    self.name = name
    self.count = count
    millisecondsFastest = measurement.nanosecondsFastest / 1e6
    millisecondsMedian = measurement.nanosecondsMedian / 1e6
    allocations = measurement.allocations
    corePercent = hertz.map { 100 * $0 * measurement.nanosecondsFastest / 1e9 }
  }

  func print() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    Swift.print(String(decoding: try encoder.encode(self), as: UTF8.self))
  }
}
