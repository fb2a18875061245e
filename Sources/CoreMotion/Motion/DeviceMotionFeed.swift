internal import CoreLocation
import Foundation
internal import HostProtocol
internal import LinuxIO
internal import Quantities

/// What device motion is made of: the fusion's estimates, and the newest samples of the inertial
/// unit.
final class DeviceMotionFeed: IntervalFeed {
  private let samples: SampleFeed
  private let estimates: EstimateFeed

  func setInterval(_ interval: TimeInterval) {
    samples.setInterval(interval)
    estimates.setInterval(interval)
  }

  init(
    _ frame: CMAttitudeReferenceFrame, every interval: TimeInterval,
    _ delivery: Delivery<CMDeviceMotion>
  ) {
    let newest = Locked((rate: CMRotationRate(), acceleration: CMAcceleration?.none))
    let firstYaw = Locked<Double?>(nil)
    samples = SampleFeed([.gyroscope, .accelerometer], every: interval) { sample in
      guard let sample else { return }
      newest.withLock { newest in
        if sample.kind == .gyroscope {
          newest.rate = CMRotationRate(sample.vector)
        } else {
          newest.acceleration = CMAcceleration(specificForce: sample.vector)
        }
      }
    }
    // The declination needs a place.
    let demand = EstimateDemand(fixes: frame == .xTrueNorthZVertical, headings: true)
    estimates = EstimateFeed(demand, every: interval) { estimate in
      guard let estimate else { return delivery.fail() }
      guard let attitude = CLAttitude(estimate) else { return }
      let north = Self.north(of: frame, estimate)
      guard let north else { return }
      // A frame without north begins at the first yaw.
      let turn =
        north.turn
        ?? firstYaw.withLock { first in
          let yaw = first ?? -CMAttitude(attitude, turnedBy: 0).yaw * 180 / .pi
          first = yaw
          return yaw
        }
      let (rate, acceleration) = newest.withLock { $0 }
      delivery.deliver(
        CMDeviceMotion(
          attitude: CMAttitude(attitude, turnedBy: turn), rotationRate: rate,
          acceleration: acceleration, magneticField: CMCalibratedMagneticField(estimate),
          heading: north.heading, timestamp: estimate.timestamp.seconds))
    }
  }

  /// The angle from magnetic north to the north of a frame, degrees counterclockwise, nil for a
  /// frame without north, and the heading from it, degrees.
  /// - Returns: nil while the north of the frame is not known.
  private static func north(
    of frame: CMAttitudeReferenceFrame, _ estimate: Estimate
  ) -> (turn: Double?, heading: Double)? {
    guard frame == .xMagneticNorthZVertical || frame == .xTrueNorthZVertical else {
      return (nil, -1)
    }
    guard
      let values = HeadingValues(
        estimate, turnedBy: .zero, givesTrueHeading: true, receivedAt: Date())
    else { return nil }
    if frame == .xMagneticNorthZVertical { return (0, values.magneticHeading) }
    return values.declination.map { (-$0, values.trueHeading) }
  }
}

extension CMCalibratedMagneticField {
  /// The calibrated field of an estimate along the device's axes; uncalibrated zero without one.
  fileprivate init(_ estimate: Estimate) {
    // From forward, right and down.
    let field = estimate.field?.microtesla
    self.init(
      field: field.map { CMMagneticField(x: $0.y, y: $0.x, z: -$0.z) } ?? CMMagneticField(),
      accuracy: CMMagneticFieldCalibrationAccuracy(field == nil ? nil : estimate.calibration))
  }
}

extension CMMagneticFieldCalibrationAccuracy {
  fileprivate init(_ state: CalibrationState?) {
    switch state {
    case .good, .assumed: self = .high
    case .fair: self = .medium
    case .poor: self = .low
    case .uncalibrated, nil: self = .uncalibrated
    }
  }
}
