import Foundation

/// One stream's line.
struct ThroughputReport: Encodable {
  let name: String
  /// Of the stream, which is read once a round.
  let bytes: Int
  /// Sentences or frames in it.
  let units: Int
  /// The number of fixes; nil for a program that makes none.
  let epochs: Int?
  /// Millions of bytes a second, in the fastest round.
  let megabytesPerSecond: Double
  /// Heap blocks a sentence or frame.
  let allocations: Double

  init(_ name: String, _ measurement: Measurement, bytes: Int, epochs: Int?) {
    self.name = name
    self.bytes = bytes
    self.epochs = epochs
    units = measurement.units
    allocations = measurement.allocations
    // Bytes a nanosecond are thousands of millions a second.
    megabytesPerSecond =
      1000 * Double(bytes) / (measurement.nanosecondsFastest * Double(measurement.units))
  }

  func print() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    Swift.print(String(decoding: try encoder.encode(self), as: UTF8.self))
  }
}
