internal import CoreLocation
import Foundation

/// A sample of the accelerometer.
open class CMAccelerometerData: CMLogItem, @unchecked Sendable {
  /// The acceleration, with gravity.
  public let acceleration: CMAcceleration

  init(_ acceleration: CMAcceleration, timestamp: TimeInterval) {
    self.acceleration = acceleration
    super.init(timestamp: timestamp)
  }
}

/// A sample of the gyroscope.
open class CMGyroData: CMLogItem, @unchecked Sendable {
  /// The rate, with the bias of the gyroscope.
  public let rotationRate: CMRotationRate

  init(_ rotationRate: CMRotationRate, timestamp: TimeInterval) {
    self.rotationRate = rotationRate
    super.init(timestamp: timestamp)
  }
}

/// A sample of the magnetometer.
open class CMMagnetometerData: CMLogItem, @unchecked Sendable {
  /// The total field, with that of the device.
  public let magneticField: CMMagneticField

  init(_ magneticField: CMMagneticField, timestamp: TimeInterval) {
    self.magneticField = magneticField
    super.init(timestamp: timestamp)
  }
}

/// Attitude and motion of the device at an instant, by the fusion of all sensors.
open class CMDeviceMotion: CMLogItem, @unchecked Sendable {
  /// The attitude.
  public let attitude: CMAttitude
  /// The rate of rotation.
  public let rotationRate: CMRotationRate
  /// The direction of gravity: the unit vector down.
  public let gravity: CMAcceleration
  /// The acceleration less gravity.
  public let userAcceleration: CMAcceleration
  /// The calibrated field of the earth and what else is near.
  public let magneticField: CMCalibratedMagneticField
  /// The direction of the device's top clockwise from the north of the frame, degrees; -1 for a
  /// frame without north.
  public let heading: Double

  init(
    attitude: CMAttitude, rotationRate: CMRotationRate, acceleration: CMAcceleration?,
    magneticField: CMCalibratedMagneticField, heading: Double, timestamp: TimeInterval
  ) {
    let down = attitude.inDevice(CLVector3(x: 0, y: 0, z: -1))
    (self.attitude, self.rotationRate) = (attitude, rotationRate)
    (self.magneticField, self.heading) = (magneticField, heading)
    gravity = CMAcceleration(x: down.x, y: down.y, z: down.z)
    userAcceleration =
      acceleration.map {
        CMAcceleration(x: $0.x - down.x, y: $0.y - down.y, z: $0.z - down.z)
      } ?? CMAcceleration()
    super.init(timestamp: timestamp)
  }
}

/// Standard gravity, m/s².
private let standardGravity = 9.80665

extension CMAcceleration {
  /// The acceleration of a sample of specific force, whose sign is the opposite.
  init(specificForce force: CLVector3) {
    self.init(
      x: -force.x / standardGravity, y: -force.y / standardGravity, z: -force.z / standardGravity)
  }
}

extension CLSensorSample {
  /// Seconds of the sample's clock.
  var seconds: TimeInterval { Double(monotonicTimestamp) * 1e-9 }
}
