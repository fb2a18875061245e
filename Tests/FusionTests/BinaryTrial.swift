import Fusion
import Quantities
import TestSupport

/// A recorded trial of `data/broad` or `data/tstick`: an inertial unit and a magnetometer with
/// optical truth. The format is in `tools/trial.py` of the reference data.
struct BinaryTrial {
  private let bytes: [UInt8]
  let rows: Int
  let hertz: Double
  private let mount = AxisMount.standard.rotation
  private let northEastDown: Rotation<EastNorthUp, MagneticEarthFrame>

  init?(_ path: String) {
    guard let bytes = SharedData.bytes(path), bytes.count > 32 else { return nil }
    self.bytes = bytes
    rows = bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 8, as: UInt32.self)) }
    hertz = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 16, as: Double.self) }
    northEastDown = Rotation(rotationVector: SIMD3(0.5.squareRoot(), 0.5.squareRoot(), 0) * .pi)
  }

  private func cell(_ row: Int, _ column: Int) -> Double {
    bytes.withUnsafeBytes {
      Double($0.loadUnaligned(fromByteOffset: 32 + 4 * (14 * row + column), as: Float.self))
    }
  }

  private func vector(_ row: Int, _ first: Int) -> SIMD3<Double> {
    mount.rotate(SIMD3(cell(row, first), cell(row, first + 1), cell(row, first + 2)))
  }

  /// Along body axes: rad/s, m/s², microtesla; the field has cells without a value.
  func rate(_ row: Int) -> SIMD3<Double> { vector(row, 1) }
  func force(_ row: Int) -> SIMD3<Double> { vector(row, 4) }
  func field(_ row: Int) -> SIMD3<Double>? {
    let field = vector(row, 7)
    return field.x.isFinite ? field : nil
  }

  /// Whether the row counts, as the recording says.
  func counts(_ row: Int) -> Bool { bytes[32 + 56 * rows + row] != 0 }

  /// The optical attitude of the body; nil in gaps.
  func truth(_ row: Int) -> Rotation<BodyFrame, MagneticEarthFrame>? {
    Rotation<SensorFrame, EastNorthUp>(
      w: cell(row, 10), x: cell(row, 11), y: cell(row, 12), z: cell(row, 13)
    ).map { northEastDown * $0 * mount.inverse }
  }
}

/// The frame of the optical truth.
private enum EastNorthUp: Frame {}
