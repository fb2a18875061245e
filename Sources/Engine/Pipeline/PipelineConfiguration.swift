import BoardFile
import EarthModel
import Quantities

/// What a pipeline has to know beside the samples.
public struct PipelineConfiguration: Sendable {
  /// How the sensors sit on the body.
  public var board: Board = .standard
  /// What takes the magnetometer's own errors out.
  public var calibration: CalibrationChoice = .none
  /// What the body does; it sets how far motion is trusted to be smooth.
  public var activity: Activity = .other
  /// Civil time of the first instant, for the magnetic model where the data has no time of its own.
  public var utcAtStart: UTCTime?
  /// Pressure at sea level, hPa: refers pressure altitude to the sea without a receiver.
  public var qnhHectopascal: Double?
  /// The magnetic model that turns magnetic to true heading.
  public var magneticModel: MagneticModel = .wmm2025
  /// True where a simulated world stands behind the samples.
  public var isSimulated = false

  /// The configuration of a recording of which nothing is said.
  public init() {}
}

/// What takes the magnetometer's own errors out of the field.
public enum CalibrationChoice: Equatable, Sendable {
  /// Nothing: the field is used as it is and the heading's accuracy is not known.
  case none
  /// Nothing, because the field is already calibrated.
  case assumed
  /// A calibration of this sensor on this board.
  case fitted(MagnetometerCalibration)

  /// What an estimate says about the field.
  public var state: CalibrationState {
    switch self {
    case .none: .uncalibrated
    case .assumed: .assumed
    case .fitted(let calibration): calibration.quality
    }
  }
}

/// What the body is doing, in Core Location's words.
public enum Activity: String, CaseIterable, Sendable {
  /// Nothing is known.
  case other
  /// In a car.
  case automotiveNavigation
  /// On foot or on a bicycle.
  case fitness
  /// In a boat, a train or anything else that is not a car.
  case otherNavigation
  /// In the air.
  case airborne

  /// True of what may lie on water, and then heave.
  var mayFloat: Bool {
    switch self {
    case .other, .otherNavigation: true
    case .automotiveNavigation, .fitness, .airborne: false
    }
  }

  /// Vertical acceleration that an altitude filter must allow for, m/s²·√s: a car follows the road, an
  /// aeroplane climbs and sinks at will.
  var verticalAccelerationNoise: Double {
    switch self {
    case .automotiveNavigation: 0.3
    case .other, .fitness, .otherNavigation: 0.5
    case .airborne: 2
    }
  }
}
