internal import CoreLocation
import Foundation

/// A structure of three numbers along the device's axes.
protocol DeviceVector {
  var x: Double { get }
  var y: Double { get }
  var z: Double { get }
  init(x: Double, y: Double, z: Double)
}

extension DeviceVector {
  /// The components of a sensor's sample.
  init(_ vector: CLVector3) { self.init(x: vector.x, y: vector.y, z: vector.z) }
}

extension CMAcceleration: DeviceVector {}
extension CMRotationRate: DeviceVector {}
extension CMMagneticField: DeviceVector {}

extension NSCoder {
  /// Writes a vector.
  func encode(_ vector: some DeviceVector, forKey key: String) {
    encode([vector.x, vector.y, vector.z], forKey: key)
  }

  /// Reads a vector; nil where it is missing.
  func decodeVector<Vector: DeviceVector>(forKey key: String) -> Vector? {
    decodeNumbers(3, forKey: key).map { Vector(x: $0[0], y: $0[1], z: $0[2]) }
  }
}
