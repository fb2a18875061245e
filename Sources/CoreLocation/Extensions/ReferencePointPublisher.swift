internal import Board
internal import EarthModel
internal import Formats
internal import Observers
internal import Pipeline
package import Quantities

/// A publisher's estimates with the position of the body's reference point instead of the
/// antenna's.
///
/// The offset is rotated by the attitude relative to true north. Where level, heading or
/// declination are not known the position is the antenna's. The velocity is always the antenna's:
/// it differs by the angular rate times the arm.
final class ReferencePointPublisher: EstimatePublisher {
  private let base: any EstimatePublisher
  /// The vector from the reference point to the antenna, metres forward, right, down.
  private let arm: SIMD3<Double>

  init(_ base: any EstimatePublisher, _ leverArm: CLVector3) {
    (self.base, arm) = (base, leverArm.exchanged)
  }

  var hasMagnetometer: Bool { base.hasMagnetometer }
  var hasCompass: Bool { base.hasCompass }
  var hasReceiver: Bool { base.hasReceiver }
  var isSimulated: Bool { base.isSimulated }
  var calibrator: (any FieldCalibrator)? { base.calibrator }
  var positionOrigin: PositionOrigin? { base.positionOrigin }
  var sensors: [String]? { base.sensors }
  var mounting: Rotation<SensorFrame, BodyFrame> { base.mounting }
  func setReceiverDemand(_ demand: ReceiverDemand) { base.setReceiverDemand(demand) }
  var latest: Estimate? { base.latest.map { $0.moved(byArm: arm) } }

  func observe(_ body: @escaping @Sendable (Estimate) -> Void) -> Observation {
    base.observe { [arm] in body($0.moved(byArm: arm)) }
  }

  func observeRows(_ body: @escaping @Sendable (SensorSamples) -> Void) -> Observation {
    base.observeRows(body)
  }

  func observeReceiver(_ body: @escaping @Sendable (ReceiverOutput) -> Void) -> Observation {
    base.observeReceiver(body)
  }
}

extension Estimate {
  /// The estimate with its position moved by the negative arm (forward, right, down, metres).
  package func moved(byArm arm: SIMD3<Double>) -> Estimate {
    guard let position, isLevelKnown, let stand = attitude, let north = trueHeading else {
      return self
    }
    // From magnetic to true north. Unlike the attitude, the true heading is corrected for
    // deviation.
    let turn = north.angle - stand.attitudeAngles.heading
    let inMagnetic = stand.rotate(arm)
    let (s, c) = (sin(turn.radians), cos(turn.radians))
    let offset = SIMD3(
      c * inMagnetic.x - s * inMagnetic.y, s * inMagnetic.x + c * inMagnetic.y, inMagnetic.z)
    var moved = self
    let distance = (offset.x * offset.x + offset.y * offset.y).squareRoot()
    if distance > 0 {
      moved.position =
        Geodesic.direct(
          from: position, bearing: Angle(radians: atan2(-offset.y, -offset.x)),
          distanceMetres: distance
        ).position
    }
    moved.altitudeMetres = altitudeMetres.map { $0 + offset.z }
    moved.ellipsoidalAltitudeMetres = ellipsoidalAltitudeMetres.map { $0 + offset.z }
    return moved
  }
}
