import Foundation
import Quantities

extension Trial {
  /// Reads a trial of the reference data. Format: `trial.py` of its tools.
  /// Without a name it takes the number that the file's name begins with.
  public init(path: String, name: String? = nil) throws {
    guard let data = FileManager.default.contents(atPath: path), data.count >= 32,
      data.prefix(6) == Data("BROAD1".utf8)
    else { throw TrialError("\(path): not a trial; expected a .bin file of data/broad") }
    let name = name ?? String(URL(fileURLWithPath: path).lastPathComponent.prefix(2))
    self = try data.withUnsafeBytes { try Trial(name: name, bytes: $0, path: path) }
  }

  /// The body above north-east-down by an optical attitude, sensor to east-north-up; nil where
  /// there is none.
  public static func truth(
    w: Double, x: Double, y: Double, z: Double
  ) -> Rotation<BodyFrame, MagneticEarthFrame>? {
    Rotation<SensorFrame, EastNorthUpFrame>(w: w, x: x, y: y, z: z)
      .map { northEastDown * $0 * AxisMount.standard.rotation.inverse }
  }

  /// The inverse of `truth(w:x:y:z:)`: sensor to east-north-up, scalar first.
  public static func optical(_ truth: Rotation<BodyFrame, MagneticEarthFrame>) -> [Double] {
    let q = northEastDown.inverse * truth * AxisMount.standard.rotation
    return [q.w, q.v.x, q.v.y, q.v.z]
  }

  private init(name: String, bytes: UnsafeRawBufferPointer, path: String) throws {
    let rows = Int(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    let columns = Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
    let hertz = bytes.loadUnaligned(fromByteOffset: 16, as: Double.self)
    guard columns == 14, hertz > 0, bytes.count == 32 + rows * (4 * columns + 1) else {
      throw TrialError("\(path): the length does not fit the header; fetch the file anew")
    }
    self.init(name: name, hertz: hertz)
    let mount = AxisMount.standard.rotation
    var seen: [Rotation<BodyFrame, MagneticEarthFrame>?] = []
    for row in 0..<rows {
      func cell(_ column: Int) -> Double {
        let offset = 32 + 4 * (row * columns + column)
        return Double(bytes.loadUnaligned(fromByteOffset: offset, as: Float.self))
      }
      func vector(_ first: Int) -> SIMD3<Double> {
        mount.rotate(SIMD3(cell(first), cell(first + 1), cell(first + 2)))
      }
      seconds.append(Double(row) / hertz)
      rate.append(vector(1))
      force.append(vector(4))
      field.append(vector(7))
      // The optical frame is x east, y magnetic north, z up.
      let optical = Rotation<SensorFrame, EastNorthUpFrame>(
        w: cell(10), x: cell(11), y: cell(12), z: cell(13))
      seen.append(optical.map { northEastDown * $0 * mount.inverse })
      isJudged.append(bytes[32 + 4 * rows * columns + row] != 0 && optical != nil)
    }
    guard isJudged.contains(true), var next = seen.last(where: { $0 != nil }) ?? nil else {
      throw TrialError("\(path): no sample is in motion and seen by the cameras")
    }
    truth = Array(repeating: next, count: rows)
    for row in seen.indices.reversed() {
      next = seen[row] ?? next
      truth[row] = next
    }
  }
}

/// Why a trial cannot be read, in one line.
public struct TrialError: Error, CustomStringConvertible {
  /// The line.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// The frame of the optical truth: x east, y magnetic north, z up.
enum EastNorthUpFrame: Frame {}

/// East, north and up as north, east and down: half a turn about the line between north and east.
let northEastDown = Rotation<EastNorthUpFrame, MagneticEarthFrame>(
  rotationVector: SIMD3(0.5.squareRoot(), 0.5.squareRoot(), 0) * .pi)
