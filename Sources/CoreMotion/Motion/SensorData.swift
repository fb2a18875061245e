internal import CoreLocation
import Foundation

/// A sample of the accelerometer.
open class CMAccelerometerData: CMLogItem, @unchecked Sendable {
  private static let key = "acceleration"
  private let measured: CMAcceleration

  /// The acceleration, with gravity.
  open var acceleration: CMAcceleration { measured }

  /// Makes a sample of zero.
  public override init() {
    measured = CMAcceleration()
    super.init()
  }

  init(_ acceleration: CMAcceleration, timestamp: TimeInterval) {
    measured = acceleration
    super.init(timestamp: timestamp)
  }

  /// Reads a sample from an archive.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard let measured: CMAcceleration = coder.decodeVector(forKey: Self.key) else { return nil }
    self.measured = measured
    super.init(coder: coder)
  }

  /// Writes the sample into an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(measured, forKey: Self.key)
  }
}

/// A sample of the gyroscope.
open class CMGyroData: CMLogItem, @unchecked Sendable {
  private static let key = "rotationRate"
  private let measured: CMRotationRate

  /// The rate, with the bias of the gyroscope.
  open var rotationRate: CMRotationRate { measured }

  /// Makes a sample of zero.
  public override init() {
    measured = CMRotationRate()
    super.init()
  }

  init(_ rotationRate: CMRotationRate, timestamp: TimeInterval) {
    measured = rotationRate
    super.init(timestamp: timestamp)
  }

  /// Reads a sample from an archive.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard let measured: CMRotationRate = coder.decodeVector(forKey: Self.key) else { return nil }
    self.measured = measured
    super.init(coder: coder)
  }

  /// Writes the sample into an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(measured, forKey: Self.key)
  }
}

/// A sample of the magnetometer.
open class CMMagnetometerData: CMLogItem, @unchecked Sendable {
  private static let key = "magneticField"
  private let measured: CMMagneticField

  /// The total field, with that of the device.
  open var magneticField: CMMagneticField { measured }

  /// Makes a sample of zero.
  public override init() {
    measured = CMMagneticField()
    super.init()
  }

  init(_ magneticField: CMMagneticField, timestamp: TimeInterval) {
    measured = magneticField
    super.init(timestamp: timestamp)
  }

  /// Reads a sample from an archive.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard let measured: CMMagneticField = coder.decodeVector(forKey: Self.key) else { return nil }
    self.measured = measured
    super.init(coder: coder)
  }

  /// Writes the sample into an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(measured, forKey: Self.key)
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
