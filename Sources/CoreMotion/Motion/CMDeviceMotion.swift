internal import CoreLocation
import Foundation
internal import Quantities

/// Attitude and motion of the device at an instant, by the fusion of all sensors.
open class CMDeviceMotion: CMLogItem, @unchecked Sendable {
  /// Where the sensors are.
  public enum SensorLocation: Int, Sendable {
    /// In the device.
    case `default` = 0
    /// In the left headphone.
    case headphoneLeft = 1
    /// In the right headphone.
    case headphoneRight = 2
  }

  private struct Values {
    var attitude = CMAttitude()
    var rotationRate = CMRotationRate()
    var gravity = CMAcceleration()
    var userAcceleration = CMAcceleration()
    var magneticField = CMCalibratedMagneticField()
    var heading = 0.0
    var sensorLocation = SensorLocation.default
  }
  private let values: Values

  /// The attitude.
  open var attitude: CMAttitude { values.attitude }
  /// The rate of rotation.
  open var rotationRate: CMRotationRate { values.rotationRate }
  /// The direction of gravity: the unit vector down.
  open var gravity: CMAcceleration { values.gravity }
  /// The acceleration less gravity.
  open var userAcceleration: CMAcceleration { values.userAcceleration }
  /// The calibrated field of the earth and what else is near.
  open var magneticField: CMCalibratedMagneticField { values.magneticField }
  /// The direction of the device's top clockwise from the north of the frame, degrees; -1 for a
  /// frame without north.
  open var heading: Double { values.heading }
  /// Where the sensors are: in the device.
  open var sensorLocation: SensorLocation { values.sensorLocation }

  /// Makes a motion of zero.
  public override init() {
    values = Values()
    super.init()
  }

  init(
    attitude: CMAttitude, rotationRate: CMRotationRate, acceleration: CMAcceleration?,
    magneticField: CMCalibratedMagneticField, heading: Double, timestamp: TimeInterval
  ) {
    let down = attitude.inDevice(CLVector3(x: 0, y: 0, z: -1))
    var values = Values()
    (values.attitude, values.rotationRate) = (attitude, rotationRate)
    (values.magneticField, values.heading) = (magneticField, heading)
    values.gravity = CMAcceleration(x: down.x, y: down.y, z: down.z)
    if let acceleration {
      values.userAcceleration = CMAcceleration(
        x: acceleration.x - down.x, y: acceleration.y - down.y, z: acceleration.z - down.z)
    }
    self.values = values
    super.init(timestamp: timestamp)
  }

  private init(_ values: Values, timestamp: TimeInterval) {
    self.values = values
    super.init(timestamp: timestamp)
  }

  /// The same motion with an attitude of its own.
  func separate() -> CMDeviceMotion {
    var values = values
    if let attitude = values.attitude.copy() as? CMAttitude { values.attitude = attitude }
    return CMDeviceMotion(values, timestamp: timestamp)
  }

  /// Reads a motion from an archive.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard let attitude = CMAttitude(coder: coder),
      let rate: CMRotationRate = coder.decodeVector(forKey: "rotationRate"),
      let gravity: CMAcceleration = coder.decodeVector(forKey: "gravity"),
      let acceleration: CMAcceleration = coder.decodeVector(forKey: "userAcceleration"),
      let field: CMMagneticField = coder.decodeVector(forKey: "magneticField"),
      let others = coder.decodeNumbers(3, forKey: "others"),
      let accuracy = CMMagneticFieldCalibrationAccuracy(rawValue: Int32(bounded: others[0])),
      let location = SensorLocation(rawValue: Int(bounded: others[2]))
    else { return nil }
    values = Values(
      attitude: attitude, rotationRate: rate, gravity: gravity, userAcceleration: acceleration,
      magneticField: CMCalibratedMagneticField(field: field, accuracy: accuracy),
      heading: others[1], sensorLocation: location)
    super.init(coder: coder)
  }

  /// Writes the motion into an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    values.attitude.encode(with: coder)
    coder.encode(values.rotationRate, forKey: "rotationRate")
    coder.encode(values.gravity, forKey: "gravity")
    coder.encode(values.userAcceleration, forKey: "userAcceleration")
    coder.encode(values.magneticField.field, forKey: "magneticField")
    coder.encode(
      [
        Double(values.magneticField.accuracy.rawValue), values.heading,
        Double(values.sensorLocation.rawValue),
      ], forKey: "others")
  }
}
