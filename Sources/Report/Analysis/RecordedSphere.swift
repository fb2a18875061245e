import Quantities
import RealModule

/// The field in the sensor's axes before and after the calibration in use, with the directions that
/// occurred.
package struct RecordedSphere: Equatable, Sendable {
  /// One sample that is drawn.
  package struct Sample: Equatable, Sendable {
    /// As measured, microtesla.
    package var raw: SIMD3<Double>
    /// After the calibration in use; nil without one.
    package var calibrated: SIMD3<Double>?
  }

  /// Columns and rows of the cells, which have equal areas.
  package static let columns = 12
  package static let rows = 8
  private static let capacity = 1500

  /// Samples at equal distances of their number.
  package private(set) var samples: [Sample] = []
  /// The strength before and after calibration, microtesla.
  package private(set) var raw = Self.strengths
  package private(set) var calibrated = Self.strengths
  /// The number of calibrated samples by the cell of their direction, row by row from the lowest.
  package private(set) var cells = Array(repeating: 0, count: Self.columns * Self.rows)
  private var stride = 1
  private var count = 0

  private static var strengths: WeightedHistogram { WeightedHistogram(0...2000, width: 0.1) }

  /// No samples.
  package init() {}

  /// Adds a sample.
  /// - Parameters:
  ///   - sample: The field as measured, microtesla.
  ///   - calibration: The calibration in use; nil for none.
  package mutating func add(_ sample: SIMD3<Double>, _ calibration: MagnetometerCalibration?) {
    guard sample.isFinite else { return }
    let after = calibration.map {
      $0(MagneticField<SensorFrame>(microtesla: sample)).components
    }
    raw.add(sample.length)
    if let after {
      calibrated.add(after.length)
      if let cell = Self.cell(after) { cells[cell] += 1 }
    }
    defer { count += 1 }
    guard count % stride == 0 else { return }
    if samples.count >= Self.capacity {
      samples = samples.indices.filter { $0 % 2 == 0 }.map { samples[$0] }
      stride *= 2
      guard count % stride == 0 else { return }
    }
    samples.append(Sample(raw: sample, calibrated: after))
  }

  /// The share of the directions that occurred, 0 to 1; nil without a calibration.
  package var coverage: Double? {
    let seen = cells.count { $0 > 0 }
    return seen > 0 ? Double(seen) / Double(cells.count) : nil
  }

  /// The cell of a direction: equal steps of longitude about z, and of the sine of latitude.
  private static func cell(_ v: SIMD3<Double>) -> Int? {
    guard let u = v.normalized else { return nil }
    let turn = Double.atan2(y: u.y, x: u.x) / (2 * .pi) + 0.5
    let column = min(columns - 1, Int(bounded: turn * Double(columns)))
    let row = min(rows - 1, Int(bounded: (u.z + 1) / 2 * Double(rows)))
    return row * columns + column
  }
}
