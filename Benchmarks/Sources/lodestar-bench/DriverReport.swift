import Foundation

/// One chip's line.
struct DriverReport: Encodable {
  let chip: String
  /// Bytes and reads on the bus for a sample.
  let bytes: Double
  let reads: Double
  /// Nanoseconds a sample.
  let nanoseconds: Double
  /// Heap blocks a sample.
  let allocations: Double
  /// Nanoseconds for copying and scaling as many bytes.
  let copyNanoseconds: Double

  func print() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    Swift.print(String(decoding: try encoder.encode(self), as: UTF8.self))
  }
}
