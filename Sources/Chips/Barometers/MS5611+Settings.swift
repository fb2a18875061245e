import Quantities

/// How much an MS5611 averages for one conversion.
struct MS5611Oversampling: Equatable, Sendable {
  /// The bits of the conversion commands that choose it.
  let bits: UInt8
  /// The longest that a conversion may take, nanoseconds.
  let nanoseconds: UInt64

  /// Ratios 4096 to 256 (MS5611-01BA03, conversion time, maxima; the same as in Linux
  /// ms5611_core.c).
  static var all: [MS5611Oversampling] {
    [
      MS5611Oversampling(bits: 0x08, nanoseconds: 9_040_000),
      MS5611Oversampling(bits: 0x06, nanoseconds: 4_540_000),
      MS5611Oversampling(bits: 0x04, nanoseconds: 2_280_000),
      MS5611Oversampling(bits: 0x02, nanoseconds: 1_170_000),
      MS5611Oversampling(bits: 0x00, nanoseconds: 600_000),
    ]
  }

  /// The share of a period that its two conversions may take; the rest is the delay of a caller
  /// that polls five times a period.
  static var share: Double { 0.8 }

  /// The best setting that leaves the caller enough time at a rate; else the shortest.
  static func best(forHertz hertz: Double) -> MS5611Oversampling {
    all.first { $0.greatestHertz >= hertz } ?? all[all.count - 1]
  }

  /// The greatest rate that this can be done at, hertz.
  var greatestHertz: Double { Self.share / (2e-9 * Double(nanoseconds)) }
}

/// The one conversion that an MS5611 can do at a time.
struct MS5611Conversion: Sendable {
  /// The converted quantity.
  enum Kind: UInt8, Sendable {
    case pressure = 0x40, temperature = 0x50
  }
  let kind: Kind
  /// When its command was sent.
  let begun: Timestamp
  /// False after a fault on the bus: the converter's state is unknown.
  let isCertain: Bool
}
